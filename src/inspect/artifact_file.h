// SPDX-License-Identifier: Apache-2.0
// An artifact's bytes, mapped while others may be writing them: a build folder
// is inspected while the linker runs, an image while it is pulled.
//
// A page of a mapping beyond a file's new end kills the process with SIGBUS.
// Reading windows with pread instead would copy every byte and make each reader
// of a format keep offsets into a buffer that moves; jumping out of a signal
// handler would skip destructors. So the handler puts zero pages in the place
// of what is gone and notes it, the reader goes on over zeros (all readers here
// take any bytes), and whoever opened the file asks at the end whether what was
// read can be believed. Faults that are not in such a mapping go to whoever
// handled them before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "base/files/root.h"
#include "base/result.h"

namespace sibyl::inspect {

class ArtifactFile {
 public:
  /// A file that a person named; links on the way are theirs. Regular files
  /// only, and a pipe is not waited for.
  static Result<ArtifactFile> Open(const std::filesystem::path& path);
  /// A file in a folder that somebody else made: no link leads out of it.
  static Result<ArtifactFile> Open(const Root& root, const std::filesystem::path& relative);

  ArtifactFile(ArtifactFile&& other) noexcept;
  ArtifactFile& operator=(ArtifactFile&& other) noexcept;
  ~ArtifactFile();

  /// May be shared between threads; lives as long as this object.
  std::string_view bytes() const { return {data_, size_}; }

  /// What happened to the file since it was opened, in words; nothing when it is
  /// as it was. Ask when all was read and before any of it is believed.
  std::optional<std::string> WhatChanged() const;

 private:
  static Result<ArtifactFile> Of(FileDescriptor file, const std::string& doing);
  ArtifactFile(FileDescriptor file, std::size_t size, std::int64_t modified_ns)
      : file_(std::move(file)), size_(size), modified_ns_(modified_ns) {}
  Status Map();
  void Unmap();

  FileDescriptor file_;
  const char* data_ = nullptr;  // null for an empty file: mmap refuses length 0
  std::size_t size_ = 0;
  std::int64_t modified_ns_ = 0;
  std::size_t guard_ = 0;  // its number among the guarded mappings
};

}  // namespace sibyl::inspect
