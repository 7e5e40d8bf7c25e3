// SPDX-License-Identifier: Apache-2.0
#include "inspect/machine/installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files/files.h"
#include "base/process/this_program.h"
#include "base/strings.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kToolkitGuide =
    "https://docs.nvidia.com/cuda/cuda-installation-guide-linux/";

constexpr std::size_t kMostInstallationText = std::size_t{64} << 10;

struct ProgramRow {
  std::string_view name;
  std::string_view needed_for;
  std::string_view debian;
  std::string_view fedora;
  std::string_view arch;
  std::string_view suse;
  std::string_view alpine;
};

constexpr std::array<ProgramRow, 6> kProgramRows = {{
    {"git", "audit in a repository, source add of a repository, expand", "git", "git", "git", "git",
     "git"},
    {"pdftotext", "source add of PDF files", "poppler-utils", "poppler-utils", "poppler",
     "poppler-tools", "poppler-utils"},
    {"bwrap", "source add of PDF files, audit --code, verify --code", "bubblewrap", "bubblewrap",
     "bubblewrap", "bubblewrap", "bubblewrap"},
    {"nvcc", "lab run, audit --code with CUDA", "cuda-toolkit", "cuda-toolkit", "cuda",
     "cuda-toolkit", ""},
    {"cmake", "lab run", "cmake", "cmake", "cmake", "cmake", "cmake"},
    {"c++", "lab run, audit --code with C++", "g++", "gcc-c++", "gcc", "gcc-c++", "g++"},
}};

fs::path InRoot(const MachineAccess& access, const fs::path& path) {
  return access.root / path.relative_path();
}

bool IsThere(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string TextAt(const fs::path& path) {
  const Result<std::string> text = ReadFile(path, {.max_bytes = kMostInstallationText});
  return text.ok() ? *text : std::string();
}

std::string FindOnPath(const MachineAccess& access, std::string_view name) {
  const std::string path = access.environment("PATH").value_or("/usr/bin:/bin");
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    const fs::path folder = path.substr(start, end - start);
    // Sibyl never runs a program from a folder that depends on where it is started.
    if (folder.is_absolute() && IsThere(InRoot(access, folder / name))) {
      return (folder / name).string();
    }
    start = end + 1;
  }
  return {};
}

// The words of ID and ID_LIKE in os-release: "ubuntu debian".
std::string Distribution(const MachineAccess& access) {
  std::string text = TextAt(InRoot(access, "/etc/os-release"));
  if (text.empty()) text = TextAt(InRoot(access, "/usr/lib/os-release"));
  std::string words = " ";
  for (const std::string_view line : SplitLines(text)) {
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, equals);
    if (key != "ID" && key != "ID_LIKE") continue;
    for (const char letter : line.substr(equals + 1)) {
      if (letter != '"' && letter != '\'') words += letter;
    }
    words += ' ';
  }
  return words;
}

// `apt update` makes it; images of containers have no lists of packages, nor this.
bool HasPackageLists(const MachineAccess& access) {
  return IsThere(InRoot(access, "/var/lib/apt/lists/lock"));
}

std::string InstallCommand(const ProgramRow& row, std::string_view distribution,
                           const MachineAccess& access) {
  const auto is = [distribution](std::string_view name) {
    return Contains(distribution, fmt::format(" {} ", name));
  };
  const std::string_view sudo = access.is_administrator ? "" : "sudo ";
  // The packages of distributions are missing or too old: Debian 12 has CUDA 11.8, in non-free.
  const bool is_nvcc = row.name == "nvcc";
  const std::string remark =
      is_nvcc ? fmt::format("   # from NVIDIA's repository: {}", kToolkitGuide) : "";
  if (is("debian") || is("ubuntu")) {
    const bool has_lists = HasPackageLists(access) && !is_nvcc;
    return fmt::format("{}{}apt install {}{}",
                       has_lists ? "" : fmt::format("{}apt update && ", sudo), sudo, row.debian,
                       remark);
  }
  if (is("fedora") || is("rhel")) {
    return fmt::format("{}dnf install {}{}", sudo, row.fedora, remark);
  }
  if (is("arch")) return fmt::format("{}pacman -S {}", sudo, row.arch);
  if (is("suse") || is("opensuse")) {
    return fmt::format("{}zypper install {}{}", sudo, row.suse, remark);
  }
  if (is("alpine")) {
    return row.alpine.empty() ? "NVIDIA publishes no toolkit for Alpine; use another distribution"
                              : fmt::format("{}apk add {}", sudo, row.alpine);
  }
  if (is_nvcc) return fmt::format("install the CUDA toolkit: {}", kToolkitGuide);
  return fmt::format("install the package {} (Debian), {} (Fedora) or {} (Arch)", row.debian,
                     row.fedora, row.arch);
}

}  // namespace

