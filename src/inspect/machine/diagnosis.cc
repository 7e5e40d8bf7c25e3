// SPDX-License-Identifier: Apache-2.0
#include "inspect/machine/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace sibyl::inspect {
namespace {

using State = NvmlReport::State;

constexpr Rule kMachineRules[] = {
    {"machine/no-gpu", "there is no GPU and no driver"},
    {"machine/no-driver", "a GPU is on the bus, but no driver is installed"},
    {"machine/driver-not-injected", "the kernel has a driver whose libraries are missing"},
    {"machine/driver-not-loaded",
     "the driver's libraries are installed, but its kernel module is not loaded"},
    {"machine/driver-mismatch", "the driver's kernel module and libraries have different versions"},
    {"machine/no-device", "the driver is installed, but no GPU is visible"},
    {"machine/driver-too-old", "the driver is too old for this CUDA major version"},
    {"machine/stub-first", "the loader finds the toolkit's stub before the driver"},
    {"machine/compat-first", "the loader finds the compat library before the driver's own"},
    {"machine/which-toolkit", "several toolkits, but nothing selects one"},
    {"machine/two-toolkits", "CUDA_HOME and PATH select different toolkits"},
    {"machine/cupti-half", "the toolkit has CUPTI's header without its library"},
    {"machine/no-cupti", "something uses CUPTI, but it is not installed"},
    {"machine/cupti-mismatch", "CUPTI and toolkit have different CUDA major versions"},
    {"machine/torch-cpu", "PyTorch is a CPU-only build on a machine with a GPU"},
    {"machine/counters-forbidden", "only administrators may use hardware counters"},
    {"machine/no-profiler", "no profiler is installed"},
    {"machine/missing-program", "a program that Sibyl runs is not installed"},
};

// "sudo apt install cuda-cupti-13-0": the package names contain the release.
std::string InstallPackage(std::string_view package,
                           const std::optional<field::CudaVersion>& version) {
  if (version) {
    return fmt::format("sudo apt install {}-{}-{}", package, version->major, version->minor);
  }
  return fmt::format("install the package {} of the toolkit's release; for CUDA 13.0 it is {}-13-0",
                     package, package);
}

class Diagnosis {
 public:
  explicit Diagnosis(const Machine& machine) : machine_(machine) {}
  std::vector<Finding> Find();
  std::optional<Finding> FindWhyNoGpu();

 private:
  void Add(Severity severity, std::string code, std::string message, std::string hint) {
    findings_.push_back({.severity = severity,
                         .code = std::move(code),
                         .message = std::move(message),
                         .hint = std::move(hint)});
  }
  bool HasDriverLibrary() const {
    return std::ranges::any_of(machine_.libcuda, [](const DriverLibrary& library) {
      return library.role == DriverLibraryRole::kDriver;
    });
  }
  std::string InstallWheel() const;
  void CheckDriver();
  void CheckLibcuda();
  void CheckToolkits();
  void CheckCupti();
  void CheckTorch();
  void CheckProfilers();

