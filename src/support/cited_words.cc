// SPDX-License-Identifier: Apache-2.0
// What the words that a writer points at add to a verdict, and how a verdict is
// explained word by word.
#include <fmt/format.h>

#include <utility>

#include "base/strings.h"
#include "support/grounding.h"
#include "support/thresholds.h"

namespace sibyl::support {

using statement::Verdict;

Grounding WithWords(Grounding by_lines, Grounding by_words) {
  if (by_lines.verdict != Verdict::kSupported && by_lines.verdict != Verdict::kUndecidable) {
    return by_lines;
  }
  const Measures& measures = by_words.measures;
  if (measures.strong == 0 || IsTooLittle(measures)) {
    by_words.verdict = Verdict::kAbsent;
    by_words.code = "support/ungrounded";
    by_words.rule = "cited words";
    by_words.message = "the cited words do not carry it";
    by_words.text.clear();
    by_words.nearest.clear();
    return by_words;
  }
  const bool is_choice = by_lines.doubts.empty() && IsEnough(by_lines.measures);
  const bool is_lifted = by_lines.verdict == Verdict::kUndecidable && is_choice &&
                         by_words.verdict == Verdict::kSupported;
  return is_lifted ? by_words : by_lines;
}

std::string ExplainWords(const Grounding& grounding) {
  std::vector<std::string> there;
  std::vector<std::string> otherwise;
  std::vector<std::string> around;
  std::vector<std::string> missing;
  for (const GroundedWord& word : grounding.words) {
    switch (word.ground) {
      case Ground::kWord:
      case Ground::kForm:
        there.push_back(word.text);
        break;
      case Ground::kSynonym:
      case Ground::kShortened:
        otherwise.push_back(fmt::format("{} ({})", word.text, word.by));
        break;
      case Ground::kContext:
        around.push_back(word.text);
        break;
      case Ground::kNone:
        missing.push_back(word.text);
        break;
    }
  }
  std::vector<std::string> groups;
  const auto add = [&groups](std::string_view name, const std::vector<std::string>& words) {
    if (!words.empty()) groups.push_back(fmt::format("{}: {}", name, Join(words, ", ")));
  };
  add("in the lines", there);
  add("in other words", otherwise);
  add("around the lines", around);
  add("missing", missing);
  return Join(groups, "; ");
}

}  // namespace sibyl::support
