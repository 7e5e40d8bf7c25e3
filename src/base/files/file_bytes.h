// SPDX-License-Identifier: Apache-2.0
// What base/files/files.cc and base/files/root.cc share: whole files by descriptor. Not for
// use outside base.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/result.h"

namespace sibyl {

/// Reads to the end of an open file. `shown` is the path for messages.
Result<std::string> ReadToEnd(const FileDescriptor& file, const std::filesystem::path& shown,
                              const ReadFileOptions& options);

/// Replaces `name` in an open folder. Refuses a name that is anything but a
/// regular file. `shown` is the path for messages.
Status ReplaceIn(const FileDescriptor& folder, const std::string& name,
                 const std::filesystem::path& shown, std::string_view bytes, std::uint32_t mode);

/// Makes renames in a folder durable.
Status SyncFolder(const FileDescriptor& folder, const std::filesystem::path& shown);

struct NamedMode {
  std::string name;
  std::uint32_t mode = 0;  ///< The bits of S_IFMT alone.
};

/// The entries of an open folder, sorted by name, without "." and "..". Reading
/// stops after one entry more than `max_entries`.
Result<std::vector<NamedMode>> ListFolder(const FileDescriptor& folder,
                                          const std::filesystem::path& shown,
                                          std::size_t max_entries);

/// "reading x: not a regular file", with what it is.
Error NotRegular(std::string_view doing, const std::filesystem::path& shown, std::uint32_t mode);

}  // namespace sibyl
