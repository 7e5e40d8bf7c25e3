// SPDX-License-Identifier: Apache-2.0
// Statements of a knowledge file that lack a citation (cite/missing). Headings,
// labels and the like need none, if they claim nothing (unmarked.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gate/citations.h"
#include "statement/verdict.h"

namespace sibyl::gate {

/// Why a statement needs no citation.
enum class Exemption : std::uint8_t {
  kNone,          ///< It needs one.
  kHeading,       ///< Names what follows; also the header of a table.
  kStamp,         ///< Lines of the program: below the title, below a contradicted point.
  kNavigation,    ///< "See also", a list of links, a table of contents.
  kOpenPoint,     ///< Below "Not found": says what is not known.
  kSources,       ///< Below "Sources".
  kIntroduction,  ///< Ends with a colon: what follows has the receipt.
  kLabel,         ///< Two or three words that are not a sentence, or a question.
  kCoverage,      ///< A row of the table of planned points.
};

/// "none", "heading", "stamp", …
std::string_view ExemptionName(Exemption exemption);

Exemption ExemptionOf(const statement::Statements& statements, std::size_t index);

/// One judgement for each statement, or row of a table, that has no receipt and is
/// not carried by one next to it (cite/missing); and for each text without a claim
/// that makes one (text/claim, unmarked.h).
std::vector<statement::Judgement> FindUncited(const CitedFile& file);

/// How many statements need a receipt, and how many have one.
struct CitationCover {
  std::size_t needed = 0;
  std::size_t cited = 0;
};
CitationCover CountCited(const CitedFile& file);

}  // namespace sibyl::gate
