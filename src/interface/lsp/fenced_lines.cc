// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/fenced_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/utf8.h"
#include "passages/language.h"

namespace sibyl::interface::lsp {
namespace {

constexpr std::size_t kMostLines = 40;
constexpr std::size_t kLongestLine = 300;

// Names that editors know; ours are for people.
std::string_view FenceLanguage(std::string_view path, std::string_view text) {
  const std::string_view language = passages::Classify(path, text.substr(0, 4'096)).language;
  if (language == "c++") return "cpp";
  if (language == "c#") return "csharp";
  if (language == "objective-c") return "objc";
  if (language == "assembly") return "asm";
  return language;
}

std::size_t LongestRunOfBackticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string Shortened(std::string_view line) {
  if (line.size() <= kLongestLine) return ReplaceInvalidUtf8(line);
  std::size_t end = kLongestLine;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
  return ReplaceInvalidUtf8(line.substr(0, end)) + "…";
}

references::TreeFile FileFrom(const ShownFile& from, const std::string& path) {
  if (from.commit.empty()) {
    return from.files.paths().Has(path) ? from.files.File(path) : references::TreeFile();
  }
  const Result<git::ObjectId> commit = from.files.Resolve(from.commit);
  return commit.ok() ? from.files.FileAt(*commit, path) : references::TreeFile();
}

}  // namespace

std::string FencedLines(const ShownFile& from, const references::Target& target, Markup markup) {
  if (target.lines.IsWhole()) return {};
  const references::TreeFile file = FileFrom(from, target.path);
  if (!file.file || target.lines.first > file.file->line_count()) return {};
  const std::size_t last = std::min(target.lines.last, file.file->line_count());
  const std::size_t shown = std::min(last, target.lines.first + kMostLines - 1);
  std::string lines;
  for (std::size_t line = target.lines.first; line <= shown; ++line) {
    lines += Shortened(file.file->Line(line)) + "\n";
  }
  if (markup == Markup::kMarkdown) {
    const std::string fence(std::max<std::size_t>(3, LongestRunOfBackticks(lines) + 1), '`');
    lines = fmt::format("\n{}{}\n{}{}\n", fence, FenceLanguage(target.path, file.file->text()),
                        lines, fence);
  } else {
    lines = "\n" + lines;
  }
  if (last > shown) lines += fmt::format("\n… and {} more lines\n", last - shown);
  return lines;
}

}  // namespace sibyl::interface::lsp