  const Machine& machine_;
  std::vector<Finding> findings_;
};

// Three cases: no GPU or no driver; a driver without its libraries (in a container); libraries
// that cannot communicate with the kernel module.
void Diagnosis::CheckDriver() {
  const bool has_kernel = !machine_.kernel_driver.empty();
  // A Jetson and WSL have no module of this name.
  const bool has_own_way = machine_.device_nodes > 0 && HasDriverLibrary();
  if (!has_kernel && (!machine_.nvml.gpus.empty() || has_own_way)) return;
  if (machine_.nvml.state == State::kMismatch) {
    Add(Severity::kError, "machine/driver-mismatch",
        fmt::format("the kernel module is {}, but the libraries are from another release",
                    has_kernel ? machine_.kernel_driver : std::string("another")),
        "reboot, or: sudo rmmod nvidia_uvm nvidia_drm nvidia_modeset nvidia && sudo modprobe "
        "nvidia");
    return;
  }
  if (!has_kernel && machine_.nvml.state == State::kNotLoaded) {
    Add(Severity::kError, "machine/driver-not-loaded",
        "the driver's libraries are installed, but its kernel module is not loaded",
        "sudo modprobe nvidia; if it fails: dmesg | grep -i nvidia (secure boot, kernel headers)");
    return;
  }
  if (!has_kernel) {
    if (machine_.pci_gpus > 0) {
      Add(Severity::kError, "machine/no-driver",
          fmt::format("{} on the bus, but no driver is installed",
                      Count(machine_.pci_gpus, "NVIDIA GPU")),
          "sudo apt install nvidia-driver (Debian) or: sudo apt install cuda-drivers");
    } else {
      Add(Severity::kNote, "machine/no-gpu",
          machine_.toolkits.empty()
              ? "no NVIDIA GPU, no driver and no toolkit: code can neither be built nor run"
              : "no NVIDIA GPU and no driver: code can be built, but not run",
          "");
    }
    return;
  }
  if (!HasDriverLibrary() && machine_.nvml.state == State::kNoLibrary) {
    Add(Severity::kError, "machine/driver-not-injected",
        fmt::format("the kernel has driver {}, but libcuda.so.1 is missing: the container was "
                    "started without GPU support",
                    machine_.kernel_driver),
        "docker run --gpus all ..., with nvidia-container-toolkit on the host");
    return;
  }
  if (machine_.device_nodes == 0 && machine_.nvml.gpus.empty()) {
    Add(Severity::kError, "machine/no-device",
        fmt::format("driver {} is installed, but no GPU is visible", machine_.kernel_driver),
        machine_.visible_devices.empty()
            ? "sudo nvidia-modprobe -u -c 0"
            : fmt::format("NVIDIA_VISIBLE_DEVICES is '{}': set it to all, or name a GPU",
                          machine_.visible_devices));
  }
}

void Diagnosis::CheckLibcuda() {
  if (machine_.libcuda.empty()) return;
  const DriverLibrary& first = machine_.libcuda[0];
  if (first.role == DriverLibraryRole::kStub) {
    Add(Severity::kError, "machine/stub-first",
        fmt::format("the loader finds the stub {} before any driver: every call fails with "
                    "error 34",
                    first.path),
        "take the stubs folder out of LD_LIBRARY_PATH");
  }
  if (first.role == DriverLibraryRole::kCompat && HasDriverLibrary()) {
    Add(Severity::kWarning, "machine/compat-first",
        fmt::format("the loader finds {} before the driver's own libcuda: error 803 when the "
                    "driver is as new, 804 on GeForce",
                    first.path),
        "take the compat folder out of LD_LIBRARY_PATH and of /etc/ld.so.conf.d, then: sudo "
        "ldconfig");
  }
}

void Diagnosis::CheckToolkits() {
  const Toolkit* in_use = machine_.InUse();
  if (machine_.toolkits.size() > 1 && in_use == nullptr) {
    Add(Severity::kWarning, "machine/which-toolkit",
        fmt::format("{} toolkits, but neither PATH nor CUDA_HOME selects one",
                    machine_.toolkits.size()),
        fmt::format("export CUDA_HOME={0} PATH={0}/bin:$PATH", machine_.toolkits[0].path));
  }
  if (in_use != nullptr && !machine_.cuda_home.empty() && !machine_.nvcc_on_path.empty()) {
    const std::string under = machine_.nvcc_on_path.substr(0, machine_.nvcc_on_path.rfind("/bin/"));
    const auto home = std::ranges::find(machine_.toolkits, machine_.cuda_home, &Toolkit::path);
    if (home != machine_.toolkits.end() && home->path != under) {
      Add(Severity::kWarning, "machine/two-toolkits",
          fmt::format("CUDA_HOME is {}, but nvcc on PATH is from {}", machine_.cuda_home, under),
          fmt::format("export PATH={}/bin:$PATH", machine_.cuda_home));
    }
  }
  const std::string& driver = machine_.kernel_driver;
  const auto parsed = field::ParseDriverVersion(driver);
  if (in_use == nullptr || !parsed) return;
  const auto version = field::ParseCudaVersion(in_use->version);
  const std::string_view floor = version ? field::DriverFloor(version->major) : std::string_view();
  if (!floor.empty() && Compare(*parsed, floor) < 0) {
    Add(Severity::kError, "machine/driver-too-old",
        fmt::format("CUDA {} needs driver {} or newer; this machine has {} (error 35)",
                    in_use->version, floor, driver),
        "update the driver, or use a toolkit with an older major version");
  }
}

// Without a toolkit, only PyTorch needs CUPTI, and loads it from wheels. Up to CUDA 12 their
// names contain the major version.
std::string Diagnosis::InstallWheel() const {
  for (const TorchInstall& torch : machine_.torch) {
    const auto version = field::ParseCudaVersion(torch.cuda);
    if (!version) continue;
    return fmt::format("pip install 'nvidia-cuda-cupti{}=={}.*'",
                       version->major <= 12 ? fmt::format("-cu{}", version->major) : "",
                       Format(*version));
  }
  return "pip install nvidia-cuda-cupti";
}

void Diagnosis::CheckCupti() {
  const CuptiAnswer answer = AnswerCupti(machine_);
  const Toolkit* in_use = machine_.InUse();
  const auto version = in_use == nullptr ? std::nullopt : field::ParseCudaVersion(in_use->version);
  const bool has_library = std::ranges::any_of(
      machine_.cupti, [](const CuptiCopy& copy) { return copy.owner == CuptiOwner::kToolkit; });
  if (in_use != nullptr && in_use->has_nvcc && in_use->has_cupti_header && !has_library) {
    Add(Severity::kError, "machine/cupti-half",
        "the toolkit has CUPTI's header but not its library: projects configured against it are "
        "silently built without profiling",
        InstallPackage("cuda-cupti-dev", version));
  } else if (answer.is_needed && !answer.is_there) {
    Add(Severity::kWarning, "machine/no-cupti",
        fmt::format("{}, but CUPTI is not installed", answer.why),
        in_use != nullptr ? InstallPackage("cuda-cupti", version) : InstallWheel());
  }
  for (const CuptiCopy& copy : machine_.cupti) {
    if (copy.owner != CuptiOwner::kToolkit || !version || copy.cuda_major == 0) continue;
    if (copy.cuda_major == version->major) continue;
    const bool is_of_another =
        machine_.toolkits.size() > 1 && !copy.path.starts_with(in_use->path + "/");
    if (is_of_another) continue;
    Add(Severity::kWarning, "machine/cupti-mismatch",
        fmt::format("{} is for CUDA {}, but the toolkit is {}", copy.path, copy.cuda_major,
                    in_use->version),
        "install the cuda-cupti package for the toolkit's release");
  }
}

void Diagnosis::CheckTorch() {
  for (const TorchInstall& torch : machine_.torch) {
    if (torch.cuda.empty()) {
      if (machine_.nvml.gpus.empty()) continue;
      Add(Severity::kWarning, "machine/torch-cpu",
          fmt::format("PyTorch {} in {} is a CPU-only build, but this machine has a GPU",
                      torch.version, torch.path),
          "install a build with CUDA; https://pytorch.org/get-started/locally has the command");
      continue;
    }
    const auto version = field::ParseCudaVersion(torch.cuda);
    const auto driver = field::ParseDriverVersion(machine_.kernel_driver);
    const std::string_view floor =
        version ? field::DriverFloor(version->major) : std::string_view();
    if (driver && !floor.empty() && Compare(*driver, floor) < 0) {
      Add(Severity::kError, "machine/driver-too-old",
          fmt::format("PyTorch {} was built with CUDA {}, which needs driver {} or newer; this "
                      "machine has {}",
                      torch.version, torch.cuda, floor, machine_.kernel_driver),
          "update the driver, or install a PyTorch built with an older CUDA");
    }
  }
}

void Diagnosis::CheckProfilers() {
  if (machine_.counters_for_all == false && !machine_.is_administrator) {
    Add(Severity::kWarning, "machine/counters-forbidden",
        "only administrators may use hardware counters: ncu fails with ERR_NVGPUCTRPERM",
        "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
        "/etc/modprobe.d/nvidia-profiling.conf, then reload the driver");
  }
  if (machine_.kernel_driver.empty()) return;  // nothing to profile
  if (machine_.nsys.empty() && machine_.ncu.empty() && !machine_.toolkits.empty()) {
    Add(Severity::kNote, "machine/no-profiler", "neither nsys nor ncu is installed",
        "sudo apt install nsight-systems nsight-compute");
  }
}

std::optional<Finding> Diagnosis::FindWhyNoGpu() {
  CheckDriver();
  if (findings_.empty()) return std::nullopt;
  return findings_.front();
}

std::vector<Finding> Diagnosis::Find() {
  CheckDriver();
  CheckLibcuda();
  CheckToolkits();
  CheckCupti();
  CheckTorch();
  CheckProfilers();
  std::ranges::stable_sort(findings_, std::greater{}, &Finding::severity);
  return std::move(findings_);
}

std::string_view OwnerName(CuptiOwner owner) {
  switch (owner) {
    case CuptiOwner::kToolkit:
      return "toolkit";
    case CuptiOwner::kWheel:
      return "wheel";
    case CuptiOwner::kTriton:
      return "private to Triton";
    case CuptiOwner::kNsight:
      return "private to Nsight Compute";
    case CuptiOwner::kOther:
      break;
  }
  return "system";
}

bool IsUsable(CuptiOwner owner) {
  return owner != CuptiOwner::kTriton && owner != CuptiOwner::kNsight;
}

}  // namespace

