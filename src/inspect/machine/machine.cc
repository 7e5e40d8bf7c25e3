// SPDX-License-Identifier: Apache-2.0
#include "inspect/machine/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/files/files.h"
#include "base/files/root.h"
#include "base/json.h"
#include "base/process/environment.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "inspect/python/python_package.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMachineText = std::size_t{4} << 20;

class MachineInspector {
 public:
  explicit MachineInspector(const MachineAccess& access) : access_(access) {}
  Machine Inspect();

 private:
  fs::path In(const fs::path& path) const { return access_.root / path.relative_path(); }
  std::string Out(const fs::path& path) const {
    return (fs::path("/") / path.lexically_relative(access_.root)).string();
  }
  std::string Variable(const char* name) const { return access_.environment(name).value_or(""); }
  std::string Read(const fs::path& path) const {
    Result<std::string> text = ReadFile(path, {.max_bytes = kMostMachineText});
    return text.ok() ? *std::move(text) : std::string();
  }
  static bool Exists(const fs::path& path) {
    std::error_code error;
    return fs::exists(path, error);
  }
  static std::vector<fs::path> Inside(const fs::path& folder) {
    std::vector<fs::path> paths;
    const Result<Root> root = Root::Open(folder);
    if (!root.ok()) return paths;
    const Result<std::vector<RootEntry>> entries = root->List();
    if (!entries.ok()) return paths;
    for (const RootEntry& entry : *entries) paths.push_back(folder / entry.name);
    return paths;
  }
  void FindToolkits();
  void AddToolkit(const fs::path& path);
  void ReadDriver();
  void FindLibcuda();
  void FindPython();
  void ReadSitePackages(const fs::path& folder);
  void FindCupti();
  void AddCupti(const fs::path& folder, CuptiOwner owner);
  void FindTools();
  void FindLibraries();
  void ReadContainer();
  std::string Defined(const std::string& header, std::string_view name) const;

  const MachineAccess& access_;
  Machine machine_;
  std::set<std::string> seen_;
};

// The value of "#define NAME 13000".
std::string MachineInspector::Defined(const std::string& header, std::string_view name) const {
  const std::string define = fmt::format("#define {} ", name);
  const std::size_t at = header.find(define);
  if (at == std::string::npos) return {};
  const std::string_view rest = std::string_view(header).substr(at + define.size(), 64);
  return std::string(Trim(rest.substr(0, rest.find('\n'))));
}

void MachineInspector::AddToolkit(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  if (error || !seen_.insert(real.string()).second) return;
  const bool has_header = Exists(real / "include" / "cuda.h");
  const bool has_nvcc = Exists(real / "bin" / "nvcc");
  if (!has_header && !has_nvcc) return;
  Toolkit toolkit{.path = Out(real), .has_nvcc = has_nvcc};
  toolkit.has_cupti_header = Exists(real / "include" / "cupti.h") ||
                             Exists(real / "extras" / "CUPTI" / "include" / "cupti.h");
  const std::string number = Defined(Read(real / "include" / "cuda.h"), "CUDA_VERSION");
  std::uint32_t value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  if (value >= 1000) toolkit.version = fmt::format("{}.{}", value / 1000, value % 1000 / 10);
  if (const Result<Json> json = ParseJson(Read(real / "version.json"));
      json.ok() && json->is_object() && json->contains("cuda") && (*json)["cuda"].is_object()) {
    toolkit.version = (*json)["cuda"].value("version", toolkit.version);
  }
  machine_.toolkits.push_back(std::move(toolkit));
}

void MachineInspector::FindToolkits() {
  machine_.cuda_home = Variable("CUDA_HOME");
  if (machine_.cuda_home.empty()) machine_.cuda_home = Variable("CUDA_PATH");
  const std::string path = Variable("PATH");
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    const fs::path nvcc = In(path.substr(start, end - start)) / "nvcc";
    if (end > start && machine_.nvcc_on_path.empty() && Exists(nvcc)) {
      std::error_code error;
      const fs::path real = fs::weakly_canonical(nvcc, error);
      machine_.nvcc_on_path = Out(real);
      AddToolkit(real.parent_path().parent_path());
    }
    start = end + 1;
  }
  if (!machine_.cuda_home.empty()) AddToolkit(In(machine_.cuda_home));
  for (const fs::path& entry : Inside(In("/usr/local"))) {
    if (entry.filename().string().starts_with("cuda")) AddToolkit(entry);
  }
  AddToolkit(In("/opt/cuda"));
  AddToolkit(In("/usr/lib/cuda"));
  for (const fs::path& release : Inside(In("/opt/nvidia/hpc_sdk/Linux_x86_64"))) {
    AddToolkit(release / "cuda");
  }
  if (const std::string conda = Variable("CONDA_PREFIX"); !conda.empty()) {
    AddToolkit(In(conda));
    AddToolkit(In(conda) / "targets" / "x86_64-linux");
  }
}

