// SPDX-License-Identifier: Apache-2.0
#include "lab/build.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "base/files/file_lock.h"
#include "base/files/files.h"
#include "base/files/root.h"
#include "base/hash.h"
#include "base/process/environment.h"
#include "base/process/subprocess.h"
#include "base/strings.h"

namespace sibyl::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUnfinished = "unfinished";
constexpr std::size_t kLargestProgram = std::size_t{512} << 20;

struct BuildTools {
  fs::path nvcc;
  std::string nvcc_version;
  fs::path cmake;
  std::string generator;
};

// A program in a folder of PATH that does not depend on where we are.
std::optional<fs::path> FindTool(std::string_view name) {
  std::optional<fs::path> found = FindProgram(name);
  return found && found->is_absolute() ? found : std::nullopt;
}

Error Missing(std::string_view what, std::string_view hint) {
  return {.kind = ErrorKind::kUnavailable,
          .message = fmt::format("{} is not installed; labs are built with it", what),
          .hint = std::string(hint)};
}

Result<fs::path> FindNvcc(const std::vector<fs::path>& toolkits) {
  if (const auto found = FindTool("nvcc")) return *found;
  for (const fs::path& folder : toolkits) {
    if (::access((folder / "nvcc").c_str(), X_OK) == 0) return folder / "nvcc";
  }
  return Missing("nvcc",
                 "install a CUDA toolkit, 12.4 or newer ('sibyl doctor' names the package), or set "
                 "SIBYL_LABS to a folder with built labs");
}

bool HasHostCompiler() {
  const auto chosen = EnvironmentVariable("CXX");
  if (chosen && !chosen->empty()) return true;  // CMake reports a wrong one
  return FindTool("c++") || FindTool("g++") || FindTool("clang++");
}

Result<BuildTools> FindTools(const BuildOptions& options) {
  BuildTools tools;
  tools.nvcc = SIBYL_TRY(FindNvcc(options.toolkits));
  const auto cmake = FindTool("cmake");
  if (!cmake) {
    return Missing("cmake", "install cmake, 3.24 or newer: the package is named cmake everywhere");
  }
  tools.cmake = *cmake;
  if (!HasHostCompiler()) {
    return Missing("a C++ compiler", "install g++, which nvcc uses for the code of the host");
  }
  if (FindTool("ninja")) {
    tools.generator = "Ninja";
  } else if (FindTool("make")) {
    tools.generator = "Unix Makefiles";
  } else {
    return Missing("ninja or make", "install the package ninja-build or make");
  }
  const Outcome version =
      SIBYL_TRY(RunProgram({.program = tools.nvcc.string(), .arguments = {"--version"}}));
  if (!version.succeeded()) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("{} --version: {}", tools.nvcc.string(), sibyl::Describe(version))};
  }
  tools.nvcc_version = version.output;
  return tools;
}

std::string KeyOf(const LabSources& sources, const BuildTools& tools) {
  constexpr std::size_t kDigits = 16;
  return Sha256(fmt::format("{}\n{}\n{}", sources.digest, tools.nvcc.string(), tools.nvcc_version))
      .substr(0, kDigits);
}

// A finished program of ours in `folder`.
std::optional<Program> FindBuilt(const Root& folder, std::string_view name) {
  constexpr std::uint32_t kOthersWrite = 022;
  const fs::path path = fs::path("bin") / fmt::format("lab_{}", name);
  const std::optional<FileAbout> about = folder.About(path);
  const bool is_ours = about && about->kind == FileKind::kFile && about->owner == ::geteuid() &&
                       (about->mode & kOthersWrite) == 0;
  if (!is_ours) return std::nullopt;
  return Program{.name = std::string(name), .path = folder.Shown(path)};
}

// Whatever an interrupted build left is removed: a compiler that was killed may
// have written half of a file.
Status PrepareFolder(const Root& folder, const LabSources& sources) {
  const bool is_whole = folder.IsFolder("build") && !folder.Exists(kUnfinished);
  SIBYL_TRY(folder.Write(kUnfinished, "A build is running, or was interrupted.\n"));
  if (is_whole) return {};
  for (const char* name : {"src", "build", "log.txt"}) SIBYL_TRY(folder.Remove(name));
  for (const SourceFile& file : sources.files) {
    const fs::path path = fs::path("src") / file.path;
    SIBYL_TRY(folder.MakeFolders(path.parent_path()));
    SIBYL_TRY(folder.Write(path, file.bytes));
  }
  return folder.MakeFolders("build");
}

