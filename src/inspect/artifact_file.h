// SPDX-License-Identifier: Apache-2.0
// The bytes of an artifact, mapped while other processes may write them: a build folder is
// inspected while the linker runs, an image while it is pulled.
//
// Reading a mapped page beyond a file's new end raises SIGBUS. Reading windows with pread
// instead would copy every byte and make every format reader handle a moving buffer; jumping
// out of a signal handler would skip destructors. So the handler maps zero pages in place of
// the missing ones and records it, the reader continues over zeros (all readers here accept any
// bytes), and the owner checks at the end whether the data is valid. Other faults go to the
// previous handler.
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
  /// Opens a file that the user named, following symbolic links. Only regular files; does not
  /// wait for a pipe.
  static Result<ArtifactFile> Open(const std::filesystem::path& path);
  /// Opens a file in an untrusted folder: links cannot lead out of it.
  static Result<ArtifactFile> Open(const Root& root, const std::filesystem::path& relative);

  ArtifactFile(ArtifactFile&& other) noexcept;
  ArtifactFile& operator=(ArtifactFile&& other) noexcept;
  ~ArtifactFile();

  /// May be shared between threads; valid as long as this object.
  std::string_view bytes() const { return {data_, size_}; }

  /// Describes what happened to the file since it was opened; nullopt if it is unchanged. Call
  /// after reading, before using any result.
  std::optional<std::string> WhatChanged() const;

 private:
  static Result<ArtifactFile> Of(FileDescriptor file, const std::string& doing);
  ArtifactFile(FileDescriptor file, std::size_t size, std::int64_t modified_ns)
      : file_(std::move(file)), size_(size), modified_ns_(modified_ns) {}
  Status Map();
  void Unmap();

  FileDescriptor file_;
  const char* data_ = nullptr;  // null for an empty file: mmap rejects length 0
  std::size_t size_ = 0;
  std::int64_t modified_ns_ = 0;
  std::size_t guard_ = 0;  // index among the guarded mappings
};

}  // namespace sibyl::inspect
