// SPDX-License-Identifier: Apache-2.0
// Orders the paths of a text that a snapshot contains more than once, the best to display
// first.
#pragma once

#include <string_view>
#include <vector>

#include "index/builder/segment_builder.h"
#include "index/document.h"

namespace sibyl::index {

/// Paths outside third_party and tests come first; otherwise in the order of the source.
/// Returns views into the source's keys.
std::vector<std::string_view> PathsOf(const DocumentSource& source, const WorkItem& item);

}  // namespace sibyl::index
