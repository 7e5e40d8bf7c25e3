// SPDX-License-Identifier: Apache-2.0
// The forms under which one word of a text can be found: the word as it
// stands, the parts of an identifier, and their stems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::index {

/// A longer word is indexed as overlapping pieces of this length, so that any
/// substring of up to kMaxSubstringBytes lies within one of them.
inline constexpr std::size_t kMaxWordBytes = 200;
inline constexpr std::size_t kMaxSubstringBytes = 100;

enum class FormKind : std::uint8_t {
  kWhole,  ///< The word in lower case. Exact search relies on it.
  kPart,   ///< A part of an identifier: graph of cudaGraphLaunch.
  kStem,   ///< The stem of the word or of a part, where it differs.
};

/// What one occurrence of a form counts for. Chosen by judgement, not yet
/// tuned: a part says less than a word of its own, and a stem less than the
/// form that was written.
inline constexpr std::uint8_t kWholeEighths = 8;
inline constexpr std::uint8_t kPartEighths = 4;
inline constexpr std::uint8_t kStemEighths = 5;
inline constexpr std::uint8_t kPartStemEighths = 3;

struct TermForm {
  std::string text;
  FormKind kind = FormKind::kWhole;
  std::uint8_t eighths = 8;  ///< What one occurrence counts for, in eighths.
};

/// What the index and the query parser agree on. Not safe to share between
/// threads: the stemmer has a state.
class TermForms {
 public:
  TermForms();
  ~TermForms();
  TermForms(const TermForms&) = delete;
  TermForms& operator=(const TermForms&) = delete;

  /// The forms of one word (a run of word bytes, at most kMaxWordBytes), the
  /// whole first, none twice. Valid until the next call.
  std::span<const TermForm> Derive(std::string_view word);

  /// The parts of a word, as they are written, that are forms of it (in lower
  /// case, with their stems). Views into `word`, valid until the next call.
  std::span<const std::string_view> Parts(std::string_view word);

  /// The stem of a word in lower case, or the word itself if it has none:
  /// only words of ASCII letters are stemmed.
  std::string_view Stem(std::string_view lower);

 private:
  struct Stemmer;
  void AddForm(std::string_view text, FormKind kind, std::uint8_t eighths);

  std::unique_ptr<Stemmer> stemmer_;
  // Kept from word to word: every distinct word of a source comes by here.
  std::vector<TermForm> forms_;
  std::size_t used_ = 0;
  std::string lower_;
  std::vector<std::string_view> parts_;
};

/// Lower case as the index has it: ASCII letters, and the two other characters
/// (Kelvin sign, long s) that regular expressions take for ASCII letters when
/// case is ignored.
void AppendLower(std::string_view word, std::string& lower);

/// Cuts an identifier at underscores, at camelCase humps and at punctuation
/// that is not ASCII. Views into `word`; a single part means that there was
/// nothing to cut.
void SplitIdentifier(std::string_view word, std::vector<std::string_view>& parts);

}  // namespace sibyl::index
