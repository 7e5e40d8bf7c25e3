// SPDX-License-Identifier: Apache-2.0
// The pages of an oracle, checked against their receipts: all checks of the
// gate that need no index, over many files at once. Reading, resolving and
// judging are apart, since `refresh` needs only the first two.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "code/code_check.h"
#include "gate/citations.h"
#include "gate/oracle_pages.h"
#include "gate/receipt.h"
#include "gate/resolver.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::gate {

struct PageText {
  std::string path;  ///< From the root of the oracle.
  std::string name;  ///< As findings call it.
  std::string text;
};

/// A parsed page. Not copyable: its parts point into each other.
struct Page {
  PageText source;
  statement::Statements statements;
  Receipts receipts;
  std::optional<Error> problem;  ///< Why it could not be read; then the rest is empty.

  CitedFile cited() const {
    return {.name = source.name,
            .text_view = source.text,
            .statements = statements,
            .receipts = receipts};
  }

  /// A page whose statements need receipts: its name has a number, or it has
  /// at least one receipt.
  bool IsKnowledge() const;

  /// Definitions that are used.
  std::size_t CountCitations() const;
};

using Pages = std::vector<std::unique_ptr<Page>>;

struct PageChecks {
  const CitationResolver& resolver;
  OraclePages& oracle;
  OtherResolver other = {};
  const code::CodeChecker* code = nullptr;  ///< Blocks of code are read only without.
  std::size_t threads = 0;                  ///< Zero: as many as the machine has, at most eight.
};

/// In parallel; in the order of `texts`.
Pages ReadPages(std::vector<PageText> texts, std::size_t threads = 0);

/// Resolves all citations in one batch and finds stale lines again.
void ResolvePages(Pages& pages, const PageChecks& checks);

/// How messages of judgements begin that wait for evidence which is not on this machine.
inline constexpr std::string_view kNotChecked = "not checked: ";

/// Everything that was judged on one page, in the order of its lines.
std::vector<statement::Judgement> JudgePage(const Page& page, const PageChecks& checks);

/// JudgePage for all, in parallel; and searches the sources for what the cited
/// files do not have.
std::vector<std::vector<statement::Judgement>> JudgePages(const Pages& pages,
                                                          const PageChecks& checks);

}  // namespace sibyl::gate
