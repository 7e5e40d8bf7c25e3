// SPDX-License-Identifier: Apache-2.0
#include "draft/page_text.h"

#include <algorithm>

#include "base/markdown/fence.h"
#include "base/strings.h"

namespace sibyl::draft {
namespace {

constexpr std::string_view kMarks = "\\*_<>[]#|~&$!";

// The length of ":role:" when a backtick follows it.
std::size_t RoleAt(std::string_view text) {
  if (text.empty() || text[0] != ':') return 0;
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-_:", 1);
  return end != std::string_view::npos && end > 2 && text[end] == '`' && text[end - 1] == ':' ? end
                                                                                              : 0;
}

std::string Rendered(std::string_view text) {
  std::string rendered;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (const std::size_t role = RoleAt(rest); role > 0) {
      at += role;
      continue;
    }
    if (rest.starts_with("``")) {
      rendered += '`';
      at += 2;
      continue;
    }
    if (rest.starts_with("**")) {
      at += 2;
      continue;
    }
    const std::size_t middle = rest[0] == '[' ? rest.find("](") : std::string_view::npos;
    const std::size_t end = middle == std::string_view::npos ? middle : rest.find(')', middle);
    if (end != std::string_view::npos &&
        rest.substr(1, middle).find('[') == std::string_view::npos) {
      rendered += rest.substr(1, middle - 1);
      at += end + 1;
      continue;
    }
    rendered += rest[0];
    ++at;
  }
  return rendered;
}

}  // namespace

std::string PlainHeading(std::string_view heading) {
  std::string plain;
  for (const char c : Rendered(heading)) {
    if (c != '`' && c != '*') plain += c;
  }
  return plain;
}

std::string Escaped(std::string_view text) {
  const bool keeps_code = std::count(text.begin(), text.end(), '`') % 2 == 0 &&
                          text.find("``") == std::string_view::npos;
  std::string escaped;
  bool in_code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`' && keeps_code) in_code = !in_code;
    const bool is_mark = kMarks.find(c) != std::string_view::npos || (c == '`' && !keeps_code);
    if (is_mark && !in_code) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string EscapedQuote(std::string_view text) {
  std::string escaped = Escaped(Rendered(text));
  if (escaped.starts_with('-') || escaped.starts_with('+') || escaped.starts_with('=')) {
    escaped.insert(0, "\\");
  }
  // "1. Text" would begin a list.
  const std::size_t digits = escaped.find_first_not_of("0123456789");
  if (digits != std::string::npos && digits > 0 &&
      (escaped[digits] == '.' || escaped[digits] == ')')) {
    escaped.insert(digits, "\\");
  }
  return escaped;
}

std::string EscapedCell(std::string_view text) {
  std::string cell;
  for (const char c : Escaped(text)) {
    if (c == '|' && !cell.ends_with('\\')) cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string InCode(std::string_view text) {
  const std::string fence = FenceAround(text, 1);
  const std::string pad = fence.size() > 1 ? " " : "";
  std::string code;
  for (const char c : text) {
    if (c == '|') code += '\\';
    code += c;
  }
  return fence + pad + code + pad + fence;
}

}  // namespace sibyl::draft
