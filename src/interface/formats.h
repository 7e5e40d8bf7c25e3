// SPDX-License-Identifier: Apache-2.0
// The formats that this program writes, with their versions, for `sibyl version --json`: how
// another program decides whether it can work with this one. tests/formats compares every row
// with the constant in the code that writes the format, and with the fixtures of its versions.
#pragma once

#include <span>
#include <string_view>

namespace sibyl::interface {

struct FormatVersion {
  std::string_view name;  ///< As in tests/formats and docs/formats/README.md: "index-segment".
  int version = 1;        ///< Written by this program.
  int reads = 1;          ///< The oldest that this program still reads.
};

/// Sorted by name.
std::span<const FormatVersion> FormatVersions();

struct Standard {
  std::string_view name;
  std::string_view version;
};

/// Formats and protocols of others that it writes or speaks, without MCP.
std::span<const Standard> Standards();

}  // namespace sibyl::interface