Installation FindInstallation(const MachineAccess& access, const fs::path& program) {
  if (program.empty()) return {.kind = "unknown", .path = {}};  // /proc is not mounted
  const fs::path folder = program.parent_path();
  const std::string marker = TextAt(InRoot(access, folder / "installed-as"));
  const std::string kind(Trim(marker));
  for (const std::string_view known : {"bundle", "wheel", "npm", "image"}) {
    if (kind != known) continue;
    const fs::path bundle = folder.parent_path().parent_path();  // without lib/sibyl
    return {.kind = kind, .path = bundle.string()};
  }
  if (program == "/usr/bin/sibyl" && IsThere(InRoot(access, "/var/lib/dpkg/info/sibyl.list"))) {
    return {.kind = "deb", .path = program.string()};
  }
  if (IsThere(InRoot(access, folder / "CMakeCache.txt"))) {
    return {.kind = "build", .path = folder.string()};
  }
  if (IsThere(InRoot(access, folder / "../share/sibyl"))) {
    return {.kind = "prefix", .path = folder.parent_path().string()};
  }
  return {.kind = "files", .path = program.string()};
}

Installation ThisInstallation(const MachineAccess& access) {
  return FindInstallation(access, ThisProgram());
}

std::string DescribeInstallation(const Installation& installation) {
  const std::string& kind = installation.kind;
  if (kind == "deb") return "Debian package, " + installation.path;
  if (kind == "build") return "built from source in " + installation.path;
  if (kind == "wheel") return "Python wheel, in " + installation.path;
  if (kind == "npm") return "npm package, in " + installation.path;
  if (kind == "image") return "container image";
  if (kind == "bundle") return "bundle in " + installation.path;
  if (kind == "prefix") return "installed from source in " + installation.path;
  if (kind == "files") return installation.path + ", without share/sibyl: no labs and no oracle";
  if (kind == "unknown") return "installed in an unknown way: /proc is not mounted";
  return installation.path;
}

std::vector<OutsideProgram> FindOutsidePrograms(const MachineAccess& access,
                                                const Machine& machine) {
  const std::string distribution = Distribution(access);
  std::vector<OutsideProgram> programs;
  for (const ProgramRow& row : kProgramRows) {
    std::string path = FindOnPath(access, row.name);
    for (const std::string_view other : {"g++", "clang++"}) {
      if (row.name == "c++" && path.empty()) path = FindOnPath(access, other);
    }
    if (row.name == "nvcc" && path.empty()) {
      const auto toolkit = std::ranges::find_if(machine.toolkits, &Toolkit::has_nvcc);
      if (toolkit != machine.toolkits.end()) path = toolkit->path + "/bin/nvcc";
    }
    programs.push_back({.name = row.name,
                        .needed_for = row.needed_for,
                        .path = std::move(path),
                        .install = InstallCommand(row, distribution, access)});
  }
  return programs;
}

std::vector<Finding> DiagnosePrograms(const std::vector<OutsideProgram>& programs) {
  std::vector<Finding> findings;
  for (const OutsideProgram& program : programs) {
    if (!program.path.empty()) continue;
    findings.push_back({.severity = Severity::kNote,
                        .code = "machine/missing-program",
                        .message = fmt::format("{} is not installed; needed for {}", program.name,
                                               program.needed_for),
                        .hint = program.install});
  }
  return findings;
}

}  // namespace sibyl::inspect
