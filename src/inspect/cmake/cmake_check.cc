// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_check.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "base/files/files.h"
#include "base/files/root.h"
#include "base/json.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/artifact_file.h"
#include "inspect/cmake/cmake_pairs.h"
#include "inspect/cmake/cmake_runtime.h"
#include "inspect/cmake/cmake_settings.h"
#include "inspect/cuda/code_summary.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBuiltFiles = 200'000;

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

bool IsLink(const fs::path& path) {
  std::error_code error;
  return fs::is_symlink(fs::symlink_status(path, error));
}

std::string ReadText(const fs::path& path) {
  Result<std::string> text = ReadFile(path, {.max_bytes = kMostText});
  return text.ok() ? *std::move(text) : std::string();
}

// A cache that was copied, pasted or made inside a container names files that are not on this disk.
bool SayElsewhere(const CMakeCache& cache, const fs::path& folder, Artifact& artifact) {
  if (IsMadeHere(cache, folder)) return false;
  const std::string_view home = cache.Value("CMAKE_CACHEFILE_DIR");
  std::error_code error;
  std::string message;
  if (home.empty()) {
    message = "the cache does not say where it was made; its paths were not checked";
  } else if (!fs::equivalent(fs::path(home), folder, error)) {
    message = fmt::format("the cache was made in {}, not here; its paths were not checked", home);
  } else {
    message = fmt::format(
        "{} does not exist: the cache is from another machine or container; its paths were not "
        "checked",
        cache.Value("CMAKE_COMMAND"));
  }
  artifact.findings.push_back({.severity = Severity::kNote,
                               .code = "cmake/elsewhere",
                               .message = std::move(message),
                               .place = {.file = artifact.path}});
  return true;
}

bool NeedNotExist(const CacheEntry& entry) {
  return entry.key.starts_with("CMAKE_INSTALL") || entry.key.ends_with("_OUTPUT_PATH") ||
         entry.key.ends_with("_OUTPUT_DIRECTORY") || entry.key.find("RPATH") != std::string::npos;
}

void CheckPath(const CacheEntry& entry, const fs::path& path, Artifact& artifact) {
  if (!path.is_absolute() || Exists(path)) return;
  const bool is_link = IsLink(path);
  Finding finding = AboutEntry(artifact, entry, Severity::kWarning,
                               is_link ? "cmake/dangling-link" : "cmake/stale-path");
  std::error_code error;
  finding.message = is_link
                        ? fmt::format("{} is a link to {}, which does not exist", path.string(),
                                      fs::read_symlink(path, error).string())
                        : fmt::format("{} is {}, which no longer exists", entry.key, path.string());
  finding.hint = fmt::format("run 'cmake -U {} .' to search for it again", entry.key);
  artifact.findings.push_back(std::move(finding));
}

void CheckLibrary(const CacheEntry& entry, const fs::path& path, std::uint16_t machine,
                  Artifact& artifact) {
  if (machine == 0 || path.string().find(".so") == std::string::npos) return;
  const Result<ArtifactFile> file = ArtifactFile::Open(path);
  if (!file.ok()) return;
  const std::optional<Elf> elf = Elf::Read(file->bytes());
  if (!elf || elf->machine() == machine) return;  // not ELF: a linker script
  Finding finding = AboutEntry(artifact, entry, Severity::kError, "cmake/wrong-machine");
  finding.message = fmt::format("{} is built for {}, but the compiler targets {}", path.string(),
                                MachineName(elf->machine()), MachineName(machine));
  artifact.findings.push_back(std::move(finding));
}

void CheckPaths(const CMakeCache& cache, Artifact& artifact) {
  std::uint16_t machine = 0;
  if (!cache.IsOn("CMAKE_CROSSCOMPILING") && cache.Value("CMAKE_TOOLCHAIN_FILE").empty()) {
    const Result<ArtifactFile> compiler =
        ArtifactFile::Open(fs::path(cache.Value("CMAKE_CXX_COMPILER")));
    const std::optional<Elf> elf = compiler.ok() ? Elf::Read(compiler->bytes()) : std::nullopt;
    if (elf) machine = elf->machine();
  }
  std::size_t paths = 0;
  const std::size_t most_findings = artifact.findings.size() + kMostFindings;
  for (const CacheEntry& entry : cache.entries) {
    if (entry.type != "PATH" && entry.type != "FILEPATH") continue;
    if (!entry.IsFound() || NeedNotExist(entry)) continue;
    for (std::size_t start = 0; start <= entry.value.size();) {
      const std::size_t end = std::min(entry.value.find(';', start), entry.value.size());
      const fs::path path = entry.value.substr(start, end - start);
      if (++paths > kMostCachedPaths || artifact.findings.size() >= most_findings) {
        artifact.findings.push_back(LimitFinding(
            artifact.path,
            paths > kMostCachedPaths
                ? fmt::format("the cache names more paths than the limit of {}", kMostCachedPaths)
                : fmt::format("the paths of the cache gave {} findings, the limit",
                              kMostFindings)));
        return;
      }
      if (!path.empty()) {
        CheckPath(entry, path, artifact);
        if (entry.type == "FILEPATH") CheckLibrary(entry, path, machine, artifact);
      }
      start = end + 1;
    }
  }
}

