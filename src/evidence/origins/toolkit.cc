// SPDX-License-Identifier: Apache-2.0
#include "evidence/origins/toolkit.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/files/root.h"
#include "base/process/environment.h"
#include "base/strings.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "toolkit:";
constexpr std::string_view kCuda = "cuda";
constexpr std::string_view kVersionHeader = "cuda.h";
// The driver's header has 1.1 MiB.
constexpr std::size_t kMostHeaderBytes = std::size_t{8} << 20;

bool IsVersion(std::string_view text) {
  const bool fits =
      !text.empty() && text.size() <= 16 &&
      std::all_of(text.begin(), text.end(), [](char c) { return IsDigit(c) || c == '.'; });
  return fits && IsDigit(text.front()) && IsDigit(text.back());
}

// "#define CUDA_VERSION 13000" is 13.0.
std::optional<std::string> VersionOf(std::string_view header) {
  constexpr std::string_view kDefine = "#define CUDA_VERSION ";
  const std::size_t at = header.find(kDefine);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = header.substr(at + kDefine.size());
  int number = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (read.ec != std::errc() || number < 1000) return std::nullopt;
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::optional<FoundToolkit> LookIn(const fs::path& folder) {
  for (const char* headers : {"include", "targets/x86_64-linux/include"}) {
    const Result<Root> root = Root::Open(folder / headers);
    if (!root.ok()) continue;
    const Result<std::string> text = root->Read(kVersionHeader, {.max_bytes = kMostHeaderBytes});
    const std::optional<std::string> version =
        text.ok() ? VersionOf(*text) : std::optional<std::string>();
    if (version) {
      return FoundToolkit{.toolkit = {.name = std::string(kCuda), .version = *version},
                          .folder = folder,
                          .headers = folder / headers};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string ToolkitOrigin(const Toolkit& toolkit) {
  if (toolkit.version.empty()) return fmt::format("{}{}", kPrefix, toolkit.name);
  return fmt::format("{}{}@{}", kPrefix, toolkit.name, toolkit.version);
}

std::optional<Toolkit> ParseToolkitOrigin(std::string_view origin) {
  if (!origin.starts_with(kPrefix)) return std::nullopt;
  const std::string_view rest = origin.substr(kPrefix.size());
  const std::size_t at = rest.find('@');
  if (at == std::string_view::npos) return Toolkit{.name = std::string(rest), .version = {}};
  return Toolkit{.name = std::string(rest.substr(0, at)),
                 .version = std::string(rest.substr(at + 1))};
}

std::string MistakeOfToolkit(const Toolkit& toolkit) {
  if (toolkit.name != kCuda) {
    return fmt::format("'{}' is not a toolkit that is known; known: cuda", toolkit.name);
  }
  if (!IsVersion(toolkit.version)) {
    return fmt::format("'{}' is not a version of a toolkit, such as 13.0", toolkit.version);
  }
  return {};
}

std::vector<fs::path> ToolkitFolders(const Toolkit& toolkit) {
  std::vector<fs::path> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"}) {
    const std::optional<std::string> value = EnvironmentVariable(variable);
    if (value && fs::path(*value).is_absolute()) folders.emplace_back(*value);
  }
  if (IsVersion(toolkit.version)) folders.emplace_back("/usr/local/cuda-" + toolkit.version);
  for (const char* folder : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

Result<FoundToolkit> FindToolkit(const Toolkit& wanted, const std::vector<fs::path>& folders) {
  std::vector<std::string> others;
  for (const fs::path& folder : folders) {
    const std::optional<FoundToolkit> found = LookIn(folder);
    if (!found) continue;
    if (wanted.version.empty() || found->toolkit.version == wanted.version) return *found;
    std::string other = fmt::format("{} in {}", found->toolkit.version, folder.string());
    if (std::find(others.begin(), others.end(), other) == others.end()) {
      others.push_back(std::move(other));
    }
  }
  return Error{
      .kind = ErrorKind::kNotFound,
      .message = wanted.version.empty()
                     ? "finding the CUDA toolkit: none is installed"
                     : fmt::format("finding the CUDA toolkit: {} is not installed", wanted.version),
      .hint = others.empty() ? "set CUDA_HOME to its folder"
                             : fmt::format("installed: {}; set CUDA_HOME to the folder "
                                           "of the version that is pinned",
                                           Join(others, ", "))};
}

}  // namespace sibyl::evidence
