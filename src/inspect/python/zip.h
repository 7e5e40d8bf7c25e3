// SPDX-License-Identifier: Apache-2.0
// Zip archives, as wheels are: the central directory, zip64 included, and the
// members' bytes, stored or deflated. Nothing else is supported, on purpose.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/totals.h"

namespace sibyl::inspect {

struct ZipEntry {
  std::string name;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated.
  std::uint32_t crc = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t bytes = 0;
  std::uint64_t header_offset = 0;

  bool IsFolder() const { return name.ends_with('/'); }
  /// Would be written outside the folder it is unpacked to.
  bool Escapes() const;
};

struct ZipArchive {
  std::vector<ZipEntry> entries;
  bool is_cut = false;       ///< The directory is shorter than it says, or a limit ended it.
  bool has_overlap = false;  ///< Two members share bytes: a bomb, or damage.
};

/// Nothing when there is no directory at the end. Ends where the budget is
/// exceeded.
std::optional<ZipArchive> ReadZip(std::string_view bytes, Budget& budget);

/// Gives the member's bytes in pieces; `take` returns false to stop. False when
/// the member is damaged (it does not decode, is longer or shorter than the
/// directory says, or has another checksum) and when the budget is exceeded.
bool UnpackMember(std::string_view bytes, const ZipEntry& entry, Budget& budget,
                  const std::function<bool(std::string_view)>& take);

/// Its first bytes, at most 64: enough to tell what it is.
std::string BeginningOf(std::string_view bytes, const ZipEntry& entry);

/// A whole member, when it is sound and not longer than `most`.
std::optional<std::string> ReadMember(std::string_view bytes, const ZipEntry& entry,
                                      std::uint64_t most, Budget& budget);

}  // namespace sibyl::inspect
