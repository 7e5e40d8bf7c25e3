// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/passage_keys.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/hash.h"
#include "evidence/citation.h"
#include "evidence/cited_words.h"

namespace sibyl::draft {
namespace {

// 'k' and letters that are not hexadecimal digits, so that a key cannot be
// mistaken for a number or version, and models copy it as a whole.
constexpr std::string_view kLetters = "bcdfghjklmnpqrst";
constexpr std::size_t kKeyBytes = 9;

// A number that is too large is larger than any line.
bool ReadNumber(std::string_view text, std::uint32_t& number) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc::result_out_of_range) number = UINT32_MAX;
  return !text.empty() && stopped == end;
}

}  // namespace

std::string PassageKeys::Issue(const Excerpt& excerpt) {
  const std::string citation =
      evidence::FormatCitation(excerpt.Cite(excerpt.first_line, excerpt.last_line));
  const std::string digest = Sha256(purpose_ + '\n' + citation);
  std::string key = "k";
  for (std::size_t i = 0; key.size() < kKeyBytes; ++i) {
    key += kLetters[static_cast<std::size_t>(HexValue(digest[i]))];
  }
  issued_.try_emplace(key, &excerpt);
  return key;
}

bool PassageKeys::LooksLikeKey(std::string_view text) {
  const std::string_view mark = evidence::SplitWords(text).target;
  const std::string_view key = mark.substr(0, mark.find(':'));
  if (key.size() != kKeyBytes || key[0] != 'k') return false;
  if (!std::all_of(key.begin() + 1, key.end(),
                   [](char c) { return kLetters.find(c) != std::string_view::npos; })) {
    return false;
  }
  return std::all_of(mark.begin() + kKeyBytes, mark.end(),
                     [](char c) { return c == ':' || c == '-' || (c >= '0' && c <= '9'); });
}

std::optional<CitedLines> PassageKeys::Find(std::string_view text) const {
  const auto [mark, words] = evidence::SplitWords(text);
  const std::size_t colon = mark.find(':');
  const auto found = issued_.find(mark.substr(0, colon));
  if (found == issued_.end()) return std::nullopt;
  const Excerpt& excerpt = *found->second;
  CitedLines all{.excerpt = &excerpt,
                 .first_line = excerpt.first_line,
                 .last_line = excerpt.last_line,
                 .words = std::string(words)};
  if (colon == std::string_view::npos) return all;
  const std::string_view lines = mark.substr(colon + 1);
  const std::size_t dash = lines.find('-');
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  if (!ReadNumber(lines.substr(0, dash), first)) return all;
  last = first;
  if (dash != std::string_view::npos && !ReadNumber(lines.substr(dash + 1), last)) return all;
  first = std::max(first, excerpt.first_line);
  last = std::min(last, excerpt.last_line);
  if (first > last) return all;
  return CitedLines{
      .excerpt = &excerpt, .first_line = first, .last_line = last, .words = std::string(words)};
}

}  // namespace sibyl::draft
