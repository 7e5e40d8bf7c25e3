// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/overclaim.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "support/lexicon.h"

namespace sibyl::support {
namespace {

// Claims that leave no exception; weaker ones ("any", "only", "each") often
// only restate the lines.
bool IsAbsolute(std::string_view lower) {
  constexpr std::array<std::string_view, 12> kWords = {
      "always",    "never",   "every",      "all",        "guaranteed",  "guarantees",
      "guarantee", "exactly", "regardless", "invariably", "exclusively", "solely"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

// fourth, fifth, 16th
bool IsOrdinal(const std::string& lower) {
  constexpr std::array<std::string_view, 7> kEnds = {"urth", "fth",  "xth", "venth",
                                                     "hth",  "enth", "ieth"};
  return std::any_of(kEnds.begin(), kEnds.end(),
                     [&](std::string_view end) { return lower.ends_with(end); }) ||
         (IsDigit(lower[0]) && lower.ends_with("th"));
}

class AbsoluteWords {
 public:
  AbsoluteWords(const ReadStatement& read, const EvidenceText& evidence)
      : read_(read), evidence_(evidence) {}

  Overclaim Find() const {
    Overclaim found;
    const Lexicon& lexicon = Lexicon::Ours();
    const auto says = [&](Strength strength) {
      return std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
        return !token.in_code && lexicon.StrengthOf(token.lower) == strength;
      });
    };
    const bool hedge_lost = evidence_.Hedges() && !says(Strength::kHedge);
    const bool condition_lost = evidence_.HasCondition() && !says(Strength::kCondition);
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      const bool is_absolute = IsAbsolute(token.lower);
      if (token.in_code || token.in_compound || IsNotAll(i)) continue;
      const bool is_concessive = token.lower == "whatever" && IsSetOff(i);
      if (!is_absolute && !is_concessive && token.lower != "any") continue;
      if (evidence_.HasWord(token.lower) || IsMeasure(i)) continue;
      // On statements that nobody had read, these were refused wrongly one time in
      // five: only if the limit is beside what they are said of.
      const bool is_soft = token.lower == "every" || token.lower == "never" || token.lower == "all";
      const bool is_said_otherwise =
          (token.lower == "every" && SaysAll()) || (token.lower == "always" && Ensures());
      const bool is_limited = hedge_lost || (condition_lost && (!is_soft || token.lower == "all"));
      if (IsOnlySome(i)) found.word = token.lower;
      if ((is_absolute || is_concessive) && !is_said_otherwise && is_limited &&
          (!is_soft || IsLimitedAt(i))) {
        found.word = token.lower;
      } else if (!is_said_otherwise || !SaysAllOf(i)) {
        found.doubtful.push_back(token.lower);
      }
    }
    return found;
  }

 private:
  // "not all of the input", "not every call"
  bool IsNotAll(std::size_t i) const { return i > 0 && read_.tokens[i - 1].lower == "not"; }

  // "above all", "32 GPUs in all"
  bool IsPhrase(std::size_t i) const {
    constexpr std::array<std::string_view, 5> kBefore = {"above", "in", "after", "at", "once"};
    if (read_.tokens[i].lower != "all" || i == 0) return false;
    const bool is_end =
        i + 1 == read_.tokens.size() || read_.tokens[i + 1].clause != read_.tokens[i].clause;
    return is_end && IsOneOf(read_.tokens[i - 1].lower, kBefore);
  }

  // "every sixteenth", "every 10 seconds", "never less than one", "exactly four"
  bool IsMeasure(std::size_t i) const {
    constexpr std::array<std::string_view, 6> kMore = {"less",  "more",  "fewer",
                                                       "below", "above", "exceeds"};
    if (IsPhrase(i)) return true;
    if (i + 1 >= read_.tokens.size()) return false;
    const std::string& next = read_.tokens[i + 1].lower;
    if (read_.tokens[i].lower == "never") return IsOneOf(next, kMore);
    if (read_.tokens[i].lower == "exactly") return IsNumberOfLines(i + 1);
    return read_.tokens[i].lower == "every" &&
           (IsOrdinal(next) || next == "second" || next == "third" || next == "other" ||
            IsNumberOfLines(i + 1));
  }

