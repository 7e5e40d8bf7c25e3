// SPDX-License-Identifier: Apache-2.0
#include "interface/site/search_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "base/ascii.h"
#include "base/json.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

constexpr std::size_t kMostTermBytes = 64;  // longer words are hashes and data
constexpr std::size_t kSnippetBytes = 180;
constexpr std::size_t kTitleWeight = 8;
constexpr std::size_t kHeadingWeight = 4;
constexpr std::size_t kMostTextWeight = 5;  // more occurrences than this say no more
constexpr std::size_t kMostShared = 35;

// search.js has the same rule (isWord).
bool IsWordCharacter(char32_t c) {
  if (c < 0x80) return IsNameByte(static_cast<char>(c));
  if (c < 0xC0 || c == 0xD7 || c == 0xF7) return false;
  const bool is_symbol = (c >= 0x2000 && c < 0x2C00) || (c >= 0x3000 && c < 0x3040) ||
                         (c >= 0xFF00 && c < 0xFF10) || c >= 0x1F000;
  return !is_symbol;
}

std::string Folded(std::string_view word) {
  std::string folded = LowerCase(word);
  const std::size_t begin = folded.find_first_not_of('_');
  if (begin == std::string::npos) return {};
  return folded.substr(begin, folded.find_last_not_of('_') + 1 - begin);
}

void AddTerm(std::string_view word, std::vector<std::string>& terms) {
  std::string term = Folded(word);
  if (term.size() < 2 || term.size() > kMostTermBytes) return;
  terms.push_back(std::move(term));
}

// "cuda", "Memcpy", "Async"; "CMAKE", "CUDA"; "HTML", "Page".
std::vector<std::string_view> PartsOf(std::string_view word) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= word.size(); ++i) {
    const bool ends =
        i == word.size() || word[i] == '_' || word[i - 1] == '_' ||
        (IsUpper(word[i]) && !IsUpper(word[i - 1])) ||
        (IsUpper(word[i - 1]) && IsUpper(word[i]) && i + 1 < word.size() && IsLower(word[i + 1]));
    if (!ends) continue;
    if (word[begin] != '_') parts.push_back(word.substr(begin, i - begin));
    begin = i;
  }
  return parts;
}

void AddWord(std::string_view word, std::vector<std::string>& terms) {
  if (word.empty()) return;
  AddTerm(word, terms);
  const std::vector<std::string_view> parts = PartsOf(word);
  if (parts.size() < 2) return;
  for (const std::string_view part : parts) AddTerm(part, terms);
}

std::u16string Utf16(std::string_view text) {
  std::u16string units;
  while (!text.empty()) {
    const Utf8Character next = DecodeUtf8(text);
    text.remove_prefix(next.bytes);
    const char32_t c = next.is_valid ? next.code_point : U'\uFFFD';
    if (c < 0x10000) {
      units += static_cast<char16_t>(c);
    } else {
      units += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      units += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    }
  }
  return units;
}

std::string Base36(std::size_t number) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[number % kDigits.size()]);
    number /= kDigits.size();
  } while (number != 0);
  return text;
}

// One line, cut between words.
std::string Snippet(std::string_view text) {
  std::string snippet;
  bool was_blank = true;
  for (const char c : text.substr(0, 4 * kSnippetBytes)) {
    const bool is_blank = IsBlank(c);
    if (!is_blank || !was_blank) snippet += is_blank ? ' ' : c;
    was_blank = is_blank;
  }
  if (snippet.size() > kSnippetBytes) {
    const std::size_t cut = snippet.rfind(' ', kSnippetBytes);
    snippet.resize(cut == std::string::npos || cut < kSnippetBytes / 2 ? kSnippetBytes : cut);
    // Not within a character.
    while (FindInvalidUtf8(snippet).value_or(0) > 0 && !snippet.empty()) snippet.pop_back();
    snippet += "…";
  }
  return ReplaceInvalidUtf8(Trim(snippet));
}

