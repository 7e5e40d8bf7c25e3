// SPDX-License-Identifier: Apache-2.0
#include "base/files/temporary_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/os_error.h"

namespace sibyl {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::error_code ignored;
  const fs::path parent = fs::temp_directory_path(ignored);
  std::string name = ((parent.empty() ? fs::path("/tmp") : parent) / "sibyl-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    std::fprintf(stderr, "sibyl: error: %s\n", OsError("creating " + name, errno).message.c_str());
    std::abort();
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;  // a leftover in the temporary folder is harmless
  fs::remove_all(path_, ignored);
}

}  // namespace sibyl
