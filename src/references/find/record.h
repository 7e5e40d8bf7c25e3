// SPDX-License-Identifier: Apache-2.0
// Documents that record a past state: changelogs, logs, archives, dated reviews. What
// they cite has moved since, as it must, and nobody corrects them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::references {

/// By the path of the document.
bool IsRecord(std::string_view path);

/// The end of the day that a path names ("reviews/2026-02-23-x.md"), in seconds since
/// 1970. Dates inside a document are not used: they are often those of a template, or
/// of the first draft.
std::optional<std::int64_t> DateOfPath(std::string_view path);

/// A commit that the first lines name: "as of commit `1a2b3c4`", "Commit: 1a2b3c4";
/// empty if there is none. The repository may not have it.
std::string NamedCommit(std::string_view text);

}  // namespace sibyl::references
