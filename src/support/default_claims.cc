// SPDX-License-Identifier: Apache-2.0
#include "support/default_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/one_of.h"
#include "base/strings.h"
#include "support/claims.h"

namespace sibyl::support {
namespace {

class DefaultClaims {
 public:
  DefaultClaims(const ReadStatement& read, const std::vector<ReadCard>& cards)
      : read_(read), cards_(cards) {}

  std::vector<ValueFinding> Take() {
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      if (read_.tokens[i].lower == "unless") JudgeUnless(i);
    }
    if (SpeaksOfDefault(read_.statement.text)) {
      for (const ReadCard& card : cards_) JudgeChoice(card);
    }
    return std::move(findings_);
  }

 private:
  bool IsName(std::size_t i, const ReadCard& card) const {
    const Token& token = read_.tokens[i];
    return token.lower == card.lower &&
           (token.in_code || token.lower.find('_') != std::string::npos);
  }

  // "… unless `X` is turned off": X is on by default.
  void JudgeUnless(std::size_t begin) {
    constexpr std::array<std::string_view, 5> kOn = {"on", "enabled", "true", "enable",
                                                     "activated"};
    constexpr std::array<std::string_view, 6> kOff = {"off",   "cleared", "disabled",
                                                      "false", "disable", "deactivated"};
    Sign changed = Sign::kNone;
    const ReadCard* card = nullptr;
    for (std::size_t i = begin; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      if (token.clause != read_.tokens[begin].clause) break;
      if (token.is_negation) return;
      if (IsPreposition(read_.tokens, i)) continue;
      if (IsOneOf(token.lower, kOn)) changed = Sign::kOn;
      if (IsOneOf(token.lower, kOff)) changed = Sign::kOff;
      for (const ReadCard& other : cards_) {
        if (other.sign == Sign::kNone || !IsName(i, other)) continue;
        if (card != nullptr && card->sign != other.sign) return;
        card = &other;
      }
    }
    if (card != nullptr && changed == card->sign) Report(*card->card, true);
  }

  // Whether the statement mentions a value: as it is, or by all its parts.
  bool Mentions(std::string_view value) const {
    const std::string lower = LowerCase(value);
    std::vector<std::string_view> parts = SplitOn(lower, "_- ");
    // "`a` unless `--mode` selects `b`": what follows is not the default.
    const auto end = std::find_if(read_.tokens.begin(), read_.tokens.end(),
                                  [](const Token& token) { return token.lower == "unless"; });
    const auto last = end == read_.tokens.begin() ? read_.tokens.end() : end;
    const auto has = [&](std::string_view word) {
      return std::any_of(read_.tokens.begin(), last, [&](const Token& token) {
        return token.lower == word || (word.size() >= 3 && token.lower.starts_with(word));
      });
    };
    return has(lower) || (parts.size() > 1 && std::all_of(parts.begin(), parts.end(), has));
  }

  static std::vector<std::string_view> SplitOn(std::string_view text, std::string_view marks) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(marks, at), text.size());
      if (end > at) parts.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return parts;
  }

  // A default that has to be one of several: another of them is mentioned, and
  // the default is not.
  void JudgeChoice(const ReadCard& card) {
    const std::vector<std::string>& choices = card.card->choices;
    const std::string& value = card.card->value;
    if (std::find(choices.begin(), choices.end(), value) == choices.end() || Mentions(value)) {
      return;
    }
    for (const std::string& choice : choices) {
      const bool is_other_default =
          std::any_of(cards_.begin(), cards_.end(),
                      [&](const ReadCard& other) { return other.card->value == choice; });
      constexpr std::size_t kTelling = 3;
      if (choice.size() < kTelling || is_other_default || !Mentions(choice)) continue;
      return Report(*card.card, true);
    }
  }

  void Report(const cards::Card& card, bool is_sure) {
    findings_.push_back({.is_sure = is_sure,
                         .message = fmt::format("in the cited lines, {} is {}", card.name,
                                                card.value.empty() ? "empty" : card.value),
                         .nearest = fmt::format("{} = {}", card.name, card.value)});
  }

  const ReadStatement& read_;
  const std::vector<ReadCard>& cards_;
  std::vector<ValueFinding> findings_;
};

}  // namespace

std::vector<ValueFinding> JudgeDefaultClaims(const ReadStatement& read,
                                             const std::vector<ReadCard>& cards) {
  return DefaultClaims(read, cards).Take();
}

}  // namespace sibyl::support