// The toolkit's libcuda.so is only for linking and contains no driver; on a run path it hides
// the real one.
void CheckStubs(const CMakeCache& cache, Artifact& artifact) {
  for (const CacheEntry& entry : cache.entries) {
    const bool is_run_path = entry.key.find("RPATH") != std::string::npos;
    const bool is_flags =
        entry.key.ends_with("LINKER_FLAGS") && entry.value.find("rpath") != std::string::npos;
    if ((!is_run_path && !is_flags) || entry.value.find("/stubs") == std::string::npos) continue;
    Finding finding = AboutEntry(artifact, entry, Severity::kError, "cmake/stub-as-driver");
    finding.message = fmt::format(
        "{} puts the toolkit's stubs on the path where programs look for the driver (error 34)",
        entry.key);
    finding.hint = "link with the stub, but keep its folder out of every run path";
    artifact.findings.push_back(std::move(finding));
  }
}

struct Versions {
  std::string where;
  field::CudaVersion version;
};

// CUDA_VERSION 13000 in cuda.h.
std::optional<field::CudaVersion> HeaderVersion(const fs::path& include) {
  const std::string text = ReadText(include / "cuda.h");
  constexpr std::string_view kDefine = "#define CUDA_VERSION ";
  const std::size_t at = text.find(kDefine);
  if (at == std::string::npos) return std::nullopt;
  const std::string number = text.substr(at + kDefine.size(), 8);
  const auto value = static_cast<std::uint32_t>(std::strtoul(number.c_str(), nullptr, 10));
  if (value < 1000) return std::nullopt;
  return field::CudaVersion{value / 1000, value % 1000 / 10};
}

// CMake's results about the compiler are in files next to the cache.
std::string CompilerFile(const Root& build) {
  const Result<std::vector<RootEntry>> entries = build.List("CMakeFiles");
  if (!entries.ok()) return {};
  for (const RootEntry& entry : *entries) {
    if (entry.kind != FileKind::kFolder) continue;
    const fs::path file = fs::path("CMakeFiles") / entry.name / "CMakeCUDACompiler.cmake";
    if (!build.IsFile(file)) continue;
    Result<std::string> text = build.Read(file, {.max_bytes = kMostText});
    return text.ok() ? *std::move(text) : std::string();
  }
  return {};
}

void CheckVersions(const CMakeCache& cache, const CMakeCheckOptions& options, const Root& build,
                   Artifact& artifact) {
  std::vector<Versions> versions;
  const std::string compiler = CompilerFile(build);
  const std::string said = FindCMakeSetting(compiler, "CMAKE_CUDA_COMPILER_VERSION");
  if (const auto version = field::ParseCudaVersion(said)) {
    versions.push_back({"the compiler (nvcc)", *version});
    artifact.facts.push_back({.inspector = "cmake",
                              .key = "cuda_compiler_version",
                              .value = said,
                              .is_of_its_bytes = false});
  }
  const CacheEntry* package = cache.Find("FIND_PACKAGE_MESSAGE_DETAILS_CUDAToolkit");
  if (package != nullptr) {
    const std::size_t at = package->value.rfind("[v");
    const std::size_t end = package->value.find('(', at);
    if (at != std::string::npos && end != std::string::npos) {
      const std::string text = package->value.substr(at + 2, end - at - 2);
      if (const auto version = field::ParseCudaVersion(text)) {
        versions.push_back({"find_package(CUDAToolkit)", *version});
      }
    }
  }
  for (const std::string_view key :
       {"CUDAToolkit_INCLUDE_DIR", "CUDA_TOOLKIT_INCLUDE", "CUDA_INCLUDE_DIRS"}) {
    const std::string_view include = cache.Value(key);
    if (include.empty() || !options.reads_named_files) continue;
    if (const auto version = HeaderVersion(fs::path(include))) {
      versions.push_back({fmt::format("cuda.h in {}", include), *version});
    }
  }
  for (std::size_t i = 1; i < versions.size(); ++i) {
    if (versions[i].version == versions[0].version) continue;
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "cmake/version-disagreement",
         .message = fmt::format("{} is CUDA {}, {} is CUDA {}", versions[0].where,
                                Format(versions[0].version), versions[i].where,
                                Format(versions[i].version)),
         .hint = "set CUDAToolkit_ROOT and CMAKE_CUDA_COMPILER to one toolkit and configure again",
         .place = {.file = artifact.path}});
  }
}

