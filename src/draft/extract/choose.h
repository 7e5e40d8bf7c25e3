// SPDX-License-Identifier: Apache-2.0
// Chooses what is shown for a point: sentences, code, a table of options, and
// further references. Nothing is shown twice on a page.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "draft/extract/code_excerpt.h"
#include "draft/extract/gather.h"
#include "draft/extract/option_rows.h"

namespace sibyl::draft {

struct ChosenQuote {
  const Excerpt* excerpt = nullptr;
  std::string text;
  std::uint32_t first_line = 0;  ///< In the source's file.
  std::uint32_t last_line = 0;
  double score = 0;
  bool is_single = false;  ///< One sentence: short enough for the summary.
};

struct ChosenCode {
  const Excerpt* excerpt = nullptr;
  CodeExcerpt code;  ///< With lines of the file.
  std::string language;
};

struct ChosenTable {
  const Excerpt* excerpt = nullptr;
  std::vector<OptionRow> rows;  ///< With lines of the file.
  bool is_named = false;        ///< The point names one of them.
};

struct PointChoice {
  std::vector<ChosenQuote> quotes;
  std::optional<ChosenTable> table;
  std::vector<ChosenCode> code;
  std::vector<const Excerpt*> also;
  TermSet shown;  ///< All words of the choice.
  double share = 0;

  bool IsEmpty() const { return quotes.empty() && !table && code.empty(); }
};

/// Tracks what a page has shown so far.
class Chooser {
 public:
  Chooser(TermReader& reader, const std::set<std::string>& left_out)
      : reader_(&reader), left_out_(&left_out) {}

  /// At most about `lines` lines on the page. Nothing, and nothing counts as shown,
  /// if the choice has less than `least_share` of the point's words.
  PointChoice Choose(const GatheredPoint& point, std::size_t lines, double least_share = 0);

 private:
  void ChooseQuotes(const GatheredPoint& point, std::size_t most, PointChoice& choice);
  ChosenTable TableOf(const GatheredPoint& point, const Excerpt& excerpt, std::size_t most);
  void ChooseTable(const GatheredPoint& point, std::size_t lines, PointChoice& choice);
  void ChooseCode(const GatheredPoint& point, std::size_t lines, PointChoice& choice);
  bool SpeaksOf(const PointTerms& terms, const Excerpt& excerpt, const TermSet& words);
  std::vector<ChosenQuote> QuotesOf(const GatheredPoint& point);
  enum class Form : std::uint8_t { kQuote, kCode };
  struct Shown {
    std::string place;  // source and path
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    Form form = Form::kQuote;
  };
  bool IsShown(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last, Form form) const;
  void Show(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last, Form form);

  TermReader* reader_;
  const std::set<std::string>* left_out_;
  std::set<std::string> texts_;
  std::vector<Shown> shown_;
};

/// Identifies a shown block, so that a writer can drop it.
std::string BlockKey(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last);

}  // namespace sibyl::draft
