// SPDX-License-Identifier: Apache-2.0
// Finds where a text says that something belongs to an owner: "`AdamW` takes
// `beta_decay`", "the `foo` argument of `bar()`", a table of fields under the
// heading of a struct, `f(x, key=1)`, `Type v; v.field`.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/owners/owner.h"
#include "statement/atom.h"
#include "statement/statement.h"

namespace sibyl::audit {

struct MemberClaim {
  std::string owner;  ///< As it is written, or as an import resolves it.
  std::string member;
  std::size_t offset = 0;  ///< Of the member, in the statement's text.
  Belonging belonging = Belonging::kAny;
  bool needs_record = false;  ///< The owner must be a type: a variable was declared with it.
  /// Where the form alone does not tell: the owner must have one of these, which are named beside
  /// the member.
  std::vector<std::string> beside = {};
  bool only_if_unseen = false;  ///< No source may have the name anywhere.
};

/// A piece of code in a sentence.
struct CodeSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string name;         ///< The name it starts with; empty if it is not one.
  bool is_whole = false;    ///< It is only the name, perhaps with "()" or "=value" after it.
  bool is_keyword = false;  ///< "name=value"
  bool is_dotted = false;   ///< ".name"
};

/// A variable that is declared once, with its type; the type is empty if there are several.
using VariableTypes = std::map<std::string, std::string, std::less<>>;

/// Of one text; not thread-safe.
class MemberClaims {
 public:
  /// Both must outlive it.
  MemberClaims(const statement::Statements& statements, const statement::OwnNames& own);

  std::vector<MemberClaim> Of(std::size_t number) const;

 private:
  std::vector<MemberClaim> OfVariables(std::size_t number) const;
  std::vector<MemberClaim> OfKeywords(std::size_t number) const;
  /// The one class in the text above whose name ends like the variable.
  std::string ClassNear(std::size_t number, std::string_view variable) const;
  std::vector<MemberClaim> InTable(std::size_t number) const;
  static std::vector<MemberClaim> InRow(const statement::Statement& cell);
  std::vector<MemberClaim> InList(std::size_t number) const;
  /// The single owner that a lead-in or the heading above names; may be empty.
  std::string OwnerAbove(std::size_t number) const;

  const statement::Statements& statements_;
  const statement::OwnNames& own_;
  std::vector<std::size_t> leads_;  // for each statement, the sentence that introduces it
  VariableTypes types_;             // of variables that the text's blocks declare
  std::map<std::string, std::set<std::string>, std::less<>> used_;  // members, by variable
};

/// In a block of code, or in a piece of code in prose: keywords of calls, and
/// members of variables whose type the block declares. Names that the text
/// defines itself are not owners.
std::vector<MemberClaim> ReadCodeClaims(std::string_view code, statement::CodeLanguage language,
                                        const statement::OwnNames& own);

/// Adds the variables of a block.
void AddVariableTypes(std::string_view code, statement::CodeLanguage language,
                      const statement::OwnNames& own, VariableTypes& types);

/// At most 200.
std::vector<CodeSpan> CodeSpansOf(const statement::Statement& statement);

}  // namespace sibyl::audit