std::optional<Finding> WhyNoGpu(const Machine& machine) {
  return Diagnosis(machine).FindWhyNoGpu();
}

std::vector<Finding> Diagnose(const Machine& machine) { return Diagnosis(machine).Find(); }

CuptiAnswer AnswerCupti(const Machine& machine) {
  CuptiAnswer answer;
  std::vector<std::string> reasons;
  for (const TorchInstall& torch : machine.torch) {
    if (torch.cuda.empty()) continue;
    reasons.push_back(fmt::format("torch.profiler of PyTorch {} loads it", torch.version));
  }
  if (const Toolkit* toolkit = machine.InUse(); toolkit != nullptr && toolkit->has_nvcc) {
    reasons.push_back(fmt::format(
        "profilers built with the toolkit in {} (Kineto in PyTorch, TensorFlow) link it",
        toolkit->path));
  }
  answer.is_needed = !reasons.empty();
  answer.why =
      reasons.empty() ? "nothing here uses it: nsys and ncu bring their own" : Join(reasons, "; ");
  std::vector<std::string> copies;
  for (const CuptiCopy& copy : machine.cupti) {
    answer.is_there = answer.is_there || IsUsable(copy.owner);
    // Nsight has one for every CUDA since 10.2; one line is enough for them.
    if (copy.owner == CuptiOwner::kNsight &&
        std::ranges::any_of(copies, [](const std::string& text) {
          return text.find("Nsight") != std::string::npos;
        })) {
      continue;
    }
    copies.push_back(fmt::format("{} ({})", copy.path, OwnerName(copy.owner)));
  }
  answer.have = copies.empty() ? "none" : Join(copies, ", ");
  return answer;
}

