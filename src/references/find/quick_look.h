// SPDX-License-Identifier: Apache-2.0
// What the bytes of a document tell before it is parsed.
#pragma once

#include <string>
#include <string_view>

namespace sibyl::references {

/// False if there can be no citation.
bool MayHaveReferences(std::string_view document);

/// The commit that a front matter names: `commit: 1a2b3c4`; empty if there is none.
std::string PinnedCommit(std::string_view document);

}  // namespace sibyl::references
