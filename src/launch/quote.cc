// SPDX-License-Identifier: Apache-2.0
#include "launch/quote.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/terminal.h"

namespace sibyl::launch {
namespace {

bool IsPlain(std::string_view text, std::string_view others) {
  return std::all_of(text.begin(), text.end(), [others](char c) {
    return IsAlphanumeric(c) || others.find(c) != std::string_view::npos;
  });
}

std::string Scalar(const Json& json) { return FormatJson(json, JsonLayout::kCompact); }

std::string Key(const std::string& key) {
  return !key.empty() && IsPlain(key, "-.") ? key : Scalar(Json(key));
}

bool IsNested(const Json& json) { return json.is_structured() && !json.empty(); }

// `first` is what precedes the first line; the others are indented by as much.
void Write(const Json& json, std::size_t indent, std::string first, std::string& text) {
  const std::string spaces(indent, ' ');
  const auto begin = [&] {
    text += first.empty() ? spaces : first;
    first.clear();
  };
  if (json.is_array()) {
    for (const Json& item : json) {
      begin();
      if (IsNested(item)) {
        Write(item, indent + 2, "- ", text);
      } else {
        text += fmt::format("- {}\n", Scalar(item));
      }
    }
    return;
  }
  for (const auto& [key, value] : json.items()) {
    begin();
    text += Key(key) + ":";
    if (!IsNested(value)) {
      text += fmt::format(" {}\n", Scalar(value));
      continue;
    }
    text += '\n';
    Write(value, indent + 2, "", text);
  }
}

}  // namespace

std::string ShellWord(std::string_view text) {
  if (!text.empty() && IsPlain(text, "@%+=:,./-_")) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += R"('\'')";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string ShellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + ShellWord(word);
  return line;
}

std::string WithDoubledDollars(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled += c == '$' ? std::string("$$") : std::string(1, c);
  return doubled;
}

std::string Yaml(const Json& json) {
  std::string text;
  Write(json, 0, "", text);
  return text;
}

Status CheckText(std::string_view what, std::string_view text) {
  constexpr unsigned char kDelete = 0x7F;
  const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) == kDelete;
  });
  if (!has_control) return {};
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("{}: '{}' contains a control character", what, Harmless(text)),
      .hint = "such a name is not passed to other machines; rename it"};
}

Status CheckWord(std::string_view what, std::string_view text, std::string_view others) {
  if (!text.empty() && text[0] != '-' && IsPlain(text, others)) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("{}: invalid value '{}'", what, Harmless(text)),
               .hint = fmt::format("letters, digits and {}, not starting with '-'", others)};
}

}  // namespace sibyl::launch
