// SPDX-License-Identifier: Apache-2.0
// What a sentence gives to an owner: "`AdamW` takes `beta_decay`", "the `foo`
// argument of `bar()`". The claims of tables, lists and code are read in
// member_claim.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/owners/member_claim.h"

namespace sibyl::audit {

/// `spans` are the pieces of code in the text.
std::vector<MemberClaim> ReadProseClaims(std::string_view text, const std::vector<CodeSpan>& spans);

/// The words of the text between two pieces of code, in lower case.
std::vector<std::string> WordsBetween(std::string_view gap);

/// The pieces on both sides are items of one list.
bool IsListGap(std::string_view gap);

/// What "argument", "field" and the like say about a name.
std::optional<Belonging> RoleOf(std::string_view word);

/// Without a scope.
bool IsPlainName(std::string_view name);

/// A name that a class or a function may have, and not a word of a sentence.
bool MayBeOwner(std::string_view name);

/// "no", "without", "unlike" …
bool Denies(std::string_view word);

}  // namespace sibyl::audit
