// SPDX-License-Identifier: Apache-2.0
// Code and quotations that a text says come from a named file, and whether
// that file has them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evidence/citation.h"
#include "verify/family.h"
#include "verify/statement.h"
#include "verify/verdict.h"
#include "verify/witness.h"

namespace sibyl::verify {

struct Attribution {
  std::string path;
  std::string repository;     ///< Of a link: the name of the repository; else empty.
  evidence::LineRange lines;  ///< Whole when the text names none.
  /// The text says itself that it is shortened, simplified or made up.
  bool is_loose = false;
};

/// Of a code block or quotation: from the words before it ("From
/// cmake/Dependencies.cmake:"), its info string, a link to a repository's page,
/// or a comment with a path on its first line.
std::optional<Attribution> AttributionOf(const Statements& statements, std::size_t statement);

struct JudgedQuote {
  Judgement judgement;     ///< Without its place.
  std::size_t offset = 0;  ///< In the statement's text.
};

/// One judgement for each line of code or sentence of a quotation that took
/// part; none when the file is in no pinned source.
std::vector<JudgedQuote> JudgeAttributed(const Statement& statement, const Attribution& from,
                                         const Witness& witness, const Topic& topic);

/// Quotations inside a sentence ("..."), of several words: against the file
/// that the statement names, or else against all sources, where not finding one
/// decides nothing.
std::vector<JudgedQuote> JudgeQuotations(const Statement& statement, const Witness& witness,
                                         const Topic& topic);

/// "/blob/<ref>/<path>#L10-L20" of a link to a page of a repository.
std::optional<Attribution> PathInLink(std::string_view url);

}  // namespace sibyl::verify
