// SPDX-License-Identifier: Apache-2.0
// What differs between two texts of one page, in the words of its headings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::evidence {

/// "~ heading" for a section whose lines changed, "+ heading" and "- heading" for one
/// that came or went; in the order of the new text, what went last; at most `most`.
/// Texts that differ give at least one.
std::vector<std::string> DescribePageChange(std::string_view before, std::string_view after,
                                            std::size_t most = 20);

}  // namespace sibyl::evidence
