// SPDX-License-Identifier: Apache-2.0
#include "index/rank/card_words.h"

#include <algorithm>

#include "index/rank/query_terms.h"
#include "index/words/words.h"

namespace sibyl::index {
namespace {

constexpr float kBesideWeight = 0.6F;
constexpr std::size_t kMostBytes = 4000;  // of the lines of a card

TermForms& Forms() {
  static thread_local TermForms forms;  // the stemmer has state
  return forms;
}

}  // namespace

CardWords::CardWords(std::string_view query) {
  TermForms& forms = Forms();
  for (const std::string& word : LowerWords(query)) {
    if (word.size() > kMaxWordBytes || IsStopWord(word)) continue;
    stems_.Add(forms.Stem(word));
  }
}

void CardWords::Mark(std::string_view word, float weight, std::vector<float>& has) const {
  std::string lower;
  AppendLower(word, lower);
  if (lower.empty() || !stems_.MayHave(lower)) return;
  const std::size_t place = stems_.Find(lower, Forms());
  if (place != WantedStems::kNone) has[place] = std::max(has[place], weight);
}

void CardWords::MarkAll(std::string_view text, float weight, std::vector<float>& has) const {
  const std::vector<std::uint32_t> edges = FindWordEdgesPortably(text);
  std::vector<std::string_view> parts;
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    const std::string_view word = text.substr(edges[i], edges[i + 1] - edges[i]);
    if (word.size() > kMaxWordBytes) continue;
    Mark(word, weight, has);
    parts.clear();
    SplitIdentifier(word, parts);
    if (parts.size() < 2) continue;
    for (const std::string_view part : parts) Mark(part, weight, has);
  }
}

float CardWords::Share(std::string_view name, std::string_view lines) const {
  if (empty()) return 0;
  std::vector<float> has(stems_.size(), 0);
  MarkAll(lines.substr(0, kMostBytes), kBesideWeight, has);
  MarkAll(name, 1, has);
  float sum = 0;
  for (const float weight : has) sum += weight;
  return sum / static_cast<float>(has.size());
}

}  // namespace sibyl::index
