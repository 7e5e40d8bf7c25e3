// SPDX-License-Identifier: Apache-2.0
// A private file for data that does not fit into memory: written once, then
// mapped. It has no name, so nothing is left behind however the process ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/files/file_descriptor.h"
#include "base/files/mapped_file.h"
#include "base/result.h"

namespace sibyl {

class ScratchFile {
 public:
  /// In the system's folder for temporary files.
  static Result<ScratchFile> Create();

  Status Append(std::string_view bytes);
  /// Maps the content. The mapping outlives this object.
  Result<MappedFile> Map() const;

 private:
  explicit ScratchFile(FileDescriptor file) : file_(std::move(file)) {}
  FileDescriptor file_;
};

}  // namespace sibyl
