// SPDX-License-Identifier: Apache-2.0
#include "base/files/write_all.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace sibyl {
namespace {

template <typename Write>
int WriteRepeatedly(std::string_view bytes, Write write) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = write(bytes.substr(done), done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return wrote == 0 ? EIO : errno;
    done += static_cast<std::size_t>(wrote);
  }
  return 0;
}

}  // namespace

int WriteAll(int file, std::string_view bytes) {
  return WriteRepeatedly(bytes, [file](std::string_view rest, std::size_t) {
    return ::write(file, rest.data(), rest.size());
  });
}

int WriteAllAt(int file, std::string_view bytes, std::uint64_t offset) {
  return WriteRepeatedly(bytes, [file, offset](std::string_view rest, std::size_t done) {
    return ::pwrite(file, rest.data(), rest.size(), static_cast<off_t>(offset + done));
  });
}

}  // namespace sibyl
