// SPDX-License-Identifier: Apache-2.0
// Words that the prose of the lines denies everywhere ("is not thread safe"),
// and that a statement asserts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// The asserted word; nothing if there is none.
std::optional<std::string> AssertsDenied(const ReadStatement& read, const EvidenceText& evidence);

/// "does not cover all combinations", "does not block like the other one": what
/// denies the word at this token of the lines denies it only in part, and the
/// statement does not say "all" either.
bool IsPartial(const ReadStatement& read, const EvidenceText& evidence, std::size_t word);

/// "…, or samples are processed again": what happens otherwise.
bool StartsException(std::string_view lower);

/// In quotation marks: the words of the source, not the writer's.
bool IsQuoted(const ReadStatement& read, std::size_t token);

/// How many words a token is after another one, without articles.
std::size_t WordsFrom(const std::vector<Token>& tokens, std::size_t from, std::size_t to);

/// The "not" of "whether or not": it denies nothing.
bool IsOrNot(const std::vector<Token>& tokens, std::size_t negation);

}  // namespace sibyl::support
