// SPDX-License-Identifier: Apache-2.0
// What the words around a value say of it: whether somebody chose it, whether it depends on
// something, and which classes and folders they name.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "audit/values/value_claims.h"
#include "statement/statement.h"

namespace sibyl::audit {

/// "When X is set, Y is on by default": not the default that the definition has.
bool IsConditional(std::string_view text, std::size_t offset);

/// "use `x` = 3", "we set `x` to 3": not what happens by itself.
bool IsSetting(std::string_view text, std::size_t offset);

/// "for `mode="x"`", "with `mode="x"`": about what somebody chose.
bool IsChosen(std::string_view text, const ValueClaim& claim);

/// "`x` is True", "`x` is `"max"`": whether there may be values without a digit.
bool HasWordValue(std::string_view text);

/// "FusedLAMB clips internally": adds classes that are not in code font, but cannot be words.
void AddPlainClasses(const statement::Statement& statement, std::vector<CodeName>& names);

/// The words of a text that may be folders of a project: "BERT", "ConvNets".
std::set<std::string> FolderWords(std::string_view text);

/// "Its `--lr` is 0.1" goes on about what the sentences before are about: the last of them that
/// names something.
std::string_view SubjectBefore(const statement::Statements& statements, std::size_t number);

}  // namespace sibyl::audit