// The weight of each section, in the order of its number.
using Postings = std::map<std::u16string, std::vector<std::pair<std::size_t, std::size_t>>>;

void AddWeights(std::string_view text, std::size_t weight, std::size_t most,
                std::map<std::string, std::size_t>& weights) {
  std::map<std::string, std::size_t> own;
  for (std::string& term : SearchTerms(text)) {
    std::size_t& sum = own[std::move(term)];
    sum = std::min(sum + weight, most);
  }
  for (const auto& [term, sum] : own) weights[term] += sum;
}

std::string FormatTerms(const Postings& postings) {
  std::string text;
  std::u16string_view before;
  for (const auto& [term, sections] : postings) {
    std::size_t shared = 0;
    while (shared < std::min({before.size(), term.size(), kMostShared}) &&
           before[shared] == term[shared]) {
      ++shared;
    }
    // A surrogate pair stays together: the script is UTF-8.
    if (shared > 0 && term[shared - 1] >= 0xD800 && term[shared - 1] < 0xDC00) --shared;
    if (!text.empty()) text += ' ';
    text += Base36(shared);
    for (std::size_t i = shared; i < term.size(); ++i) {
      char32_t c = term[i];
      if (c >= 0xD800 && c < 0xDC00 && i + 1 < term.size()) {
        c = 0x10000 + ((c - 0xD800) << 10) + (term[++i] - 0xDC00U);
      }
      AppendUtf8(c, text);
    }
    before = term;
  }
  return text;
}

std::string FormatPostings(const Postings& postings) {
  std::string text;
  bool is_first = true;
  for (const auto& [term, sections] : postings) {
    if (!is_first) text += ';';
    is_first = false;
    std::size_t before = 0;
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (i > 0) text += ',';
      text += Base36(sections[i].first - before);
      before = sections[i].first;
      if (sections[i].second != 1) text += ':' + Base36(sections[i].second);
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> SearchTerms(std::string_view text) {
  std::vector<std::string> terms;
  std::size_t begin = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const Utf8Character next = DecodeUtf8(text.substr(at));
    const std::size_t bytes = std::max<std::size_t>(next.bytes, 1);
    if (!next.is_valid || !IsWordCharacter(next.code_point)) {
      AddWord(text.substr(begin, at - begin), terms);
      begin = at + bytes;
    }
    at += bytes;
  }
  AddWord(text.substr(std::min(begin, text.size())), terms);
  return terms;
}

std::string SearchIndexScript(const std::vector<IndexedPage>& pages) {
  Json listed = Json::array();
  Json sections = Json::array();
  Postings postings;
  for (std::size_t page = 0; page < pages.size(); ++page) {
    listed.push_back({pages[page].href, ReplaceInvalidUtf8(pages[page].title),
                      ReplaceInvalidUtf8(pages[page].topic)});
    if (!pages[page].is_cited) listed.back().push_back(1);
    bool is_first = true;
    for (const PageSection& section : pages[page].sections) {
      const std::size_t number = sections.size();
      std::map<std::string, std::size_t> weights;
      AddWeights(section.text, 1, kMostTextWeight, weights);
      if (is_first) {
        AddWeights(pages[page].title, kTitleWeight, kTitleWeight, weights);
      } else {
        AddWeights(section.heading, kHeadingWeight, kHeadingWeight, weights);
      }
      is_first = false;
      for (const auto& [term, weight] : weights) {
        postings[Utf16(term)].emplace_back(number, weight);
      }
      sections.push_back({page, ReplaceInvalidUtf8(section.anchor),
                          ReplaceInvalidUtf8(section.heading), Snippet(section.text)});
    }
  }
  const Json index = {{"version", 2},
                      {"pages", std::move(listed)},
                      {"sections", std::move(sections)},
                      {"terms", FormatTerms(postings)},
                      {"postings", FormatPostings(postings)}};
  return "sibylIndex(" + FormatJson(index, JsonLayout::kCompact) + ");\n";
}

}  // namespace sibyl::interface
