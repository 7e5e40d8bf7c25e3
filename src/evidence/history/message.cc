// SPDX-License-Identifier: Apache-2.0
#include "evidence/history/message.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::evidence {
namespace {

constexpr std::size_t kMostSubjectBytes = 300;
constexpr std::size_t kMostWordBytes = 1200;
constexpr std::size_t kMostWordLines = 40;

// In lower case: the key of a trailer, or how a line of a tool begins.
constexpr std::array<std::string_view, 22> kBoilerplate = {
    "signed-off-by",         "co-authored-by",     "reviewed-by",
    "reviewed by",           "acked-by",           "tested-by",
    "reported-by",           "approved-by",        "suggested-by",
    "differential revision", "change-id",          "git-svn-id",
    "ghstack-source-id",     "fbshipit-source-id", "pull request resolved",
    "(cherry picked from",   "closes #",           "fixes #",
    "original commit",       "imported-from",      "cc @",
    "merge-request"};

bool IsBoilerplate(std::string_view line) {
  constexpr std::size_t kLongestKey = 24;
  const std::string start = LowerCase(line.substr(0, kLongestKey));
  return std::any_of(kBoilerplate.begin(), kBoilerplate.end(),
                     [&start](std::string_view known) { return start.starts_with(known); });
}

// The words of a line that are not addresses.
void AppendWords(std::string_view line, std::string& words) {
  bool is_first = true;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (word.empty() || word.find("://") != std::string_view::npos) continue;
    if (!is_first) words += ' ';
    words += word;
    is_first = false;
  }
}

// Not in the middle of a character.
std::string CutAt(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  text.resize(most);
  return text;
}

}  // namespace

std::string SubjectOf(std::string_view message) {
  const std::string_view text = Trim(message);
  return CutAt(ReplaceInvalidUtf8(Trim(text.substr(0, text.find('\n')))), kMostSubjectBytes);
}

std::string WordsOfMessage(std::string_view message) {
  constexpr std::size_t kReadBytes = std::size_t{64} << 10;
  std::string words;
  std::size_t lines = 0;
  for (const std::string_view line : SplitLines(Trim(message.substr(0, kReadBytes)))) {
    const std::string_view text = Trim(line);
    if (text.empty() || IsBoilerplate(text)) continue;
    const std::size_t before = words.size();
    if (before > 0) words += lines < kMostWordLines ? '\n' : ' ';
    const std::size_t begin = words.size();
    AppendWords(text, words);
    if (words.size() == begin) {
      words.resize(before);
      continue;
    }
    lines = std::min(lines + 1, kMostWordLines);
    if (words.size() > kMostWordBytes) break;
  }
  return CutAt(ReplaceInvalidUtf8(CutAt(std::move(words), kMostWordBytes)), kMostWordBytes);
}

bool IsRevert(std::string_view message) {
  const std::string start = LowerCase(Trim(message).substr(0, 12));
  return start.starts_with("revert \"") || start.starts_with("reverts ") ||
         start.starts_with("back out ") || start.starts_with("backout ") ||
         start.starts_with("backed out ") || start.starts_with("revert ");
}

// Talbot and Abbot are people; pytorchbot, UpdateBot and merge-bot are not.
bool IsRobot(std::string_view author) {
  const std::string_view name = author.substr(0, author.find('<'));
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && (IsNameByte(name[end]) || name[end] == '-')) ++end;
    const std::string_view word = name.substr(i, end - i);
    i = end + 1;
    if (!EqualsIgnoringCase(word.substr(word.size() - std::min<std::size_t>(word.size(), 3)),
                            "bot")) {
      continue;
    }
    if (word.size() == 3 || word.ends_with("Bot") || IsLower(word.front()) ||
        word[word.size() - 4] == '-') {
      return true;
    }
  }
  return false;
}

}  // namespace sibyl::evidence
