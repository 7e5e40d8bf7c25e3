// SPDX-License-Identifier: Apache-2.0
// Whether a document speaks about its repository as it is now. Histories, plans,
// examples and the documents of others name what the repository does not have,
// and are right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "statement/statement.h"

namespace sibyl::engine {

/// Why a whole document is not about the repository's own files: test data,
/// templates, copies of other projects. Empty if it is.
std::string_view ForeignDocument(std::string_view path);

/// Why a whole document is not about the present: a changelog, a plan, a report of
/// a day. Empty if it is.
std::string_view DatedDocument(std::string_view path);

/// Answers for the lines of one document.
class OwnContext {
 public:
  /// `path` is from the root of the repository; `statements` must outlive it.
  OwnContext(std::string_view path, const statement::Statements& statements);

  /// Why what stands in a line (from one) may be missing; empty if it may not.
  std::string_view Excuse(std::size_t line) const;

  /// Whether the line is in a block of code.
  bool IsCode(std::size_t line) const { return line < is_code_.size() && is_code_[line]; }

 private:
  std::string_view document_;
  std::vector<std::string_view> headings_;  // of each heading, with those above
  std::vector<std::string_view> lines_;     // by line, from one
  std::vector<bool> is_code_;               // by line, from one
};

/// "path/to/x", "my_name", "foo", "<name>": stands for something else.
bool IsPlaceholder(std::string_view text);

}  // namespace sibyl::engine