void CheckFolders(const CMakeCache& cache, const CMakeCheckOptions& options, Artifact& artifact) {
  // The toolkit of this machine says nothing about that of another.
  const bool reads = options.reads_named_files && IsMadeHere(cache, options.folder);
  std::optional<std::pair<const CacheEntry*, field::CudaVersion>> first;
  std::map<field::CudaVersion, std::vector<const CacheEntry*>> others;
  for (const std::string_view key :
       {"CMAKE_CUDA_COMPILER", "CUDAToolkit_NVCC_EXECUTABLE", "CUDA_NVCC_EXECUTABLE",
        "CUDAToolkit_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "CUDAToolkit_BIN_DIR", "CUDA_CUDART"}) {
    const CacheEntry* entry = cache.Find(key);
    if (entry == nullptr) continue;
    const auto version = reads ? ToolkitAt(entry->value) : ToolkitNamedBy(entry->value);
    if (!version) continue;
    if (!first) {
      first = {entry, *version};
    } else if (*version != first->second) {
      others[*version].push_back(entry);
    }
  }
  for (const auto& [version, entries] : others) {
    std::vector<std::string> names;
    for (const CacheEntry* entry : entries) names.push_back(entry->key);
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "cmake/version-disagreement",
         .message = fmt::format("{} is in CUDA {}, {} in CUDA {}", first->first->key,
                                Format(first->second), Join(names, ", "), Format(version)),
         .hint = "set CUDAToolkit_ROOT and CMAKE_CUDA_COMPILER to one toolkit and configure again",
         .place = {.file = artifact.path, .line = entries[0]->line}});
  }
}

// "80;90a-real;100-virtual" and "8.0 9.0a+PTX"; words such as "native" request nothing that can
// be compared.
std::set<std::string> AskedCubins(std::string_view list) {
  std::set<std::string> asked;
  std::string text(list);
  for (char& c : text) {
    if (c == ' ' || c == ',') c = ';';
  }
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(';', start), text.size());
    std::string item = text.substr(start, end - start);
    start = end + 1;
    if (item.ends_with("-virtual")) continue;
    if (item.ends_with("-real")) item.resize(item.size() - 5);
    if (item.ends_with("+PTX")) item.resize(item.size() - 4);
    if (const auto architecture = field::ParseArchitecture(item))
      asked.insert(Format(*architecture));
  }
  return asked;
}

std::map<std::string, std::size_t> BuiltArchitectures(const Root& build) {
  std::map<std::string, std::size_t> built;
  const Result<Walked> walked = build.Walk(".", {.max_entries = kMostBuiltFiles});
  if (!walked.ok()) return built;
  for (const RootEntry& entry : walked->entries) {
    if (entry.kind != FileKind::kFile) continue;
    const std::string name = fs::path(entry.name).filename().string();
    if (name.find(".so") == std::string::npos && !name.ends_with(".a") && !name.ends_with(".o")) {
      continue;
    }
    const Result<ArtifactFile> file = ArtifactFile::Open(build, entry.name);
    if (!file.ok()) continue;
    DeviceCode code =
        ReadDeviceCode(file->bytes(), {.depth = CodeDepth::kSections, .is_mapped = true});
    if (code.empty()) continue;
    Budget budget(file->bytes().size());
    ReadContent(file->bytes(), code, 1, budget);
    std::set<std::string> in_file;
    for (const CodeImage& image : code.images) {
      if (image.kind == ImageKind::kCubin && image.has_code == HasCode::kYes) {
        in_file.insert(Format(image.architecture));
      }
    }
    for (const std::string& name_of : in_file) ++built[name_of];
  }
  return built;
}

void CheckArchitectures(const CMakeCache& cache, const Root* build, Artifact& artifact) {
  const CacheEntry* entry = nullptr;
  for (const std::string_view key : {"TORCH_CUDA_ARCH_LIST", "CMAKE_CUDA_ARCHITECTURES"}) {
    const CacheEntry* found = cache.Find(key);
    if (found == nullptr || !found->IsFound()) continue;
    artifact.facts.push_back({"cmake", std::string(key), found->value});
    // PyTorch sets the second to OFF and uses the first.
    if (entry == nullptr && !AskedCubins(found->value).empty()) entry = found;
  }
  if (entry == nullptr || build == nullptr) return;
  const std::map<std::string, std::size_t> built = BuiltArchitectures(*build);
  if (built.empty()) return;  // nothing is built yet
  std::vector<std::string> names;
  names.reserve(built.size());
  for (const auto& [name, count] : built) names.push_back(fmt::format("{} ({})", name, count));
  for (const std::string& asked : AskedCubins(entry->value)) {
    if (built.contains(asked)) continue;
    Finding finding = AboutEntry(artifact, *entry, Severity::kError, "cmake/architectures");
    finding.message = fmt::format("{} requests {}, but no built file has code for it; they have {}",
                                  entry->key, asked, Join(names, ", "));
    finding.hint = "the value was changed after the build, or a target sets its own: build again";
    artifact.findings.push_back(std::move(finding));
  }
}

