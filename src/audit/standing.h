// SPDX-License-Identifier: Apache-2.0
// Whether a text says itself that what it names is not there: "`x` was removed", "these are gone
// from `S`:" above a table, a column "Old name", "a proposed `y`", a section "Planned". Such names
// are not said to exist.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "statement/statement.h"

namespace sibyl::audit {

/// Of one text; not thread-safe.
class StandingReader {
 public:
  /// `statements` must outlive it.
  explicit StandingReader(const statement::Statements& statements);

  /// Why what stands at the byte of a statement may be absent: a literal; empty if the text says
  /// nothing about it.
  std::string_view WhyAbsent(std::size_t number, std::size_t offset) const;

  /// Why a value there may be another one now: "used to be 4", "2 before 1.3".
  std::string_view WhyPast(std::size_t number, std::size_t offset) const;

 private:
  std::string_view OfHeading(std::size_t number) const;
  std::string_view OfIntroduction(std::size_t number) const;
  std::string_view OfRow(std::size_t number) const;

  const statement::Statements& statements_;
  std::vector<std::size_t> introductions_;  // of each cell and item: a sentence, or all.size()
};

}  // namespace sibyl::audit
