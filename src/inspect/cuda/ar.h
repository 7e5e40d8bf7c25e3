// SPDX-License-Identifier: Apache-2.0
// Members of static archives (ar): System V, GNU long names, BSD long names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/totals.h"

namespace sibyl::inspect {

struct ArMember {
  std::string name;
  std::uint64_t offset = 0;  ///< Of its bytes in the archive.
  std::string_view bytes;    ///< Borrowed from the archive.
};

struct ArArchive {
  std::vector<ArMember> members;  ///< Without symbol tables and the table of names.
  bool is_thin = false;           ///< Members are separate files; none is listed.
  bool is_cut = false;            ///< A header is invalid, or a limit ended the list.
};

bool IsArArchive(std::string_view bytes);

/// Reads as much as possible; a damaged archive ends at its first bad header. Names are
/// truncated to 1,024 bytes.
ArArchive ReadArArchive(std::string_view bytes, Budget& budget);

}  // namespace sibyl::inspect
