// SPDX-License-Identifier: Apache-2.0
// Files with a secret, one in a temporary folder and one at home, which a
// sandboxed program must neither read nor change.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/process/environment.h"

namespace sibyl {

class Canary {
 public:
  Canary() {
    namespace fs = std::filesystem;
    paths_.push_back(folder_.path() / "canary");
    const std::string home = EnvironmentVariable("HOME").value_or("");
    std::error_code error;
    if (fs::is_directory(home, error) && ::access(home.c_str(), W_OK) == 0) {
      paths_.push_back(fs::path(home) / (".sibyl-canary-" + std::to_string(::getpid())));
    }
    for (const fs::path& path : paths_) std::ofstream(path) << kSecret << '\n';
  }
  ~Canary() {
    std::error_code ignored;
    for (const auto& path : paths_) std::filesystem::remove(path, ignored);
  }
  Canary(const Canary&) = delete;
  Canary& operator=(const Canary&) = delete;

  const std::vector<std::filesystem::path>& paths() const { return paths_; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  bool IsUntouched() const {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      files += entry.is_regular_file() ? 1 : 2;
    }
    for (const auto& path : paths_) {
      std::ifstream file(path);
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      if (text != std::string(kSecret) + "\n") return false;
    }
    return files == 1;
  }

  /// One identifier, as a file with a token has it: a compiler that includes it
  /// can be made to name it.
  static constexpr std::string_view kSecret = "hunter2_is_the_secret";
  static constexpr std::string_view kMark = "hunter2";

 private:
  TemporaryFolder folder_;
  std::vector<std::filesystem::path> paths_;
};

}  // namespace sibyl
