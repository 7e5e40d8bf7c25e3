// SPDX-License-Identifier: Apache-2.0
// A record of the shared store that is accepted names files of one folder, and is
// written as the same files.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "evidence/shared/store_record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::evidence;  // NOLINT: a fuzz target is one file
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto files = ParseStoreRecord(text);
  if (!files.ok()) return 0;
  for (const StoredFile& file : *files) {
    if (!IsStoredName(file.name) || file.name.find('/') != std::string::npos) std::abort();
  }
  const auto again = ParseStoreRecord(FormatStoreRecord(*files));
  if (!again.ok() || *again != *files) std::abort();
  return 0;
}
