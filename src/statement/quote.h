// SPDX-License-Identifier: Apache-2.0
// Compares a quotation or quoted code with a source text.
//
// Precision first. A quotation is compared in steps, each of which tolerates
// more of what copying or rendering changes, but never a changed word:
//
//   exact    the same bytes
//   folded   other white space, line breaks, typographic marks; comment marks
//            in front of lines; Markdown and reStructuredText around words;
//            an ellipsis for omitted text
//   partly   some lines of the code, or sentences of the prose, are there
//   absent   nothing significant matches
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace sibyl::statement {

struct QuoteMatch {
  enum class Fit : std::uint8_t { kExact, kFolded, kPartly, kAbsent };

  Fit fit = Fit::kAbsent;
  /// Lines of the code, or sentences of the prose, that are not in the source;
  /// numbered from one, over all lines of the quotation.
  std::vector<std::size_t> invented;
  /// Comment lines that are not in the source. Explanations of code add them,
  /// so they are not failures; the path at the start of a block is not listed.
  std::vector<std::size_t> added_comments;
  /// Lines or sentences that took part. Zero: there was nothing to compare,
  /// and the fit is kExact.
  std::size_t compared = 0;
  /// False: everything is in the source, but not contiguous or in another
  /// order, without an ellipsis. Then the fit is kPartly.
  bool is_continuous = true;
  /// The line where it starts, from one. If it does not match: the most similar
  /// line. Zero: none.
  std::size_t source_line = 0;

  bool Holds() const { return fit == Fit::kExact || fit == Fit::kFolded; }
};

/// A text that is compared with several quotations. Its folded forms are
/// computed on first use. Not thread-safe; `text` must outlive it.
class QuoteSource {
 public:
  explicit QuoteSource(std::string_view text);
  QuoteSource(QuoteSource&&) noexcept;
  QuoteSource& operator=(QuoteSource&&) noexcept;
  ~QuoteSource();

  /// Prose: whole words, in order.
  QuoteMatch CompareQuote(std::string_view quote) const;

  /// Code: lines. Blank lines, a first line that is a comment with a path, and
  /// lines that are only an ellipsis do not count.
  QuoteMatch CompareCode(std::string_view code) const;

 private:
  struct Forms;
  std::unique_ptr<Forms> forms_;
};

/// The same for one comparison.
QuoteMatch CompareQuote(std::string_view quote, std::string_view source_text);
QuoteMatch CompareCode(std::string_view code, std::string_view source_text);

/// The sentences of a text, as CompareQuote counts them.
std::vector<std::string_view> QuotedSentences(std::string_view quote);

}  // namespace sibyl::statement
