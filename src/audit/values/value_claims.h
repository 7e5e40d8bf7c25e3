// SPDX-License-Identifier: Apache-2.0
// Values that a sentence or a table gives to a name in code font: "`x` defaults to 25", "`x` is
// True by default", "`--a` defaults to 1, `--b` to 2", "`kName` = 2", a cell below "Default".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "statement/statement.h"

namespace sibyl::audit {

struct ValueClaim {
  std::string name;         ///< "bucket_cap_mb", "--max-restarts"
  std::string value;        ///< As it is written, with its unit.
  std::size_t offset = 0;   ///< Of the value in the statement's text.
  bool is_default = false;  ///< Otherwise the value of a constant.
  /// The form says little: it counts only if the definition of an owner that the text names has the
  /// name as a parameter.
  bool is_loose = false;
  /// Known by its own name, but the sentence may be about a value that somebody chose.
  bool is_free = false;
  std::string owner = {};          ///< Which the form names: the first cell of the row.
  std::string_view sentence = {};  ///< Set by the judge.
  /// What a sentence that begins with "its" goes on about; set by the judge.
  std::string_view sentence_before = {};
};

/// At most 100.
std::vector<ValueClaim> ReadValueClaims(const statement::Statement& statement);

/// "by default it is set to 1", "default fork": the default of what the text before names.
std::optional<ValueClaim> ReadDefaultOf(const statement::Statement& statement, std::string name);

struct CodeName {
  std::string text;
  std::size_t offset = 0;
};

/// The names and paths in code font of a statement, in order.
std::vector<CodeName> CodeNames(const statement::Statement& statement);

}  // namespace sibyl::audit