void AddFacts(const CMakeCache& cache, Artifact& artifact) {
  for (const std::string_view key :
       {"CMAKE_PROJECT_NAME", "CMAKE_BUILD_TYPE", "CMAKE_GENERATOR", "CMAKE_CXX_COMPILER",
        "CMAKE_CUDA_COMPILER", "CUDAToolkit_ROOT", "CUDA_TOOLKIT_ROOT_DIR", "CUDA_cupti_LIBRARY",
        "CUDAToolkit_CUPTI_INCLUDE_DIR", "CUPTI_INCLUDE_DIR", "CUDNN_LIBRARY_PATH",
        "NCCL_LIBRARIES"}) {
    const CacheEntry* entry = cache.Find(key);
    if (entry != nullptr) artifact.facts.push_back({"cmake", std::string(key), entry->value});
  }
  std::size_t not_found = 0;
  for (const CacheEntry& entry : cache.entries) not_found += entry.IsNotFound() ? 1U : 0U;
  artifact.facts.push_back({"cmake", "entries", cache.entries.size()});
  artifact.facts.push_back({"cmake", "not_found", not_found});
}

}  // namespace

// "/usr/local/cuda-12.4/bin/nvcc": the folder's name says the release, also where the cache was
// moved to another machine.
std::optional<field::CudaVersion> ToolkitNamedBy(std::string_view path) {
  constexpr std::string_view kFolder = "/cuda-";
  const std::size_t at = path.find(kFolder);
  if (at == path.npos) return std::nullopt;
  const std::string_view rest = path.substr(at + kFolder.size());
  return field::ParseCudaVersion(rest.substr(0, rest.find('/')));
}

std::optional<field::CudaVersion> ToolkitAt(std::string_view path) {
  if (const auto named = ToolkitNamedBy(path)) return named;
  fs::path folder(path);
  if (folder.filename().empty()) folder = folder.parent_path();
  if (folder.filename() == "nvcc") folder = folder.parent_path();
  if (folder.filename() == "bin") folder = folder.parent_path();
  // Every program of a system is in /usr; its nvcc may be of another release than its headers.
  if (!folder.is_absolute() || folder == "/usr" || folder == "/") return std::nullopt;
  const Result<Json> json = ParseJson(ReadText(folder / "version.json"), {.max_depth = 20});
  if (json.ok() && json->is_object() && json->contains("cuda") && (*json)["cuda"].is_object()) {
    const std::string version = (*json)["cuda"].value("version", "");
    if (const auto cuda = field::ParseCudaVersion(version)) return cuda;
  }
  return HeaderVersion(folder / "include");
}

bool IsMadeHere(const CMakeCache& cache, const fs::path& folder) {
  const std::string_view home = cache.Value("CMAKE_CACHEFILE_DIR");
  const std::string_view command = cache.Value("CMAKE_COMMAND");
  std::error_code error;
  return !home.empty() && fs::equivalent(fs::path(home), folder, error) &&
         (command.empty() || Exists(fs::path(command)));
}

void CheckCMakeCache(const CMakeCache& cache, const CMakeCheckOptions& options,
                     Artifact& artifact) {
  AddFacts(cache, artifact);
  CheckCMakeSettings(cache, artifact);
  CheckCMakeRuntime(cache, artifact);
  CheckPairs(cache, artifact);
  CheckTorchSwitches(cache, artifact);
  CheckStubs(cache, artifact);
  CheckFolders(cache, options, artifact);
  const Result<Root> build = Root::Open(options.folder);
  if (!options.reads_named_files) {
    if (build.ok()) CheckVersions(cache, options, *build, artifact);
    CheckArchitectures(cache, build.ok() ? &*build : nullptr, artifact);
    return;
  }
  if (SayElsewhere(cache, options.folder, artifact) || !build.ok()) {
    CheckArchitectures(cache, nullptr, artifact);
    return;
  }
  CheckPaths(cache, artifact);
  CheckVersions(cache, options, *build, artifact);
  CheckArchitectures(cache, &*build, artifact);
}

}  // namespace sibyl::inspect
