// SPDX-License-Identifier: Apache-2.0
// For tests: an oracle with one pinned repository, and knowledge files that
// cite it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "evidence/evidence.h"
#include "evidence/footnote.h"
#include "evidence/test_oracle.h"
#include "gate/citations.h"
#include "gate/receipt.h"
#include "gate/resolver.h"
#include "git/test_git.h"
#include "statement/statement.h"

namespace sibyl::gate {

class TestBook {
 public:
  TestBook() : git_(oracle_.folder() / "gadget") {
    git_.Write("cmake/Profiler.cmake",
               "# Looks for the profiler below the toolkit\n"
               "# before it asks the system.\n"
               "find_library(PROF_LIBRARY NAMES prof\n"
               "  PATHS ${TOOLKIT_ROOT}\n"
               "  NO_DEFAULT_PATH)\n"
               "if(PROF_LIBRARY)\n"
               "  set(USE_PROF ON)\n"
               "endif()\n");
    git_.Write("README.md", "# Gadget\n\nThe profiler is optional.\n");
    git_.Commit();
    auto added = evidence::AddSource({.name = "gadget",
                                      .kind = evidence::SourceKind::kGit,
                                      .origin = git_.folder().string(),
                                      .ref = "main"},
                                     oracle_.around());
    EXPECT_TRUE(added.ok()) << (added.ok() ? "" : added.error().message);
  }

  const git::TestGit& git() const { return git_; }
  const evidence::TestOracle& oracle() const { return oracle_; }
  evidence::Surroundings around() const { return oracle_.around(); }

  /// "[^1]: … <!-- … -->" for "cmake/Profiler.cmake:3-5".
  std::string Define(std::string_view id, std::string_view target) const {
    const auto cited = evidence::MakeCitation(target, around());
    EXPECT_TRUE(cited.ok()) << (cited.ok() ? "" : cited.error().message);
    if (!cited.ok()) return {};
    return evidence::FormatFootnote(
               {.id = std::string(id), .label = "gadget", .citation = cited->citation}) +
           "\n";
  }

  CitationResolver Resolver() const {
    return CitationResolver::Open(*evidence::ReadLock(around()), around());
  }

 private:
  evidence::TestOracle oracle_;
  git::TestGit git_;
};

/// A text read and resolved.
class TestFile {
 public:
  TestFile(const TestBook& book, std::string text)
      : text_(std::move(text)),
        resolver_(book.Resolver()),
        statements_(*statement::ReadStatements(text_)),
        receipts_(ReadReceipts(statements_)) {
    ResolveReceipts({&receipts_}, resolver_);
    RefindStale({&receipts_}, resolver_);
  }

  CitedFile cited() const {
    return {.name = "a.md", .text_view = text_, .statements = statements_, .receipts = receipts_};
  }
  const Receipts& receipts() const { return receipts_; }

 private:
  std::string text_;
  CitationResolver resolver_;
  statement::Statements statements_;
  Receipts receipts_;
};

/// "3 cite/missing absent": line, code and verdict of what fails.
inline std::vector<std::string> Failures(const std::vector<statement::Judgement>& judgements) {
  std::vector<std::string> failures;
  for (const statement::Judgement& judgement : judgements) {
    if (!judgement.Fails()) continue;
    failures.push_back(std::to_string(judgement.place.line) + " " + judgement.code + " " +
                       std::string(statement::VerdictName(judgement.verdict)));
  }
  return failures;
}

}  // namespace sibyl::gate
