// SPDX-License-Identifier: Apache-2.0
#include "base/files/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/files/file_bytes.h"
#include "base/os_error.h"

namespace sibyl {

Result<MappedFile> MappedFile::Open(const std::filesystem::path& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.is_open()) return OsError(fmt::format("mapping {}", path.string()), errno);
  return Of(file, path);
}

Result<MappedFile> MappedFile::Of(const FileDescriptor& file, const std::filesystem::path& shown) {
  const std::string doing = fmt::format("mapping {}", shown.string());
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return OsError(doing, errno);
  if (!S_ISREG(about.st_mode)) return NotRegular("mapping", shown, about.st_mode);
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size == 0) return MappedFile(nullptr, 0);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (data == MAP_FAILED) return OsError(doing, errno);
  return MappedFile(static_cast<const char*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace sibyl
