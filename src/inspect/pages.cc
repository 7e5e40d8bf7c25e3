// SPDX-License-Identifier: Apache-2.0
#include "inspect/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>

namespace sibyl::inspect {

void ReleasePages(std::string_view mapped) {
  constexpr std::size_t kWorthwhile = std::size_t{1} << 20;
  if (mapped.size() < kWorthwhile) return;
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  // Whole pages only: the first and last may be shared with other data.
  const std::size_t over = reinterpret_cast<std::size_t>(mapped.data()) % page;
  const std::size_t skip = over == 0 ? 0 : page - over;
  const std::size_t length = (mapped.size() - skip) / page * page;
  if (length > 0) ::madvise(const_cast<char*>(mapped.data()) + skip, length, MADV_DONTNEED);
}

}  // namespace sibyl::inspect