// The first line that reports an error, as CMake, nvcc and g++ write it.
std::string FirstError(std::string_view output) {
  const std::vector<std::string_view> lines = SplitLines(output);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("CMake Error")) {
      std::string text(Trim(lines[i]));
      // The message is on the next lines.
      for (std::size_t next = i + 1; next < lines.size() && next < i + 4; ++next) {
        if (!Trim(lines[next]).empty()) return text + " " + std::string(Trim(lines[next]));
      }
      return text;
    }
    if (Contains(lines[i], "error:") || Contains(lines[i], "fatal")) {
      return std::string(Trim(lines[i]));
    }
  }
  return {};
}

Status RunStep(const Root& folder, std::string_view name, const BuildOptions& options,
               Command command) {
  command.folder = folder.path();
  command.limits.time = options.time;
  // A bundle sets it for its own C library.
  if (EnvironmentVariable("GCONV_PATH")) command.environment["GCONV_PATH"] = "";
  const Outcome outcome = SIBYL_TRY(RunProgram(command, options.stop));
  if (outcome.succeeded()) return {};
  const std::string output = outcome.output + outcome.errors;
  SIBYL_TRY(folder.Write("log.txt", output));
  const std::string error = FirstError(output);
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("building the lab {}: {}", name,
                                      error.empty() ? sibyl::Describe(outcome) : error),
               .hint = fmt::format("all of it is in {}", folder.Shown("log.txt").string())};
}

Result<Program> Build(const Root& folder, std::string_view name, const LabSources& sources,
                      const BuildTools& tools, const BuildOptions& options) {
  SIBYL_TRY(PrepareFolder(folder, sources));
  SIBYL_TRY(RunStep(folder, name, options,
                    {.program = tools.cmake.string(),
                     .arguments = {"-S", "src", "-B", "build", "-G", tools.generator,
                                   "-DCMAKE_BUILD_TYPE=Release",
                                   "-DCMAKE_CUDA_COMPILER=" + tools.nvcc.string()}}));
  const std::string target = fmt::format("lab_{}", name);
  const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  SIBYL_TRY(
      RunStep(folder, name, options,
              {.program = tools.cmake.string(),
               .arguments = {"--build", "build", "--target", target, "-j", std::to_string(jobs)}}));
  const std::string bytes =
      SIBYL_TRY(folder.Read(fs::path("build") / target, {.max_bytes = kLargestProgram}));
  SIBYL_TRY(folder.MakeFolders("bin"));
  SIBYL_TRY(folder.Write(fs::path("bin") / target, bytes, {.mode = 0700}));
  SIBYL_TRY(folder.Remove(kUnfinished));
  if (std::optional<Program> built = FindBuilt(folder, name)) return *std::move(built);
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("building the lab {}: {} was changed by others", name,
                                      folder.path().string())};
}

}  // namespace

Result<Program> BuildLab(const LabSources& sources, std::string_view name,
                         const BuildOptions& options) {
  Result<BuildTools> tools = FindTools(options);
  if (!tools.ok()) {
    return While(fmt::format("building the lab {}", name), std::move(tools).error());
  }
  const fs::path path = options.cache / "labs" / KeyOf(sources, *tools);
  const Root folder = SIBYL_TRY(Root::Create(path));
  if (std::optional<Program> built = FindBuilt(folder, name)) return *std::move(built);
  if (options.progress) {
    options.progress(fmt::format("building the lab {} with nvcc, once", name));
  }
  const FileLock lock = SIBYL_TRY(FileLock::Take(path.string() + ".lock", options.time));
  if (std::optional<Program> built = FindBuilt(folder, name)) return *std::move(built);
  return Build(folder, name, sources, *tools, options);
}

}  // namespace sibyl::lab