std::vector<Fact> MachineFacts(const Machine& machine) {
  std::vector<Fact> facts;
  const auto add = [&](std::string key, Json value) {
    facts.push_back({"machine", std::move(key), std::move(value)});
  };
  Json toolkits = Json::array();
  for (const Toolkit& toolkit : machine.toolkits) {
    toolkits.push_back({{"path", toolkit.path},
                        {"version", toolkit.version},
                        {"nvcc", toolkit.has_nvcc},
                        {"in_use", machine.InUse() == &toolkit}});
  }
  add("toolkits", std::move(toolkits));
  add("driver.kernel", machine.kernel_driver);
  add("driver.nvml", machine.nvml.driver_version);
  Json gpus = Json::array();
  for (const SeenGpu& gpu : machine.nvml.gpus) {
    gpus.push_back({{"name", gpu.name},
                    {"arch", fmt::format("sm_{}", gpu.number)},
                    {"memory_bytes", gpu.memory_bytes},
                    {"uuid", gpu.uuid}});
  }
  add("gpus", std::move(gpus));
  Json libcuda = Json::array();
  for (const DriverLibrary& library : machine.libcuda) {
    constexpr std::string_view kRoles[] = {"driver", "compat", "stub"};
    libcuda.push_back({{"path", library.path}, {"role", kRoles[static_cast<int>(library.role)]}});
  }
  add("libcuda", std::move(libcuda));
  Json cupti = Json::array();
  for (const CuptiCopy& copy : machine.cupti) {
    cupti.push_back({{"path", copy.path}, {"owner", OwnerName(copy.owner)}});
  }
  add("cupti", std::move(cupti));
  add("cupti.header_version", machine.cupti_header_version);
  add("nsys", machine.nsys);
  add("ncu", machine.ncu);
  add("cudnn", machine.cudnn);
  add("nccl", machine.nccl);
  Json torch = Json::array();
  for (const TorchInstall& install : machine.torch) {
    torch.push_back({{"path", install.path}, {"version", install.version}, {"cuda", install.cuda}});
  }
  add("torch", std::move(torch));
  add("container", machine.is_container);
  add("container.toolkit", machine.has_container_toolkit);
  add("counters_for_all",
      machine.counters_for_all ? Json(*machine.counters_for_all) : Json(nullptr));
  return facts;
}

std::span<const Rule> MachineRules() { return kMachineRules; }

}  // namespace sibyl::inspect
