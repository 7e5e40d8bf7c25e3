// SPDX-License-Identifier: Apache-2.0
// The footnotes of a page: one for each place that is cited, numbered in the
// order in which the page first cites them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "draft/draft.h"
#include "draft/extract/gather.h"
#include "evidence/cited_words.h"
#include "evidence/footnote.h"

namespace sibyl::draft {

class Receipts {
 public:
  /// "p3" of "[^p3-7]".
  explicit Receipts(std::string prefix, evidence::WordsFinder find_words = {})
      : prefix_(std::move(prefix)), find_words_(std::move(find_words)) {}

  /// "[^p3-7]". Words that are not in the lines are left out.
  std::string Mark(const Excerpt& excerpt, std::size_t first, std::size_t last,
                   std::string_view words = {});

  /// Of what the oracle has measured or inspected.
  std::string Mark(const evidence::Citation& citation, std::string_view label);

  std::size_t size() const { return footnotes_.size(); }

  /// The lines below "## Sources".
  std::vector<std::string> Definitions() const;

  /// By name.
  std::vector<UsedSource> Sources() const;

 private:
  std::string MarkOf(evidence::Footnote note);

  std::string prefix_;
  evidence::WordsFinder find_words_;
  std::map<std::string, std::size_t> numbers_;  // by citation
  std::vector<evidence::Footnote> footnotes_;
  std::vector<const evidence::Pin*> pins_;  // of the footnotes that cite sources
};

}  // namespace sibyl::draft
