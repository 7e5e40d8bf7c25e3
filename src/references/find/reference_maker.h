// SPDX-License-Identifier: Apache-2.0
// Puts a citation together, with its places in the bytes of the document. Part of
// find.cc.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "references/find/line_numbers.h"
#include "references/find/unit.h"
#include "references/reference.h"
#include "statement/statement.h"

namespace sibyl::references {

/// Borrows the document and its statements.
class ReferenceMaker {
 public:
  /// `base` is the folder that the document says its paths start at; may be empty.
  ReferenceMaker(std::string_view document, const statement::Statements& statements,
                 std::string base)
      : document_view_(document), statements_(statements), base_(std::move(base)) {}

  /// One range of the hit with this index in the unit.
  Reference Make(const Unit& unit, std::size_t index, const ReadRange& range,
                 const Claim& claim) const;

  /// The numbers of a range in the URL of the hit's link.
  void AddUrlNumbers(const Hit& hit, const ReadRange& range, Reference& reference) const;

 private:
  /// Markdown takes __init__.py for emphasis.
  void RestoreUnderscores(Reference& reference) const;
  /// Places inside of code that goes over the end of a line are not exact: the path
  /// stands for the citation, and nothing is corrected.
  void PointAtPath(const Unit& unit, Reference& reference) const;
  std::size_t UrlOffset(const statement::StatementLink& link) const;
  void AddNumber(std::size_t at, std::string_view digits, bool is_last, Reference& reference) const;
  std::size_t LineAt(std::size_t offset) const;

  std::string_view document_view_;
  const statement::Statements& statements_;
  std::string base_;
};

}  // namespace sibyl::references
