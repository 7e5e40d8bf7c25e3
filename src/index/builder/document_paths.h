// SPDX-License-Identifier: Apache-2.0
// The paths of a text that a snapshot holds more than once, in the order in
// which people should see them.
#pragma once

#include <string_view>
#include <vector>

#include "index/builder/segment_builder.h"
#include "index/document.h"

namespace sibyl::index {

/// Not in somebody's third_party and not a test, where there is a choice; then
/// in the order of the source. Views into the source's keys.
std::vector<std::string_view> PathsOf(const DocumentSource& source, const WorkItem& item);

}  // namespace sibyl::index
