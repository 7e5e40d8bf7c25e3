// SPDX-License-Identifier: Apache-2.0
// How the words of a point are compared: as a plan has them, and as a heading
// of a page repeats them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::draft {

/// "detection order" of "1.1 `Detection` order": what two spellings of a point
/// have in common.
std::string FoldedPoint(std::string_view text);

/// Of "## Title": 2; zero for other lines.
std::size_t HeadingLevel(std::string_view line);

/// The heading under which a section lists what no source covers, folded; also
/// that of the list on the page.
inline constexpr std::string_view kNotFoundHeading = "not found";

/// Why a point of an agent's page is open.
inline constexpr std::string_view kNoSourceFound = "the writer found no source for it";

}  // namespace sibyl::draft
