// SPDX-License-Identifier: Apache-2.0
// The word lists of all languages as one hash table, built once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "injection/instruction_roles.h"

namespace sibyl::injection {

/// The roles of a word in one language.
struct Meaning {
  Language language = Language::kEnglish;
  Roles roles = 0;
};

class Lexicon {
 public:
  static const Lexicon& Get();

  /// Describes a lower-case word, or a phrase with "_" between its words.
  struct Entry {
    std::string word;
    std::vector<Meaning> meanings;  ///< Empty if it only starts phrases.
    bool continues = false;         ///< Phrases start with it.
  };
  const Entry* Find(std::string_view word, std::uint64_t hash) const;
  /// The longest stem at the start of the word.
  const Entry* FindStem(std::string_view word) const;

  /// In a language without spaces: the longest word at the start of `letters`.
  struct Joined {
    std::u32string word;
    Roles roles = 0;
  };
  const Joined* FindJoined(std::u32string_view letters, Language language,
                           bool is_word_start) const;

  static constexpr std::uint64_t kHashStart = 0xCBF29CE484222325ULL;
  static constexpr std::uint64_t Hash(std::uint64_t hash, char c) {
    return (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  }
  static constexpr std::uint64_t Hash(std::uint64_t hash, std::string_view word) {
    for (const char c : word) hash = Hash(hash, c);
    return hash;
  }

 private:
  Lexicon();
  void Add(Language language, std::span<const WordRow> rows);
  void AddWord(Language language, std::string_view word, Roles roles);
  void AddJoined(Language language, std::span<const WordRow> rows);
  Entry& Slot(std::string_view word);

  static constexpr std::size_t kSlots = 1U << 14U;
  std::vector<Entry> entries_;
  struct Place {
    std::uint16_t entry = 0;  // one more than its index; zero: the slot is free
    std::uint16_t tag = 0;    // of its hash, so that few words are compared
  };
  std::array<Place, kSlots> slots_{};
  std::unordered_map<std::string, std::vector<Entry>> stems_;  // by their first four bytes
  std::array<std::uint64_t, 1024> stem_bits_{};                // which four bytes there are
  std::array<std::unordered_map<char32_t, std::vector<Joined>>, kLanguages> joined_;
};

}  // namespace sibyl::injection
