// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/absence.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <variant>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::gate {
namespace {

using statement::Verdict;

constexpr std::array kDenials = std::to_array<std::string_view>(
    {"no", "not", "neither", "nor", "none", "never", "nowhere", "absent", "lack", "without"});

// What a sentence that denies a name is made of. Whatever else it says needs
// lines that say it.
constexpr std::string_view kWords =
    " a all also an and any anywhere appear are argument as at be both build by call called"
    " class cmake code command commit constant contain controller declaration declare define"
    " definition did do document documentation does either enumerator environment exist field"
    " file find flag for found framework from function had has have header here identifier in"
    " is it its itself keyword know known library macro match member mention method module name"
    " named occur of on one option or package parameter pinned preprocessor program project"
    " python repository revision runtime setting source struct such switch symbol target text"
    " that the there these this to tool toolkit tree type use variable version was were which"
    " whole with word ";

template <typename Words>
bool Has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool IsListed(std::string_view word) { return FindWholeWord(kWords, word).has_value(); }

// The word itself, or without a common ending.
bool IsKnown(std::string_view word) {
  if (IsListed(word) || Has(kDenials, word)) return true;
  for (const std::string_view ending : {"s", "es", "d", "ed"}) {
    const std::string_view stem =
        word.ends_with(ending) ? word.substr(0, word.size() - ending.size()) : std::string_view();
    if (!stem.empty() && (IsListed(stem) || Has(kDenials, stem))) return true;
  }
  return word == "doesn" || word == "don" || word == "isn" || word == "t";
}

bool IsDenial(std::string_view word) {
  return Has(kDenials, word) || word == "lacks" || word == "doesn" || word == "isn" ||
         word == "don";
}

// Lower case; names with their underscores.
std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(text) + " ") {
    if (IsWordByte(c)) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(LowerCase(word));
      word.clear();
    }
  }
  return words;
}

// The text without the absent words.
std::string Without(std::string text, const std::vector<std::string_view>& absent) {
  for (const std::string_view word : absent) {
    for (auto at = FindWholeWord(text, word); at; at = FindWholeWord(text, word)) {
      text.replace(*at, word.size(), " ");
    }
  }
  return text;
}

}  // namespace

std::optional<AbsenceJudgement> JudgeAbsence(const statement::Statement& statement,
                                             const std::vector<const Receipt*>& receipts) {
  std::vector<std::string_view> absent;
  std::set<std::string> sources;  // the words of their names
  for (const Receipt* receipt : receipts) {
    const auto* citation =
        receipt->citation ? std::get_if<evidence::AbsentCitation>(&*receipt->citation) : nullptr;
    if (citation == nullptr || !receipt->Resolves()) continue;
    absent.push_back(citation->word);
    for (std::string& word : WordsOf(receipt->other->where)) sources.insert(std::move(word));
    for (std::string& word : WordsOf(citation->origin)) sources.insert(std::move(word));
  }
  if (absent.empty()) return std::nullopt;
  const auto refused = [](std::string message, std::string code = "support/ungrounded") {
    const bool is_against = code == "support/contradicted";
    return AbsenceJudgement{.verdict = is_against ? Verdict::kContradicted : Verdict::kAbsent,
                            .code = std::move(code),
                            .message = std::move(message)};
  };
  for (const std::string_view word : absent) {
    if (FindWholeWord(statement.text, word)) continue;
    return refused(fmt::format("it cites that there is no {} and does not name it", word));
  }
  const std::vector<std::string> words = WordsOf(Without(statement.text, absent));
  if (std::none_of(words.begin(), words.end(), IsDenial)) {
    return refused(
        fmt::format("the cited source has no {}; the statement does not deny it", absent.front()),
        "support/contradicted");
  }
  if (absent.size() < receipts.size()) return std::nullopt;
  for (const std::string& word : words) {
    if (IsKnown(word) || sources.contains(word)) continue;
    return refused(fmt::format("'{}' is more than the absence of {} shows", word, absent.front()));
  }
  return AbsenceJudgement{.verdict = Verdict::kSupported,
                          .code = "support/grounded",
                          .message = fmt::format("the cited source has no {}", absent.front())};
}

}  // namespace sibyl::gate
