// SPDX-License-Identifier: Apache-2.0
// The outline of a whole file: headings of a document, definitions of code,
// stages of a Dockerfile, each with all its lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::passages {

/// Lines are numbered from one; both ends belong to it.
struct OutlineEntry {
  std::uint32_t first_line = 1;
  std::uint32_t last_line = 1;
  std::size_t depth = 0;  ///< How many entries are around it.
  std::string label;      ///< "at::native::add", "Build options"

  bool operator==(const OutlineEntry&) const = default;
};

inline constexpr std::size_t kMaxOutlineEntries = 5'000;

/// In the order of the text. A section of a document ends before the next
/// heading of the same or a higher level. Empty for languages without a scanner.
std::vector<OutlineEntry> FileOutline(std::string_view language, std::string_view text);

/// The entries with this name: the whole label ("at::native::add"), else its last
/// part ("add"), else the same without regard to case.
std::vector<OutlineEntry> FindInOutline(const std::vector<OutlineEntry>& outline,
                                        std::string_view name);

}  // namespace sibyl::passages
