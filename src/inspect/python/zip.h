// SPDX-License-Identifier: Apache-2.0
// Reads zip archives such as wheels: the central directory, including zip64, and members that
// are stored or deflated. Other methods are not supported, on purpose.
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
  /// Whether it would be written outside the target folder.
  bool Escapes() const;
};

struct ZipArchive {
  std::vector<ZipEntry> entries;
  bool is_cut = false;       ///< The directory is shorter than it says, or a limit was reached.
  bool has_overlap = false;  ///< Two members share bytes: a bomb, or damage.
};

/// nullopt if there is no directory at the end. Stops when the budget is exceeded.
std::optional<ZipArchive> ReadZip(std::string_view bytes, Budget& budget);

/// Passes the member's bytes to `take` in pieces; `take` returns false to stop. False if the
/// member is damaged (it does not decode, or has another size or checksum than the directory
/// says) or the budget is exceeded.
bool UnpackMember(std::string_view bytes, const ZipEntry& entry, Budget& budget,
                  const std::function<bool(std::string_view)>& take);

/// Its first bytes, at most 64: enough to detect its kind.
std::string BeginningOf(std::string_view bytes, const ZipEntry& entry);

/// A whole member, if it is valid and not longer than `most`.
std::optional<std::string> ReadMember(std::string_view bytes, const ZipEntry& entry,
                                      std::uint64_t most, Budget& budget);

}  // namespace sibyl::inspect