// "NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build": the first word after
// "Module" with two or three numbers.
void MachineInspector::ReadDriver() {
  const std::string text = Read(In("/proc/driver/nvidia/version"));
  const std::size_t module = text.find("Module");
  if (module != std::string::npos) {
    std::string_view rest = std::string_view(text).substr(module);
    rest = rest.substr(0, rest.find('\n'));
    for (std::size_t start = 0; start < rest.size() && machine_.kernel_driver.empty();) {
      const std::size_t end = std::min(rest.find(' ', start), rest.size());
      const std::string_view word = rest.substr(start, end - start);
      if (word.find('.') != std::string_view::npos && field::ParseDriverVersion(word)) {
        machine_.kernel_driver = word;
      }
      start = end + 1;
    }
  }
  if (machine_.kernel_driver.empty()) {
    machine_.kernel_driver = Trim(Read(In("/sys/module/nvidia/version")));
  }
  for (const fs::path& device : Inside(In("/sys/bus/pci/devices"))) {
    const std::string class_text = Read(device / "class");
    if (Trim(Read(device / "vendor")) == "0x10de" && class_text.starts_with("0x03")) {
      ++machine_.pci_gpus;
    }
  }
  for (const fs::path& node : Inside(In("/dev"))) {
    const std::string name = node.filename().string();
    const bool is_card =
        name.starts_with("nvidia") && name.size() > 6 && name[6] >= '0' && name[6] <= '9';
    // The GPU of a Jetson, and that of the host of WSL.
    if (is_card || name == "nvhost-gpu" || name == "dxg") ++machine_.device_nodes;
  }
  const std::string parameters = Read(In("/proc/driver/nvidia/params"));
  constexpr std::string_view kAdminOnly = "RmProfilingAdminOnly: ";
  if (const std::size_t at = parameters.find(kAdminOnly); at != std::string::npos) {
    machine_.counters_for_all = parameters.substr(at + kAdminOnly.size(), 1) == "0";
  }
}

DriverLibraryRole RoleOf(const std::string& path) {
  if (path.find("/stubs/") != std::string::npos) return DriverLibraryRole::kStub;
  if (path.find("/compat/") != std::string::npos) return DriverLibraryRole::kCompat;
  return DriverLibraryRole::kDriver;
}

// Searches like the loader: LD_LIBRARY_PATH, its cache, the system folders.
void MachineInspector::FindLibcuda() {
  std::set<std::string> seen;
  const auto add = [&](const fs::path& path) {
    if (!Exists(path)) return;
    std::error_code error;
    const std::string real = Out(fs::weakly_canonical(path, error));
    if (!seen.insert(real).second) return;
    machine_.libcuda.push_back({.path = Out(path), .role = RoleOf(real)});
  };
  const std::string path = Variable("LD_LIBRARY_PATH");
  for (std::size_t start = 0; start < path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    if (end > start) {
      add(In(path.substr(start, end - start)) / "libcuda.so.1");
      // A program that was linked by hand may request the stub by name.
      if (RoleOf(path.substr(start, end - start) + "/") == DriverLibraryRole::kStub) {
        add(In(path.substr(start, end - start)) / "libcuda.so");
      }
    }
    start = end + 1;
  }
  const std::string cache = access_.loader_cache ? access_.loader_cache() : std::string();
  for (const std::string_view line : SplitLines(cache)) {
    if (!Trim(line).starts_with("libcuda.so.1 ")) continue;
    const std::size_t arrow = line.find("=> ");
    if (arrow != std::string_view::npos) add(In(std::string(Trim(line.substr(arrow + 3)))));
  }
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
                             "/usr/lib64", "/usr/lib", "/usr/lib/wsl/lib"}) {
    add(In(folder) / "libcuda.so.1");
  }
}

