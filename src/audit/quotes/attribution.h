// SPDX-License-Identifier: Apache-2.0
// Code and quotations that a text attributes to a file, and whether that file
// has them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "audit/family.h"
#include "audit/witness.h"
#include "evidence/citation.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

struct Attribution {
  std::string path;
  std::string repository;  ///< Of a link: the name of the repository; else empty.
  LineRange lines;         ///< Whole when the text names none.
  /// The text says that it is shortened, simplified or invented.
  bool is_loose = false;
};

/// The attribution of a code block or quotation: from the words before it ("From
/// cmake/Dependencies.cmake:"), its info string, a link to a repository's page, or a comment
/// with a path on its first line.
std::optional<Attribution> AttributionOf(const statement::Statements& statements,
                                         std::size_t statement);

struct JudgedQuote {
  statement::Judgement judgement;  ///< Without its place.
  std::size_t offset = 0;          ///< In the statement's text.
};

/// One judgement for each line of code or sentence of a quotation that took
/// part; none when the file is in no pinned source.
std::vector<JudgedQuote> JudgeAttributed(const statement::Statement& statement,
                                         const Attribution& from, const Witness& witness,
                                         const Topic& topic);

/// Statements of code inside a sentence that names the one file that has them.
std::vector<JudgedQuote> JudgeInlineCode(const statement::Statement& statement,
                                         const Witness& witness, const Topic& topic);

/// Quotations of several words inside a sentence ("..."): compared with the
/// file that the statement names, otherwise with all sources (unfiled_quote.h).
/// `words_before`: the sentence before, which may say whose words they are.
std::vector<JudgedQuote> JudgeQuotations(const statement::Statement& statement,
                                         std::string_view words_before, const Witness& witness,
                                         const Topic& topic);

/// The sentences of a block quotation that is attributed to a project without a
/// file.
std::vector<JudgedQuote> JudgeUnfiledBlock(const statement::Statement& statement,
                                           std::string_view words_before, const Witness& witness,
                                           const Topic& topic);

/// "/blob/<ref>/<path>#L10-L20" of a link to a page of a repository.
std::optional<Attribution> PathInLink(std::string_view url);

}  // namespace sibyl::audit
