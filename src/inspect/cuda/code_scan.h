// SPDX-License-Identifier: Apache-2.0
// Searches bytes for device code that no section announces: fatbins, bare cubins, PTX texts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sibyl::inspect {

enum class Needle : std::uint8_t { kFatbin, kElf, kPtx };

struct ScanHit {
  Needle needle = Needle::kFatbin;
  std::uint64_t offset = 0;
};

/// Finds the next needle at or after `from`, or returns false: 50 ED 55 BA of a fatbin, 7F
/// "ELF", ".version" of PTX. One pass at memory speed; the caller checks what follows the
/// needle.
bool FindNext(std::string_view bytes, std::uint64_t from, ScanHit& hit);

}  // namespace sibyl::inspect
