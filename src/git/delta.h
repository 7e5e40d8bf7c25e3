// SPDX-License-Identifier: Apache-2.0
// Git's delta language: copy a span of the base, or insert new bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sibyl::git {

struct DeltaSizes {
  std::uint64_t base = 0;
  std::uint64_t result = 0;
};

/// The two lengths a delta starts with; moves `delta` past them. Nothing when
/// they are cut off or do not fit.
std::optional<DeltaSizes> ReadDeltaSizes(std::string_view& delta);

/// Runs the instructions (what ReadDeltaSizes left) over `base`, filling
/// exactly `result_size` bytes at `out`. False for any instruction that leaves
/// the base or the room, and for a result of another length.
bool ApplyDelta(std::string_view instructions, std::string_view base, char* out,
                std::uint64_t result_size);

}  // namespace sibyl::git
