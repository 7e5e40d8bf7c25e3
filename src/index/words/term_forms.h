// SPDX-License-Identifier: Apache-2.0
// The forms under which a word can be found: the word as written, the parts of an identifier,
// and their stems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::index {

/// Longer words are indexed as overlapping pieces of this length, so that any substring of up
/// to kMaxSubstringBytes is within one piece.
inline constexpr std::size_t kMaxWordBytes = 200;
inline constexpr std::size_t kMaxSubstringBytes = 100;

enum class FormKind : std::uint8_t {
  kWhole,  ///< The word in lower case. Exact search depends on it.
  kPart,   ///< A part of an identifier: graph of cudaGraphLaunch.
  kStem,   ///< The stem of the word or of a part, if it differs.
};

/// The weight of one occurrence of each form. Chosen by judgement, not yet tuned: a part weighs
/// less than a whole word, and a stem less than the form as written.
inline constexpr std::uint8_t kWholeEighths = 8;
inline constexpr std::uint8_t kPartEighths = 4;
inline constexpr std::uint8_t kStemEighths = 5;
inline constexpr std::uint8_t kPartStemEighths = 3;

struct TermForm {
  std::string text;
  FormKind kind = FormKind::kWhole;
  std::uint8_t eighths = 8;  ///< The weight of one occurrence, in eighths.
};

/// Shared by the index and the query parser. Not thread-safe: the stemmer has state.
class TermForms {
 public:
  TermForms();
  ~TermForms();
  TermForms(const TermForms&) = delete;
  TermForms& operator=(const TermForms&) = delete;

  /// The forms of one word (word bytes only, at most kMaxWordBytes): the whole word first, no
  /// duplicates. Valid until the next call.
  std::span<const TermForm> Derive(std::string_view word);

  /// The parts of a word, as written, that are forms of it (in lower case, with their stems).
  /// Views into `word`, valid until the next call.
  std::span<const std::string_view> Parts(std::string_view word);

  /// The stem of a lower-case word, or the word itself: only ASCII words are stemmed.
  std::string_view Stem(std::string_view lower);

 private:
  struct Stemmer;
  void AddForm(std::string_view text, FormKind kind, std::uint8_t eighths);

  std::unique_ptr<Stemmer> stemmer_;
  // Reused between words: every distinct word of a source is derived here.
  std::vector<TermForm> forms_;
  std::size_t used_ = 0;
  std::string lower_;
  std::vector<std::string_view> parts_;
};

/// Lower case as in the index: ASCII letters, and the two other characters (Kelvin sign, long
/// s) that case-insensitive regular expressions treat as ASCII letters.
void AppendLower(std::string_view word, std::string& lower);

/// Splits an identifier at underscores, camelCase humps and non-ASCII punctuation. Views into
/// `word`; a single part means that there was nothing to split.
void SplitIdentifier(std::string_view word, std::vector<std::string_view>& parts);

}  // namespace sibyl::index