void MachineInspector::AddCupti(const fs::path& folder, CuptiOwner owner) {
  for (const fs::path& file : Inside(folder)) {
    const std::string name = file.filename().string();
    constexpr std::string_view kName = "libcupti.so.";
    std::error_code error;
    if (!name.starts_with(kName)) continue;
    const fs::path real = fs::weakly_canonical(file, error);
    if (!seen_.insert("cupti:" + real.string()).second) continue;
    CuptiCopy copy{.path = Out(file), .owner = owner};
    const std::string number = name.substr(kName.size());
    std::from_chars(number.data(), number.data() + number.size(), copy.cuda_major);
    if (copy.cuda_major > 1000) copy.cuda_major = 0;  // libcupti.so.2025.3.1
    machine_.cupti.push_back(std::move(copy));
  }
}

void MachineInspector::FindCupti() {
  for (const Toolkit& toolkit : machine_.toolkits) {
    const fs::path path = In(toolkit.path);
    for (const char* folder : {"lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib",
                               "targets/sbsa-linux/lib"}) {
      AddCupti(path / folder, CuptiOwner::kToolkit);
    }
    const std::string header = Exists(path / "include" / "cupti_version.h")
                                   ? Read(path / "include" / "cupti_version.h")
                                   : Read(path / "extras/CUPTI/include/cupti_version.h");
    if (machine_.cupti_header_version.empty()) {
      machine_.cupti_header_version = Defined(header, "CUPTI_API_VERSION");
    }
  }
  AddCupti(In("/usr/lib/x86_64-linux-gnu"), CuptiOwner::kOther);
  for (const fs::path& release : Inside(In("/opt/nvidia/nsight-compute"))) {
    AddCupti(release / "host" / "target-linux-x64", CuptiOwner::kNsight);
  }
}

void MachineInspector::ReadSitePackages(const fs::path& folder) {
  if (!Exists(folder) || !seen_.insert("site:" + folder.string()).second) return;
  AddCupti(folder / "triton/backends/nvidia/lib/cupti", CuptiOwner::kTriton);
  for (const fs::path& part : Inside(folder / "nvidia")) {
    AddCupti(part / "lib", CuptiOwner::kWheel);
  }
  for (const fs::path& entry : Inside(folder)) {
    const std::string name = entry.filename().string();
    if (!name.ends_with(".dist-info")) continue;
    const bool is_torch = name.starts_with("torch-");
    const bool is_cudnn = name.starts_with("nvidia_cudnn_");
    const bool is_nccl = name.starts_with("nvidia_nccl_");
    if (!is_torch && !is_cudnn && !is_nccl) continue;
    const PythonMetadata metadata = ParseMetadata(Read(entry / "METADATA"));
    if (is_cudnn) machine_.cudnn.push_back(fmt::format("{} in {}", metadata.version, Out(folder)));
    if (is_nccl) machine_.nccl.push_back(fmt::format("{} in {}", metadata.version, Out(folder)));
    if (!is_torch) continue;
    TorchInstall torch{.path = Out(folder / "torch"), .version = metadata.version};
    const std::string about = Read(folder / "torch" / "version.py");
    for (const std::string_view line : SplitLines(about)) {
      if (!line.starts_with("cuda")) continue;
      const std::size_t open = line.find_first_of("'\"");
      const std::size_t close = open == std::string_view::npos
                                    ? std::string_view::npos
                                    : line.find_first_of("'\"", open + 1);
      if (close != std::string_view::npos) torch.cuda = line.substr(open + 1, close - open - 1);
    }
    machine_.torch.push_back(std::move(torch));
  }
}

void MachineInspector::FindPython() {
  std::vector<fs::path> prefixes;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    if (const std::string prefix = Variable(name); !prefix.empty()) prefixes.push_back(In(prefix));
  }
  const std::string path = Variable("PATH");
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find(':', start), path.size());
    const fs::path folder = In(path.substr(start, end - start));
    if (end > start && Exists(folder / "python3")) prefixes.push_back(folder.parent_path());
    start = end + 1;
  }
  if (const std::string home = Variable("HOME"); !home.empty()) {
    prefixes.push_back(In(home) / ".local");
  }
  prefixes.push_back(In("/usr/local"));
  prefixes.push_back(In("/usr"));
  for (const fs::path& prefix : prefixes) {
    for (const fs::path& python : Inside(prefix / "lib")) {
      if (!python.filename().string().starts_with("python3")) continue;
      ReadSitePackages(python / "site-packages");
      ReadSitePackages(python / "dist-packages");
    }
  }
}

