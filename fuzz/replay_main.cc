// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target on files, so that corpora are ordinary tests under every
// compiler. Arguments are files or folders.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "base/files/files.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fs = std::filesystem;

namespace {

bool Replay(const fs::path& path) {
  const sibyl::Result<std::string> bytes = sibyl::ReadFile(path);
  if (!bytes.ok()) {
    std::fprintf(stderr, "replay: %s\n", bytes.error().message.c_str());
    return false;
  }
  // Named first: when the target aborts, the last line says on what.
  std::printf("%s\n", path.c_str());
  std::fflush(stdout);
  // A copy of exactly that size, so that the sanitizer sees a read past the end
  // (a string has a zero there).
  const std::vector<std::uint8_t> copy(bytes->begin(), bytes->end());
  LLVMFuzzerTestOneInput(copy.data(), copy.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    const fs::path path = argv[i];
    if (!fs::is_directory(path)) {
      if (!Replay(path)) return 2;
      ++count;
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      if (!entry.is_regular_file()) continue;
      if (!Replay(entry.path())) return 2;
      ++count;
    }
  }
  if (count == 0) {
    // A corpus in the wrong place would otherwise pass for ever.
    std::fprintf(stderr, "replay: no inputs found; a target needs a seed in fuzz/corpus\n");
    return 2;
  }
  std::printf("replayed %zu inputs\n", count);
  return 0;
}
