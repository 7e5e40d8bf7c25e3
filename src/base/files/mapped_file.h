// SPDX-License-Identifier: Apache-2.0
// A file's bytes in memory without reading them first.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "base/result.h"

namespace sibyl {

/// Read-only; the view lives as long as this object and may be shared between
/// threads. For files that are never truncated while mapped (the object store,
/// index segments): accessing a page beyond the new end kills the process with
/// SIGBUS. Files that people edit are read with ReadFile.
class MappedFile {
 public:
  static Result<MappedFile> Open(const std::filesystem::path& path);
  /// Maps an open file; `shown` is its path for messages.
  static Result<MappedFile> Of(const FileDescriptor& file, const std::filesystem::path& shown);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::string_view bytes() const { return {data_, size_}; }

 private:
  MappedFile(const char* data, std::size_t size) : data_(data), size_(size) {}

  const char* data_ = nullptr;  // null for an empty file: mmap refuses length 0
  std::size_t size_ = 0;
};

}  // namespace sibyl
