// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction_lexicon.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"
#include "injection/instruction_fold.h"

namespace sibyl::injection {
namespace {

constexpr std::size_t kStemKey = 4;

template <typename Function>
void ForEachWord(std::string_view words, const Function& function) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) function(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

void AddMeaning(std::vector<Meaning>& meanings, Language language, Roles roles) {
  for (Meaning& meaning : meanings) {
    if (meaning.language == language) {
      meaning.roles |= roles;
      return;
    }
  }
  meanings.push_back({language, roles});
}

std::uint16_t TagOf(std::uint64_t hash) { return static_cast<std::uint16_t>(hash >> 48U); }

std::size_t StemBit(std::string_view key) {
  std::uint32_t bytes = 0;
  std::memcpy(&bytes, key.data(), sizeof bytes);
  return (bytes * 0x9E3779B1U) >> 16U;
}

}  // namespace

const Lexicon& Lexicon::Get() {
  static const Lexicon lexicon;
  return lexicon;
}

Lexicon::Lexicon() {
  Add(Language::kEnglish, EnglishWords());
  Add(Language::kGerman, GermanWords());
  Add(Language::kFrench, FrenchWords());
  Add(Language::kSpanish, SpanishWords());
  Add(Language::kItalian, ItalianWords());
  Add(Language::kPortuguese, PortugueseWords());
  Add(Language::kRussian, RussianWords());
  AddJoined(Language::kChinese, ChineseWords());
  AddJoined(Language::kJapanese, JapaneseWords());
  AddJoined(Language::kKorean, KoreanWords());
  AddJoined(Language::kArabic, ArabicWords());
}

void Lexicon::Add(Language language, std::span<const WordRow> rows) {
  for (const WordRow& row : rows) {
    ForEachWord(row.words, [&](std::string_view word) { AddWord(language, word, row.roles); });
  }
}

void Lexicon::AddWord(Language language, std::string_view word, Roles roles) {
  const bool is_stem = word.ends_with('*');
  if (is_stem) word.remove_suffix(1);
  // Folding would take "_" as a mark between spaced letters.
  std::string folded;
  for (std::size_t at = 0; at <= word.size();) {
    const std::size_t end = std::min(word.find('_', at), word.size());
    if (!folded.empty()) {
      Slot(folded).continues = true;
      folded += '_';
    }
    folded += LowerCase(FoldText(word.substr(at, end - at)).text);
    at = end + 1;
  }
  if (!is_stem || folded.size() < kStemKey || folded.find('_') != std::string::npos) {
    return AddMeaning(Slot(folded).meanings, language, roles);
  }
  const std::string key = folded.substr(0, kStemKey);
  const std::size_t bit = StemBit(key);
  stem_bits_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  std::vector<Entry>& stems = stems_[key];
  const auto known = std::find_if(stems.begin(), stems.end(),
                                  [&](const Entry& entry) { return entry.word == folded; });
  if (known != stems.end()) return AddMeaning(known->meanings, language, roles);
  const auto at = std::find_if(stems.begin(), stems.end(), [&](const Entry& entry) {
    return entry.word.size() < folded.size();
  });
  stems.insert(at, Entry{.word = folded, .meanings = {{language, roles}}});
}

void Lexicon::AddJoined(Language language, std::span<const WordRow> rows) {
  auto& table = joined_[static_cast<std::size_t>(language)];
  for (const WordRow& row : rows) {
    ForEachWord(row.words, [&](std::string_view word) {
      std::u32string letters;
      const std::string folded = LowerCase(FoldText(word).text);
      for (std::size_t at = 0; at < folded.size();) {
        const Utf8Character c = DecodeUtf8(std::string_view(folded).substr(at));
        letters += c.code_point;
        at += c.bytes;
      }
      std::vector<Joined>& same = table[letters.front()];
      const auto known = std::find_if(same.begin(), same.end(),
                                      [&](const Joined& joined) { return joined.word == letters; });
      if (known != same.end()) {
        known->roles |= row.roles;
        return;
      }
      const auto at = std::find_if(same.begin(), same.end(), [&](const Joined& joined) {
        return joined.word.size() < letters.size();
      });
      same.insert(at, Joined{std::move(letters), row.roles});
    });
  }
}

Lexicon::Entry& Lexicon::Slot(std::string_view word) {
  const std::uint64_t hash = Hash(kHashStart, word);
  std::size_t slot = hash % kSlots;
  for (; slots_[slot].entry != 0; slot = (slot + 1) % kSlots) {
    Entry& entry = entries_[slots_[slot].entry - 1U];
    if (entry.word == word) return entry;
  }
  entries_.push_back({.word = std::string(word), .meanings = {}});
  slots_[slot] = {.entry = static_cast<std::uint16_t>(entries_.size()), .tag = TagOf(hash)};
  return entries_.back();
}

const Lexicon::Entry* Lexicon::Find(std::string_view word, std::uint64_t hash) const {
  const std::uint16_t tag = TagOf(hash);
  for (std::size_t slot = hash % kSlots; slots_[slot].entry != 0; slot = (slot + 1) % kSlots) {
    if (slots_[slot].tag != tag) continue;
    const Entry& entry = entries_[slots_[slot].entry - 1U];
    if (entry.word == word) return &entry;
  }
  return nullptr;
}

const Lexicon::Entry* Lexicon::FindStem(std::string_view word) const {
  if (word.size() < kStemKey) return nullptr;
  const std::size_t bit = StemBit(word);
  if ((stem_bits_[bit / 64] >> (bit % 64) & 1U) == 0) return nullptr;
  const auto stems = stems_.find(std::string(word.substr(0, kStemKey)));
  if (stems == stems_.end()) return nullptr;
  for (const Entry& entry : stems->second) {
    if (word.starts_with(entry.word)) return &entry;
  }
  return nullptr;
}

const Lexicon::Joined* Lexicon::FindJoined(std::u32string_view letters, Language language,
                                           bool is_word_start) const {
  const auto& table = joined_[static_cast<std::size_t>(language)];
  const auto same = table.find(letters.front());
  if (same == table.end()) return nullptr;
  // Short words are found inside others, where these languages write blanks.
  const std::size_t least = language == Language::kArabic   ? 4
                            : language == Language::kKorean ? 2
                                                            : 1;
  for (const Joined& joined : same->second) {
    if (joined.word.size() < least && !is_word_start) continue;
    if (letters.starts_with(joined.word)) return &joined;
  }
  return nullptr;
}

}  // namespace sibyl::injection
