// SPDX-License-Identifier: Apache-2.0
// A GPU architecture as CUDA names it: sm_90, sm_90a, sm_100f.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::field {

/// Suffix 'a': code for exactly this compute capability. Suffix 'f': for its family, from this
/// minor version up. None: for this major version, from this minor version up.
struct Architecture {
  std::uint32_t number = 0;  ///< 90, 103: ten times the major plus the minor version.
  char suffix = '\0';        ///< 'a', 'f' or none.

  std::uint32_t major() const { return number / 10; }
  std::uint32_t minor() const { return number % 10; }
  auto operator<=>(const Architecture&) const = default;  // NOLINT: clang-tidy 14 sees a 0
};

/// "sm_90a"; `prefix` for "compute_90a" or "lto_90".
std::string Format(const Architecture& architecture, std::string_view prefix = "sm_");

/// "sm_90a", "compute_90", "lto_80", "90a", "9.0", "9.0a".
std::optional<Architecture> ParseArchitecture(std::string_view text);

}  // namespace sibyl::field
