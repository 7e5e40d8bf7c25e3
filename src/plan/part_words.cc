// SPDX-License-Identifier: Apache-2.0
#include "plan/part_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "plan/scan.h"

namespace sibyl::plan {
namespace {}  // namespace

bool IsCiteLabel(std::string_view text) {
  for (const std::string_view word : {"cite", "cites", "citation", "citations", "sources"}) {
    if (StartsWithWord(text, word)) return true;
  }
  return false;
}

std::string CiteText(std::string_view text) {
  text = SkipDecoration(text);
  while (!text.empty() && IsLetter(text[0])) text.remove_prefix(1);
  while (!text.empty() && (IsSpace(text[0]) || text[0] == '*' || text[0] == ':')) {
    text.remove_prefix(1);
  }
  return CleanText(text);
}

bool StartsWithCreation(std::string_view text) {
  text = SkipDecoration(text);
  for (const std::string_view verb :
       {"create", "write", "update", "save", "output", "extend", "append", "expand", "add", "move",
        "edit", "generate", "produce", "rewrite"}) {
    if (StartsWithWord(text, verb)) return true;
  }
  return false;
}

bool IsTargetPath(std::string_view path) {
  return !path.ends_with('/') && path.find("KNOWLEDGE-DROP") == kNowhere &&
         path.find('[') == kNowhere;
}

bool IsIndexFile(std::string_view path) {
  return path.ends_with("INDEX.md") || path.ends_with("SKILL.md");
}

bool SameTarget(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  if (!a.ends_with(b)) return false;
  return a.size() == b.size() || a[a.size() - b.size() - 1] == '/';
}

bool IsPlaceholder(std::string_view title) {
  return (title.find('[') != kNowhere && title.find(']') != kNowhere) ||
         StartsWithWord(title, "section");
}

int GoalRank(std::string_view label) {
  if (EqualsIgnoringCase(label, "goal")) return 0;
  if (EqualsIgnoringCase(label, "objective")) return 1;
  if (EqualsIgnoringCase(label, "purpose")) return 2;
  if (EqualsIgnoringCase(label, "focus")) return 3;
  if (EqualsIgnoringCase(label, "topic")) return 4;
  return label.size() > 6 && EqualsIgnoringCase(label.substr(label.size() - 6), " focus") ? 5 : -1;
}

bool IsTargetLabel(std::string_view label) {
  static constexpr std::array<std::string_view, 13> kLabels = {
      "target", "target file", "file",    "filename", "output",         "output file", "create",
      "path",   "save as",     "save to", "location", "knowledge file", "deliverable"};
  return std::any_of(kLabels.begin(), kLabels.end(),
                     [label](std::string_view known) { return EqualsIgnoringCase(label, known); });
}

bool IsOutlineLabel(std::string_view label) {
  return ContainsIgnoringCase(label, "structure") || ContainsIgnoringCase(label, "outline") ||
         EqualsIgnoringCase(label, "sections") || EqualsIgnoringCase(label, "table of contents");
}

bool IsTopicsLabel(std::string_view label) {
  for (const std::string_view known :
       {"content", "contents", "topics", "key topics", "subtopics", "coverage", "cover"}) {
    if (EqualsIgnoringCase(label, known)) return true;
  }
  return false;
}

std::vector<std::string_view> SplitTopics(std::string_view text) {
  std::vector<std::string_view> topics;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    const bool ends = i == text.size() || ((c == ',' || c == ';') && depth == 0);
    if (!ends) continue;
    if (const std::string_view topic = Trim(text.substr(begin, i - begin)); !topic.empty()) {
      topics.push_back(topic);
    }
    begin = i + 1;
  }
  return topics;
}

}  // namespace sibyl::plan
