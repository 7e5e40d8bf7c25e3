// SPDX-License-Identifier: Apache-2.0
#include "library/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markdown/fences.h"
#include "base/strings.h"

namespace sibyl::library {
namespace {

struct Line {
  std::string_view text;  // without its end
  std::size_t begin = 0;
  std::size_t after = 0;  // where the next line begins
  std::size_t number = 0;
};

std::vector<Line> LinesOf(std::string_view text) {
  std::vector<Line> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t after = std::min(end + 1, text.size());
    lines.push_back({.text = text.substr(at, end - at),
                     .begin = at,
                     .after = after,
                     .number = lines.size() + 1});
    at = after;
  }
  return lines;
}

struct Marker {
  bool is_begin = false;
  std::string_view name;
};

// A line that is meant as a marker, whether or not it is a good one.
std::optional<Marker> ReadMarker(std::string_view line) {
  std::string_view rest = Trim(line);
  constexpr std::string_view kOpen = "<!--";
  constexpr std::string_view kClose = "-->";
  if (!rest.starts_with(kOpen) || !rest.ends_with(kClose)) return std::nullopt;
  if (rest.size() < kOpen.size() + kClose.size()) return std::nullopt;
  rest = Trim(rest.substr(kOpen.size(), rest.size() - kOpen.size() - kClose.size()));
  for (const bool is_begin : {true, false}) {
    const std::string_view word = is_begin ? "sibyl:begin" : "sibyl:end";
    if (!rest.starts_with(word)) continue;
    const std::string_view name = rest.substr(word.size());
    if (!name.empty() && Trim(name.substr(0, 1)).size() == 1) continue;  // sibyl:ending
    return Marker{.is_begin = is_begin, .name = Trim(name)};
  }
  return std::nullopt;
}

bool IsName(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

Error Wrong(std::string_view file, const Line& line, std::string what, std::string hint) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = std::move(what),
               .hint = std::move(hint),
               .place = Place{.file = std::string(file),
                              .line = line.number,
                              .column = 1,
                              .text = std::string(Trim(line.text))}};
}

}  // namespace

Result<std::vector<Block>> FindBlocks(std::string_view file, std::string_view text) {
  std::vector<Block> blocks;
  std::optional<Line> open;
  Fences fences;
  for (const Line& line : LinesOf(text)) {
    if (fences.Holds(line.text)) continue;
    const std::optional<Marker> marker = ReadMarker(line.text);
    if (!marker) continue;
    if (!IsName(marker->name)) {
      return Wrong(file, line, "a marker of a managed block has no proper name",
                   "it looks like <!-- sibyl:begin files -->");
    }
    if (marker->is_begin) {
      if (open) {
        return Wrong(
            file, line,
            fmt::format("the managed block '{}' begins inside '{}', which has no end", marker->name,
                        blocks.back().name),
            fmt::format("put <!-- sibyl:end {} --> where it should end", blocks.back().name));
      }
      const bool is_double = std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
        return block.name == marker->name;
      });
      if (is_double) {
        return Wrong(file, line, fmt::format("the managed block '{}' is here twice", marker->name),
                     "remove one of the two, markers included");
      }
      open = line;
      blocks.push_back(
          {.name = std::string(marker->name), .begin = line.after, .line = line.number});
      continue;
    }
    if (!open || blocks.back().name != marker->name) {
      return Wrong(file, line,
                   fmt::format("the managed block '{}' ends here but did not begin", marker->name),
                   fmt::format("put <!-- sibyl:begin {} --> where it should begin, or remove this "
                               "line",
                               marker->name));
    }
    blocks.back().end = line.begin;
    open.reset();
  }
  if (open) {
    return Wrong(file, *open, fmt::format("the managed block '{}' has no end", blocks.back().name),
                 fmt::format("put <!-- sibyl:end {} --> where it should end", blocks.back().name));
  }
  return blocks;
}

std::string MakeBlock(std::string_view name, std::string_view content) {
  std::string block = fmt::format("<!-- sibyl:begin {} -->\n{}", name, content);
  if (!block.ends_with('\n')) block += '\n';
  return block + fmt::format("<!-- sibyl:end {} -->\n", name);
}

Result<std::string> ReplaceBlock(std::string_view file, std::string_view text,
                                 std::string_view name, std::string_view content) {
  const std::vector<Block> blocks = SIBYL_TRY(FindBlocks(file, text));
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const Block& block) { return block.name == name; });
  const bool is_new = found == blocks.end();
  const std::size_t before = is_new ? text.size() : found->begin;
  const bool is_crlf = is_new ? text.find("\r\n") != std::string_view::npos
                              : text.substr(0, before).ends_with("\r\n");
  std::string added = is_new ? MakeBlock(name, content) : std::string(content);
  if (is_new && !text.empty()) added.insert(0, text.ends_with('\n') ? "\n" : "\n\n");
  if (!added.empty() && !added.ends_with('\n')) added += '\n';
  std::string replaced(text.substr(0, before));
  replaced.reserve(text.size() + added.size() + 16);
  for (const char c : added) {
    if (c == '\n' && is_crlf) replaced += '\r';
    replaced += c;
  }
  if (!is_new) return replaced + std::string(text.substr(found->end));
  // Behind a fence that nobody closed it would be code, and never be found.
  if (SIBYL_TRY(FindBlocks(file, replaced)).size() == blocks.size()) {
    const std::vector<Line> lines = LinesOf(text);
    return Wrong(file, lines.empty() ? Line{} : lines.back(),
                 "the page ends inside fenced code, so no block can be put at its end",
                 "close the fence");
  }
  return replaced;
}

}  // namespace sibyl::library
