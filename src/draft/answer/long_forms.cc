// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/long_forms.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "index/rank/query_terms.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kFewestLetters = 3;
constexpr std::size_t kMostLetters = 6;

bool IsAbbreviation(std::string_view word) {
  return word.size() >= kFewestLetters && word.size() <= kMostLetters &&
         std::all_of(word.begin(), word.end(), IsUpper);
}

}  // namespace

std::string InitialsOf(std::string_view name) {
  std::string initials;
  bool is_short = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!IsLetter(name[i])) continue;
    const bool begins = i == 0 || name[i - 1] == '_' || (IsUpper(name[i]) && IsLower(name[i - 1]));
    const bool is_alone = i + 1 == name.size() || !IsLower(name[i + 1]);
    is_short = is_short || (begins && is_alone);
    if (begins) initials += LowerCase(name.substr(i, 1));
  }
  // "D_D_P" and "DDPx" are not long forms.
  return initials.size() < kFewestLetters || is_short ? std::string() : initials;
}

std::vector<std::string> LongForms(const Question& question,
                                   const std::vector<std::string>& texts) {
  std::map<std::string, std::map<std::string, std::size_t, std::less<>>> found;
  for (const QuestionWord& word : question.words) {
    if (IsAbbreviation(word.written)) found[LowerCase(word.written)];
  }
  if (found.empty()) return {};
  for (const std::string_view text : texts) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && IsWordByte(text[end])) ++end;
      const std::string_view word = text.substr(at, end - at);
      at = std::max(end, at + 1);
      if (word.size() <= kMostLetters || word.size() > index::kMaxWordBytes) continue;
      const auto form = found.find(InitialsOf(word));
      if (form != found.end()) ++form->second[std::string(word)];
    }
  }
  std::vector<std::string> names;
  for (const auto& [initials, counts] : found) {
    const auto best =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best != counts.end()) names.push_back(best->first);
  }
  return names;
}

}  // namespace sibyl::draft
