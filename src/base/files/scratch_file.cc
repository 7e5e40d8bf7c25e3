// SPDX-License-Identifier: Apache-2.0
#include "base/files/scratch_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "base/files/write_all.h"
#include "base/os_error.h"

namespace sibyl {

Result<ScratchFile> ScratchFile::Create() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return OsError("finding the folder for temporary files", error.value());
  // Not every file system supports unnamed files; then it is unlinked at once.
  FileDescriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.is_open()) {
    std::string name = (folder / "sibyl-XXXXXX").string();
    file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
    if (!file.is_open()) return OsError("creating a temporary file in " + folder.string(), errno);
    ::unlink(name.c_str());
  }
  return ScratchFile(std::move(file));
}

Status ScratchFile::Append(std::string_view bytes) {
  const int failure = WriteAll(file_.number(), bytes);
  if (failure != 0) return OsError("writing a temporary file", failure);
  return {};
}

Result<MappedFile> ScratchFile::Map() const { return MappedFile::Of(file_, "a temporary file"); }

}  // namespace sibyl
