// SPDX-License-Identifier: Apache-2.0
#include "index/vectors/word_bag.h"

#include <algorithm>
#include <span>
#include <utility>

#include "index/rank/query_terms.h"

namespace sibyl::index {
namespace {

constexpr float kCountSaturation = 1.2F;
constexpr std::uint32_t kWordBits = 0xFFFFFF;
constexpr std::size_t kShortestWord = 2;
// Longer ones are data.
constexpr std::size_t kLongestWord = 60;
constexpr std::size_t kLongestIdentifier = 40;
constexpr std::size_t kLongestNumber = 4;

bool IsData(std::string_view word) {
  const bool is_number = word[0] >= '0' && word[0] <= '9';
  return word.size() > kLongestWord || (is_number && word.size() > kLongestNumber);
}

}  // namespace

WordBag BagOf(std::vector<std::uint32_t> words) {
  std::sort(words.begin(), words.end());
  WordBag bag;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i;
    while (end < words.size() && words[end] == words[i]) ++end;
    const auto times = static_cast<float>(end - i);
    const float count = (1 + kCountSaturation) * times / (times + kCountSaturation);
    bag.push_back(
        {.word = words[i] & kWordBits, .hundredths = static_cast<std::uint8_t>(count * 100)});
    i = end;
  }
  return bag;
}

const std::vector<std::uint32_t>& BagWords::NumbersOf(std::string_view written) {
  if (const auto known = known_.find(written); known != known_.end()) return known->second;
  std::vector<std::string> texts;
  const std::span<const TermForm> forms = forms_.Derive(written);
  if (!IsStopWord(forms[0].text)) {
    for (const TermForm& form : forms) {
      if (form.kind == FormKind::kPart) texts.push_back(form.text);
    }
    const bool is_plain = texts.empty();
    const std::string whole = forms[0].text;
    if (is_plain) texts.push_back(whole);
    std::erase_if(texts, [](const std::string& text) { return IsStopWord(text); });
    for (std::string& text : texts) text = std::string(forms_.Stem(text));
    if (!is_plain && whole.size() < kLongestIdentifier) texts.push_back(whole);
  }
  std::vector<std::uint32_t> numbers;
  for (const std::string& text : texts) {
    const std::uint32_t number = text.size() < kShortestWord ? kNone : number_(text);
    if (number != kNone) numbers.push_back(number);
  }
  return known_.emplace(written, std::move(numbers)).first->second;
}

void BagWords::Append(std::string_view text, std::vector<std::uint32_t>& words) {
  const std::span<const std::uint32_t> edges = scanner_.Scan(text);
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    const std::string_view word = text.substr(edges[i], edges[i + 1] - edges[i]);
    if (IsData(word)) continue;
    const std::vector<std::uint32_t>& numbers = NumbersOf(word);
    words.insert(words.end(), numbers.begin(), numbers.end());
  }
}

}  // namespace sibyl::index
