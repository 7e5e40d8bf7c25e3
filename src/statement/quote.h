// SPDX-License-Identifier: Apache-2.0
// Is this quotation, or this quoted code, in those bytes? Pure text against
// text: who said it, and whether it should be there, is for the caller.
//
// Precision first. A quotation is compared in steps, each of which forgives a
// little more of what copying by hand or rendering changes, and never a word:
//
//   exact    the same bytes
//   folded   other white space, line breaks, typographic marks; comment marks
//            in front of lines; Markdown and reStructuredText around words;
//            an ellipsis for what was left out
//   partly   some lines of the code, or sentences of the prose, are there
//   absent   nothing that would say anything is
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
  /// Lines of the code, or sentences of the prose, that the source has not;
  /// counted from one, over all lines of the quotation.
  std::vector<std::size_t> invented;
  /// Comment lines that the source has not. Whoever explains code adds them,
  /// so they are not inventions; the path in front of a block is not listed.
  std::vector<std::size_t> added_comments;
  /// Lines or sentences that took part. Zero: there was nothing to compare,
  /// and the fit is kExact.
  std::size_t compared = 0;
  /// False: all of it is there, but not in one piece or in another order, and
  /// no ellipsis says so. Then the fit is kPartly.
  bool is_continuous = true;
  /// Where it begins, counted from one. When it is not whole there: the line
  /// that is most like it. Zero: nowhere.
  std::size_t source_line = 0;

  bool Holds() const { return fit == Fit::kExact || fit == Fit::kFolded; }
};

/// A text that is compared with more than one quotation. What the comparisons
/// need of it is made when it is first needed. Not thread-safe; `text` must
/// outlive it.
class QuoteSource {
 public:
  explicit QuoteSource(std::string_view text);
  QuoteSource(QuoteSource&&) noexcept;
  QuoteSource& operator=(QuoteSource&&) noexcept;
  ~QuoteSource();

  /// Prose: whole words, in their order.
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