void MachineInspector::FindTools() {
  const auto find = [&](std::string_view name, std::vector<std::string>& found) {
    const std::string path = Variable("PATH");
    for (std::size_t start = 0; start <= path.size();) {
      const std::size_t end = std::min(path.find(':', start), path.size());
      const fs::path file = In(path.substr(start, end - start)) / name;
      if (end > start && Exists(file)) found.push_back(Out(file));
      start = end + 1;
    }
  };
  find("nsys", machine_.nsys);
  find("ncu", machine_.ncu);
  for (const fs::path& release : Inside(In("/opt/nvidia/nsight-systems"))) {
    if (Exists(release / "bin" / "nsys")) machine_.nsys.push_back(Out(release / "bin" / "nsys"));
  }
  for (const fs::path& release : Inside(In("/opt/nvidia/nsight-compute"))) {
    if (Exists(release / "ncu")) machine_.ncu.push_back(Out(release / "ncu"));
  }
}

void MachineInspector::FindLibraries() {
  std::vector<fs::path> folders;
  for (const Toolkit& toolkit : machine_.toolkits) folders.push_back(In(toolkit.path) / "include");
  folders.push_back(In("/usr/include"));
  folders.push_back(In("/usr/include/x86_64-linux-gnu"));
  for (const fs::path& folder : folders) {
    std::string cudnn = Read(folder / "cudnn_version.h");
    if (cudnn.find("CUDNN_MAJOR") == std::string::npos) cudnn = Read(folder / "cudnn_version_v9.h");
    if (const std::string major = Defined(cudnn, "CUDNN_MAJOR"); !major.empty()) {
      machine_.cudnn.push_back(fmt::format("{}.{}.{} in {}", major, Defined(cudnn, "CUDNN_MINOR"),
                                           Defined(cudnn, "CUDNN_PATCHLEVEL"), Out(folder)));
    }
    const std::string nccl = Read(folder / "nccl.h");
    if (const std::string major = Defined(nccl, "NCCL_MAJOR"); !major.empty()) {
      machine_.nccl.push_back(fmt::format("{}.{}.{} in {}", major, Defined(nccl, "NCCL_MINOR"),
                                          Defined(nccl, "NCCL_PATCH"), Out(folder)));
    }
  }
}

void MachineInspector::ReadContainer() {
  machine_.is_container = Exists(In("/.dockerenv")) || Exists(In("/run/.containerenv")) ||
                          Read(In("/proc/1/cgroup")).find("docker") != std::string::npos;
  machine_.visible_devices = Variable("NVIDIA_VISIBLE_DEVICES");
  machine_.has_container_toolkit =
      Exists(In("/usr/bin/nvidia-ctk")) || Exists(In("/usr/bin/nvidia-container-runtime")) ||
      Exists(In("/etc/cdi/nvidia.yaml")) || Exists(In("/var/run/cdi/nvidia.yaml"));
}

Machine MachineInspector::Inspect() {
  machine_.is_administrator = access_.is_administrator;
  FindToolkits();
  ReadDriver();
  FindLibcuda();
  FindCupti();
  FindPython();
  FindTools();
  FindLibraries();
  ReadContainer();
  if (access_.nvml) machine_.nvml = access_.nvml();
  return std::move(machine_);
}

}  // namespace

const Toolkit* Machine::InUse() const {
  for (const Toolkit& toolkit : toolkits) {
    if (!nvcc_on_path.empty() && nvcc_on_path == toolkit.path + "/bin/nvcc") return &toolkit;
  }
  for (const Toolkit& toolkit : toolkits) {
    if (!cuda_home.empty() && toolkit.path == cuda_home) return &toolkit;
  }
  return toolkits.size() == 1 ? &toolkits[0] : nullptr;
}

MachineAccess ThisMachine() {
  return {.root = "/",
          .environment = EnvironmentVariable,
          .nvml = QueryNvml,
          .loader_cache =
              [] {
                const Result<Outcome> listed =
                    RunProgram({.program = "/sbin/ldconfig",
                                .arguments = {"-p"},
                                .limits = {.time = std::chrono::seconds(5),
                                           .output_bytes = std::size_t{8} << 20}});
                return listed.ok() ? listed->output : std::string();
              },
          .is_administrator = ::geteuid() == 0};
}

Machine InspectMachine(const MachineAccess& access) { return MachineInspector(access).Inspect(); }

}  // namespace sibyl::inspect
