// SPDX-License-Identifier: Apache-2.0
// The differences between two texts of a page, by heading.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::evidence {

/// "~ heading" for a changed section, "+ heading" and "- heading" for an added
/// or removed one; in the order of the new text, removed ones last; at most
/// `most`. Different texts give at least one.
std::vector<std::string> DescribePageChange(std::string_view before, std::string_view after,
                                            std::size_t most = 20);

}  // namespace sibyl::evidence
