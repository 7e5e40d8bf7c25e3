// SPDX-License-Identifier: Apache-2.0
// Labels, headings and table headers that give a default: what the lines have instead for
// the thing that they are said of.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/strings.h"
#include "gate/claims/claim_scopes.h"
#include "gate/claims/claim_words.h"

namespace sibyl::gate {
namespace {

// "Off by default", "Enabled"
bool SaysDefault(std::string_view label) {
  const std::string lower = LowerCase(label);
  const std::string_view first = std::string_view(lower).substr(0, lower.find(' '));
  return first == "on" || first == "off" || first == "enabled" || first == "disabled";
}

// What the first words of a sentence are about: those before its verb.
std::string WordsBeforeVerb(std::string_view text) {
  constexpr std::size_t kMostWords = 6;
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size() && words <= kMostWords;) {
    std::size_t end = text.find(' ', at);
    if (end == std::string_view::npos) end = text.size();
    const std::string word = LowerCase(text.substr(at, end - at));
    if (words > 0 && (IsAuxiliary(word) || IsVerbForm(word)))
      return std::string(text.substr(0, at - 1));
    ++words;
    at = end + 1;
  }
  return {};
}

// "enabled by default" of "Remote access, enabled out of the box", and where it begins.
struct SaidSwitch {
  std::size_t begin = 0;
  std::string words;
};

std::optional<SaidSwitch> SwitchIn(std::string_view text) {
  constexpr std::array<std::string_view, 4> kStates = {"enabled", "disabled", "on", "off"};
  const std::string lower = LowerCase(text);
  for (const std::string_view mark : {" by default", " out of the box"}) {
    const std::size_t at = lower.find(mark);
    if (at == std::string::npos) continue;
    for (const std::string_view state : kStates) {
      const bool is_word = at > state.size() && lower[at - state.size() - 1] != '-';
      if (!is_word || !std::string_view(lower).substr(0, at).ends_with(state)) continue;
      return SaidSwitch{.begin = at - state.size(), .words = std::string(state) + " by default."};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string ClaimScopes::ContradictedLabel(std::size_t index) {
  const auto& all = file_.statements.all;
  std::string_view label = Trim(all[index].text);
  while (!label.empty() && std::string_view(".: ").find(label.back()) != std::string_view::npos) {
    label.remove_suffix(1);
  }
  const bool is_followed =
      index + 1 < all.size() && IsCited(index + 1) && all[index + 1].group == all[index].group;
  if (!is_followed || !SaysDefault(label)) return {};
  const std::optional<ClaimTexts> texts = TextsOf({index + 1});
  if (!texts || texts->lines.empty()) return {};
  statement::Statement joined;
  joined.text = WordsBeforeVerb(all[index + 1].text);
  if (joined.text.empty()) return {};
  joined.text += " is " + LowerCase(label) + ".";
  support::Grounding grounding =
      grounder_.Judge(joined, support::CitedLines{.text = texts->lines, .context = texts->context});
  if (grounding.verdict != statement::Verdict::kContradicted) return {};
  return std::move(grounding.message);
}

std::string ClaimScopes::ContradictedBy(std::size_t index, const std::string& claim) {
  const std::optional<ClaimTexts> texts = TextsOf({index});
  if (!texts || texts->lines.empty()) return {};
  statement::Statement text;
  text.text = claim;
  support::Grounding grounding =
      grounder_.Judge(text, support::CitedLines{.text = texts->lines, .context = texts->context});
  const bool is_other = grounding.verdict == statement::Verdict::kContradicted &&
                        (grounding.rule == "value" || grounding.rule == "default");
  return is_other ? std::move(grounding.message) : std::string();
}

std::string ClaimScopes::ContradictedDefault(std::size_t index) {
  constexpr std::size_t kMost = 16;
  const auto& all = file_.statements.all;
  const statement::Statement& text = all[index];
  const std::optional<SaidSwitch> said = SwitchIn(text.text);
  if (!said) return {};
  if (text.kind == statement::StatementKind::kColumn) {
    for (std::size_t i = index + 1; i < all.size() && i - index < kMost; ++i) {
      if (all[i].kind == statement::StatementKind::kColumn) continue;
      if (all[i].kind != statement::StatementKind::kCell) break;
      if (all[i].context.size() < 2 || all[i].context[0] != text.text || !IsCited(i)) continue;
      std::string other = ContradictedBy(i, all[i].context[1] + " is " + said->words);
      if (!other.empty()) return other;
    }
    return {};
  }
  std::string_view subject = Trim(std::string_view(text.text).substr(0, said->begin));
  while (!subject.empty() &&
         std::string_view(",:-(").find(subject.back()) != std::string_view::npos)
    subject = Trim(subject.substr(0, subject.size() - 1));
  if (subject.ends_with(" is")) subject.remove_suffix(3);
  if (subject.empty()) return {};
  const std::vector<std::size_t>& cited = cited_[text.heading];
  for (std::size_t i = 0; i < std::min(cited.size(), kMost); ++i) {
    std::string other = ContradictedBy(cited[i], std::string(subject) + " is " + said->words);
    if (!other.empty()) return other;
  }
  return {};
}

}  // namespace sibyl::gate
