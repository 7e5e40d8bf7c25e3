// SPDX-License-Identifier: Apache-2.0
// Looks through bytes for device code that no section announces: fatbins,
// naked cubins, PTX texts.
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

/// The next place at or behind `from` where one of the needles begins, or
/// false: 50 ED 55 BA of a fatbin, 7F "ELF", ".version" of PTX. All in one
/// pass, at the speed of memory; what follows the needle is for the caller to
/// judge.
bool FindNext(std::string_view bytes, std::uint64_t from, ScanHit& hit);

}  // namespace sibyl::inspect
