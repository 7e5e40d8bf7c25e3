// SPDX-License-Identifier: Apache-2.0
// What kind of artifact a file is, by its first bytes; for texts, which have no
// magic number, by their words.
#pragma once

#include <string_view>

#include "inspect/artifact.h"

namespace sibyl::inspect {

/// `beginning` is the first kilobytes of the file, or all of it. `name` is
/// looked at only to choose among texts.
ArtifactKind Detect(std::string_view beginning, std::string_view name);

inline constexpr std::size_t kDetectBytes = 8192;

}  // namespace sibyl::inspect
