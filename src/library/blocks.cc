// SPDX-License-Identifier: Apache-2.0
#include "library/blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace sibyl::library {
namespace {

Error Wrong(std::string_view file, gate::MarkerMistake mistake) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = std::move(mistake.message),
               .hint = std::move(mistake.hint),
               .place = Place{.file = std::string(file),
                              .line = mistake.line,
                              .column = 1,
                              .text = std::move(mistake.text)}};
}

}  // namespace

Result<std::vector<gate::ManagedBlock>> FindBlocks(std::string_view file, std::string_view text) {
  gate::ManagedBlocks found = gate::FindManagedBlocks(text);
  if (!found.mistakes.empty()) return Wrong(file, std::move(found.mistakes.front()));
  return std::move(found.blocks);
}

std::string MakeBlock(std::string_view name, std::string_view content) {
  std::string block = fmt::format("<!-- sibyl:begin {} -->\n{}", name, content);
  if (!block.ends_with('\n')) block += '\n';
  return block + fmt::format("<!-- sibyl:end {} -->\n", name);
}

Result<std::string> ReplaceBlock(std::string_view file, std::string_view text,
                                 std::string_view name, std::string_view content) {
  const std::vector<gate::ManagedBlock> blocks = SIBYL_TRY(FindBlocks(file, text));
  const auto found =
      std::find_if(blocks.begin(), blocks.end(),
                   [&](const gate::ManagedBlock& block) { return block.name == name; });
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
  // After a fence that nobody closed it would be code, and never be found.
  if (SIBYL_TRY(FindBlocks(file, replaced)).size() == blocks.size()) {
    const std::vector<std::string_view> lines = SplitLines(text);
    return Wrong(
        file, {.line = lines.size(),
               .text = std::string(lines.empty() ? "" : Trim(lines.back())),
               .message = "the page ends inside fenced code, so no block can be added at its end",
               .hint = "close the fence"});
  }
  return replaced;
}

}  // namespace sibyl::library
