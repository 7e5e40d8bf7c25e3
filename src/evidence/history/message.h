// SPDX-License-Identifier: Apache-2.0
// What a commit's message says, without what programs and customs add to it.
#pragma once

#include <string>
#include <string_view>

namespace sibyl::evidence {

/// The first line, as valid UTF-8, at most 300 bytes.
std::string SubjectOf(std::string_view message);

/// The words of a message for search: valid UTF-8, at most 40 lines and 1,200 bytes.
/// Trailers (Signed-off-by, Change-Id, Reviewed-by), the notes of tools that import
/// and merge (git-svn-id, ghstack-source-id, "cherry picked from") and addresses are
/// left out.
std::string WordsOfMessage(std::string_view message);

/// Takes another commit back, and says mostly what that one said.
bool IsRevert(std::string_view message);

/// "dependabot[bot] <…>", "UpdateBot <…>": written by a program.
bool IsRobot(std::string_view author);

}  // namespace sibyl::evidence
