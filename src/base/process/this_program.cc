// SPDX-License-Identifier: Apache-2.0
#include "base/process/this_program.h"

#include <sys/auxv.h>

#include <system_error>

#include "base/files/files.h"
#include "base/strings.h"

namespace sibyl {

namespace fs = std::filesystem;

fs::path ThisProgram() {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) return program;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel passes the pointer as a number
  return ProgramStartedAs(reinterpret_cast<const char*>(::getauxval(AT_EXECFN)));
}

fs::path ProgramStartedAs(const char* path) {
  if (path == nullptr || *path == '\0') return {};
  std::error_code error;
  fs::path program = fs::canonical(path, error);
  return error ? fs::path() : program;
}

bool IsInOwnImage(const fs::path& program) {
  constexpr std::size_t kLongest = 64;
  const Result<std::string> kind =
      ReadFile(program.parent_path() / "installed-as", {.max_bytes = kLongest});
  return kind.ok() && Trim(*kind) == "image";
}

}  // namespace sibyl