  bool IsNumberOfLines(std::size_t token) const {
    return std::any_of(read_.numbers.begin(), read_.numbers.end(), [&](const Quantity& number) {
      return number.begin == read_.tokens[token].begin && number.value >= 2 &&
             !evidence_.PositionsOf(number).empty();
    });
  }

  bool SaysAll() const {
    constexpr std::array<std::string_view, 4> kWords = {"all", "each", "regardless", "always"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](std::string_view word) { return evidence_.HasWord(std::string(word)); });
  }

  // "always" where the lines say "to ensure deterministic names"
  bool Ensures() const {
    constexpr std::array<std::string_view, 5> kWords = {"ensure", "ensures", "deterministic",
                                                        "guarantee", "guarantees"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](std::string_view word) { return evidence_.HasWord(std::string(word)); });
  }

  // "every device" where the lines have "all devices": the same.
  bool SaysAllOf(std::size_t every) const {
    constexpr std::size_t kReach = 3;
    const std::size_t end = std::min(every + 1 + kReach, read_.tokens.size());
    for (std::size_t i = every + 1; i < end; ++i) {
      for (const std::uint32_t noun : read_.grounds[i].positions) {
        for (const char* const word : {"all", "each"}) {
          const std::vector<std::uint32_t>& places = evidence_.PositionsOfWord(word);
          const auto after = std::upper_bound(places.begin(), places.end(), noun);
          if (after != places.begin() && noun - *(after - 1) <= kReach) return true;
        }
      }
    }
    return false;
  }

  // "all library functions" where the lines have "several library functions".
  bool IsOnlySome(std::size_t all) const {
    constexpr std::size_t kReach = 4;
    constexpr std::uint32_t kBefore = 2;
    constexpr std::array<const char*, 6> kSome = {"some", "several", "most",
                                                  "many", "certain", "few"};
    const std::string& said = read_.tokens[all].lower;
    if ((said != "all" && said != "every") || SaysAll()) return false;
    for (std::size_t i = all + 1; i < std::min(all + 1 + kReach, read_.tokens.size()); ++i) {
      if (read_.tokens[i].clause != read_.tokens[all].clause) return false;
      if (WeightOf(read_.tokens[i]) < 1) continue;
      for (const std::uint32_t noun : read_.grounds[i].positions) {
        for (const char* const word : kSome) {
          const std::vector<std::uint32_t>& places = evidence_.PositionsOfWord(word);
          const auto after = std::upper_bound(places.begin(), places.end(), noun);
          if (after != places.begin() && noun - *(after - 1) <= kBefore) return true;
        }
      }
    }
    return false;
  }

  // Whether a hedge or a condition of the lines is beside two words of the clause.
  bool IsLimitedAt(std::size_t token) const {
    constexpr std::uint32_t kReach = 12;
    constexpr std::size_t kFewest = 2;
    for (const std::uint32_t limit : evidence_.limits()) {
      std::size_t near = 0;
      for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
        if (read_.tokens[i].clause != read_.tokens[token].clause || WeightOf(read_.tokens[i]) < 1) {
          continue;
        }
        const std::vector<std::uint32_t>& places = read_.grounds[i].positions;
        near += std::any_of(places.begin(), places.end(),
                            [limit](std::uint32_t place) {
                              return (place < limit ? limit - place : place - limit) <= kReach;
                            })
                    ? 1
                    : 0;
      }
      if (near >= kFewest) return true;
    }
    return false;
  }

  // ", whatever the size"; "drops whatever has not been flushed" only names it.
  bool IsSetOff(std::size_t token) const {
    const std::string_view text = read_.statement.text;
    const std::string_view before = Trim(text.substr(0, read_.tokens[token].begin));
    if (!before.empty())
      return std::string_view(",;:(-").find(before.back()) != std::string_view::npos;
    // "Whatever is left goes there, and …": the comma does not end its clause.
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return false;
    const std::string_view after = Trim(text.substr(comma + 1));
    return !after.starts_with("and ") && !after.starts_with("but ");
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
};

}  // namespace

Overclaim FindOverclaim(const ReadStatement& read, const EvidenceText& evidence) {
  return AbsoluteWords(read, evidence).Find();
}

}  // namespace sibyl::support
