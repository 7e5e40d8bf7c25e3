// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/condition_sense.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/one_of.h"

namespace sibyl::support {
namespace {

constexpr double kEnoughOfConsequence = 0.5;
constexpr double kMoreOfIt = 0.2;

bool StartsCase(std::string_view lower) {
  constexpr std::array<std::string_view, 7> kWords = {"if",    "when",   "with",    "while",
                                                      "where", "unless", "whenever"};
  return IsOneOf(lower, kWords);
}

// 1: the thing is on, set, there; -1: off, unset, not there; 0: neither.
int SignOf(std::string_view lower) {
  constexpr std::array<std::string_view, 13> kOn = {
      "on",     "enabled", "true",    "set",      "defined",   "given",   "present",
      "active", "enables", "nonzero", "provided", "specified", "supplied"};
  constexpr std::array<std::string_view, 14> kOff = {
      "off",     "disabled", "false", "unset",    "undefined",   "omitted", "absent",
      "missing", "inactive", "none",  "disables", "unspecified", "null",    "empty"};
  if (IsOneOf(lower, kOn)) return 1;
  return IsOneOf(lower, kOff) ? -1 : 0;
}

// A condition: the tokens [begin, end), and its sign.
struct Case {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t sign_at = 0;
  int sign = 0;
};

// The first condition with a sign in the tokens [begin, end).
Case ReadCase(std::string_view text, const std::vector<Token>& tokens, std::size_t begin,
              std::size_t end) {
  constexpr std::size_t kLongest = 10;
  for (std::size_t i = begin; i < end; ++i) {
    if (!StartsCase(tokens[i].lower) || tokens[i].in_code) continue;
    Case found = {.begin = i, .end = i + 1};
    int flip = tokens[i].lower == "unless" ? -1 : 1;
    int sign = 0;
    for (std::size_t j = i + 1; j < std::min(end, i + kLongest); ++j) {
      const std::string_view between =
          text.substr(tokens[j - 1].end, tokens[j].begin - tokens[j - 1].end);
      if (between.find_first_of(",;:.") != std::string_view::npos && j > i + 1) break;
      found.end = j + 1;
      const int here = SignOf(tokens[j].lower);
      if (here != 0) found.sign_at = j;
      // "set to `False`": the value counts.
      if (here != 0) sign = here;
      // "not set", but "disabled there is no guarantee".
      if (tokens[j].is_negation && here == 0 && sign == 0) flip = -flip;
    }
    if (sign == 0) continue;
    found.sign = sign * flip;
    return found;
  }
  return {};
}

class CaseComparer {
 public:
  CaseComparer(const ReadStatement& read, const EvidenceText& evidence,
               const LineSentences& sentences)
      : read_(read), evidence_(evidence), sentences_(sentences) {}

  std::optional<std::string> Take() const {
    if (read_.tokens.empty()) return std::nullopt;
    const Case said = ReadCase(read_.statement.text, read_.tokens, 0, read_.tokens.size());
    constexpr std::size_t kMostSentences = 2000;
    if (said.sign == 0 || sentences_.all().size() > kMostSentences) return std::nullopt;
    if (HasDenyingName()) return std::nullopt;
    // "With `X` set, … when no quorum is active": the second condition may be theirs.
    const Case second = ReadCase(read_.statement.text, read_.tokens, said.end, read_.tokens.size());
    if (second.sign != 0 || DeniesAfter(said)) return std::nullopt;
    double same = 0;
    double other = 0;
    for (std::size_t s = 0; s < sentences_.all().size(); ++s) {
      const LineSentences::Sentence& sentence = sentences_.all()[s];
      const Case there =
          ReadCase(evidence_.lines(), evidence_.tokens(), sentence.begin, sentence.end);
      if (sentence.is_code) continue;
      const double coverage = CoverageOf(said, sentence);
      // A sentence without a condition may say it of both.
      const bool is_other = there.sign == -said.sign && !HasBothCases(sentence);
      double& most = is_other ? other : same;
      most = std::max(most, coverage);
    }
    if (other < kEnoughOfConsequence || other < same + kMoreOfIt) return std::nullopt;
    return read_.tokens[said.sign_at].lower;
  }

 private:
  bool DeniesAfter(const Case& said) const {
    for (std::size_t i = said.end; i < read_.tokens.size(); ++i) {
      if (!StartsCase(read_.tokens[i].lower) || read_.tokens[i].in_code) continue;
      constexpr std::size_t kReach = 4;
      for (std::size_t j = i + 1; j < std::min(i + kReach, read_.tokens.size()); ++j) {
        if (read_.tokens[j].is_negation) return true;
      }
    }
    return false;
  }

  // `--disable-cache`: "if the flag is not set" is the case in which it is on.
  bool HasDenyingName() const {
    const std::string_view lines = evidence_.lines();
    for (const std::string_view mark : {"--disable", "--no-", "disable_", "DISABLE_"}) {
      if (lines.find(mark) != std::string_view::npos) return true;
    }
    return false;
  }

  // "…, otherwise …", "if true …, if false …"
  bool HasBothCases(const LineSentences::Sentence& sentence) const {
    constexpr std::array<std::string_view, 4> kElse = {"otherwise", "else", "instead", "unless"};
    bool has_on = false;
    bool has_off = false;
    for (std::size_t i = sentence.begin; i < sentence.end; ++i) {
      const std::string& lower = evidence_.tokens()[i].lower;
      if (IsOneOf(lower, kElse)) return true;
      has_on = has_on || SignOf(lower) > 0;
      has_off = has_off || (SignOf(lower) < 0 && lower != "empty");
    }
    return has_on && has_off && !(IsSetTo(sentence));
  }

  // "set to false": one case.
  bool IsSetTo(const LineSentences::Sentence& sentence) const {
    std::size_t signs = 0;
    for (std::size_t i = sentence.begin; i < sentence.end; ++i) {
      const std::string& lower = evidence_.tokens()[i].lower;
      signs += SignOf(lower) != 0 && lower != "set" ? 1 : 0;
    }
    return signs == 1;
  }

  double CoverageOf(const Case& said, const LineSentences::Sentence& sentence) const {
    constexpr double kFewest = 2;
    const std::uint32_t first = evidence_.tokens()[sentence.begin].position;
    const std::uint32_t last = evidence_.tokens()[sentence.end - 1].position;
    double all = 0;
    double found = 0;
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      if (i >= said.begin && i < said.end) continue;
      const double weight = WeightOf(read_.tokens[i]);
      if (weight == 0 || read_.grounds[i].ground == Ground::kContext) continue;
      all += weight;
      const auto& exact = evidence_.PositionsOfWord(read_.tokens[i].lower);
      const auto& places = exact.empty() ? read_.grounds[i].positions : exact;
      const auto at = std::lower_bound(places.begin(), places.end(), first);
      if (at != places.end() && *at <= last) found += weight;
    }
    return all < kFewest ? 0 : found / all;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  const LineSentences& sentences_;
};

}  // namespace

std::optional<std::string> WrongCondition(const ReadStatement& read, const EvidenceText& evidence,
                                          const LineSentences& sentences) {
  return CaseComparer(read, evidence, sentences).Take();
}

}  // namespace sibyl::support
