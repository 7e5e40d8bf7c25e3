// SPDX-License-Identifier: Apache-2.0
// Any bytes as Markdown: statements point into the text, and their runs are in order
// in their words.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "statement/statement.h"

namespace {

using namespace sibyl::statement;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void RequireInside(const sibyl::MarkdownSpan& span, std::string_view text) {
  Require(span.begin <= span.end && span.end <= text.size());
}

void CheckRuns(const Statement& statement, std::string_view text) {
  std::size_t at = 0;
  for (const TextRun& run : statement.runs) {
    Require(at <= run.begin && run.begin <= run.end && run.end <= statement.text.size());
    Require(run.source_begin <= text.size());
    // The bytes need not be equal: code that goes over a line has a space there.
    Require(!run.is_exact || run.end - run.begin <= text.size() - run.source_begin);
    at = run.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = ReadStatements(text);
  if (!statements.ok()) return 0;
  Require(!statements->headings.empty());
  for (const Statement& statement : statements->all) {
    RequireInside(statement.span, text);
    Require(statement.heading < statements->headings.size());
    for (const StatementLink& link : statement.links) RequireInside(link.span, text);
    CheckRuns(statement, text);
    for (std::size_t at = 0; at <= statement.text.size(); ++at) {
      Require(SourceOffset(statement, at) <= text.size());
      IsCodeAt(statement, at);
    }
  }
  for (std::size_t i = 1; i < statements->headings.size(); ++i) {
    Require(statements->headings[i].parent < i);
  }
  return 0;
}
