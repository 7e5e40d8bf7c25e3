// SPDX-License-Identifier: Apache-2.0
// The lines that a statement of a page cites, as a finding shows them to the
// agent that wrote it.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/evidence.h"
#include "statement/statement.h"

namespace sibyl::expansion {

class CitedLines {
 public:
  /// Both are borrowed.
  CitedLines(std::string_view page, const evidence::Surroundings& around);

  /// The statement at a line and column of the page, as it is written; the whole
  /// line if there is none.
  std::string_view StatementAt(std::size_t line, std::size_t column) const;

  /// The numbered lines that it cites first, or else those that its paragraph
  /// does from there on; empty if none is in a source.
  std::string At(std::size_t line, std::size_t column) const;

 private:
  const statement::Statement* Find(std::size_t line, std::size_t column) const;
  std::string TextOf(std::string_view citation) const;

  const evidence::Surroundings& around_;
  std::string_view page_;
  std::vector<std::string_view> lines_;
  statement::Statements statements_;  // empty if the page exceeds the limits of the parser
  std::map<std::string_view, std::string_view> citations_;  // by label
};

}  // namespace sibyl::expansion
