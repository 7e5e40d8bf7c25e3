// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/default_switch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/one_of.h"
#include "support/claims.h"

namespace sibyl::support {
namespace {

Sign SwitchOf(std::string_view lower) {
  constexpr std::array<std::string_view, 5> kOn = {"on", "enabled", "active", "activated",
                                                   "enable"};
  constexpr std::array<std::string_view, 5> kOff = {"off", "disabled", "inactive", "deactivated",
                                                    "disable"};
  return IsOneOf(lower, kOn) ? Sign::kOn : IsOneOf(lower, kOff) ? Sign::kOff : Sign::kNone;
}

// A switch with "by default" right after it; `begin` and `end` are those of its
// clause or sentence.
struct Switch {
  std::size_t token = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  Sign sign = Sign::kNone;
};

bool IsByDefault(const std::vector<Token>& tokens, std::size_t i, std::size_t end) {
  return i + 1 < end && tokens[i].lower == "by" && tokens[i + 1].lower == "default";
}

// "is not enabled by default" is off; "by default, it is off", too.
Switch ReadSwitch(const std::vector<Token>& tokens, std::size_t i, std::size_t begin,
                  std::size_t end) {
  constexpr std::size_t kReach = 3;
  Switch found = {.token = i, .begin = begin, .end = end, .sign = SwitchOf(tokens[i].lower)};
  if (found.sign == Sign::kNone) return found;
  bool has_mark = IsByDefault(tokens, i + 1, end) || IsByDefault(tokens, i + 2, end);
  const bool is_state =
      i > begin && !IsOneOf(tokens[i].lower, std::array<std::string_view, 2>{"enable", "disable"});
  has_mark = has_mark || (is_state && IsByDefault(tokens, begin, i));
  if (!has_mark) return {};
  for (std::size_t j = i; j-- > begin && i - j <= kReach;) {
    if (tokens[j].is_negation) found.sign = Flip(found.sign);
  }
  return found;
}

// Which share of the words before the switch, other than "by default", the
// sentence of the lines has.
double ShareOf(const ReadStatement& read, const Switch& said, const LineSentences& sentences,
               std::size_t sentence) {
  double all = 0;
  double found = 0;
  for (std::size_t i = said.begin; i < said.end; ++i) {
    const double weight = WeightOf(read.tokens[i]);
    if (i == said.token || weight < 1) continue;
    all += 1;
    const std::vector<std::uint32_t>& places = read.grounds[i].positions;
    found += std::any_of(places.begin(), places.end(),
                         [&](std::uint32_t at) { return sentences.At(at) == sentence; })
                 ? 1
                 : 0;
  }
  return all > 0 ? found / all : 0;
}

}  // namespace

std::optional<std::string> FindOtherSwitch(const ReadStatement& read, const EvidenceText& evidence,
                                           const LineSentences& sentences) {
  constexpr double kSameThing = 0.6;
  constexpr std::size_t kMost = 64;
  if (!evidence.HasWord("default")) return std::nullopt;
  std::vector<Switch> there;
  for (std::size_t s = 0; s < sentences.all().size() && there.size() < kMost; ++s) {
    const LineSentences::Sentence& sentence = sentences.all()[s];
    for (std::size_t i = sentence.begin; i < sentence.end && there.size() < kMost; ++i) {
      const Switch found = ReadSwitch(evidence.tokens(), i, sentence.begin, sentence.end);
      if (found.sign != Sign::kNone) there.push_back(found);
    }
  }
  if (there.empty()) return std::nullopt;
  for (std::size_t i = 0; i < read.tokens.size(); ++i) {
    if (read.tokens[i].in_code) continue;
    std::size_t begin = i;
    while (begin > 0 && read.tokens[begin - 1].clause == read.tokens[i].clause) --begin;
    // "By default, it is on": a clause of its own.
    const bool is_apart =
        begin >= 2 && IsByDefault(read.tokens, begin - 2, begin) &&
        (begin == 2 || read.tokens[begin - 3].clause != read.tokens[begin - 2].clause);
    if (is_apart) begin -= 2;
    const Switch said = ReadSwitch(read.tokens, i, begin, ClauseEnd(read.tokens, i));
    if (said.sign == Sign::kNone) continue;
    std::optional<std::string> other;
    for (const Switch& each : there) {
      const std::size_t sentence = sentences.At(evidence.tokens()[each.token].position);
      if (ShareOf(read, said, sentences, sentence) < kSameThing) continue;
      if (each.sign == said.sign) {
        other.reset();
        break;
      }
      other = evidence.tokens()[each.token].lower;
    }
    if (other) return other;
  }
  return std::nullopt;
}

}  // namespace sibyl::support
