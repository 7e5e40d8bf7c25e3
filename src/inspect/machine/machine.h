// SPDX-License-Identifier: Apache-2.0
// This machine as CUDA programs see it: toolkits, driver, GPUs, profilers, CUPTI, PyTorch.
// Reads files only; runs nothing but ldconfig and imports nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "field/field.h"
#include "inspect/machine/nvml.h"

namespace sibyl::inspect {

/// Access to the machine; tests replace the root folder.
struct MachineAccess {
  std::filesystem::path root = "/";
  std::function<std::optional<std::string>(const char*)> environment;
  std::function<NvmlReport()> nvml;
  /// The output of "ldconfig -p".
  std::function<std::string()> loader_cache;
  bool is_administrator = false;
};

/// Access to the real machine.
MachineAccess ThisMachine();

struct Toolkit {
  std::string path;     ///< With links resolved, relative to the root.
  std::string version;  ///< "13.0"; empty if unknown.
  bool has_nvcc = false;
  bool has_cupti_header = false;
};

enum class CuptiOwner { kToolkit, kWheel, kTriton, kNsight, kOther };

struct CuptiCopy {
  std::string path;
  CuptiOwner owner = CuptiOwner::kOther;
  std::uint32_t cuda_major = 0;  ///< From its SONAME: libcupti.so.13.
};

enum class DriverLibraryRole { kDriver, kCompat, kStub };

struct DriverLibrary {
  std::string path;
  DriverLibraryRole role = DriverLibraryRole::kDriver;
};

struct TorchInstall {
  std::string path;     ///< Its folder.
  std::string version;  ///< "2.11.0+cu130"
  std::string cuda;     ///< "13.0"; empty for a CPU build.
};

struct Machine {
  std::vector<Toolkit> toolkits;
  std::string nvcc_on_path;
  std::string cuda_home;
  std::string kernel_driver;           ///< Version of the loaded kernel module; empty: none.
  std::size_t pci_gpus = 0;            ///< NVIDIA display or compute devices on the PCI bus.
  std::size_t device_nodes = 0;        ///< Of cards, and of the GPU of a Jetson or of WSL.
  std::vector<DriverLibrary> libcuda;  ///< In the order in which the loader finds them.
  NvmlReport nvml;
  std::vector<CuptiCopy> cupti;
  std::string cupti_header_version;  ///< CUPTI_API_VERSION of the toolkit in use.
  std::vector<std::string> nsys;
  std::vector<std::string> ncu;
  std::vector<std::string> cudnn;  ///< "9.19.0 in /usr/local/cuda/include"
  std::vector<std::string> nccl;
  std::vector<TorchInstall> torch;
  bool is_container = false;
  std::string visible_devices;  ///< NVIDIA_VISIBLE_DEVICES; empty: not set.
  bool has_container_toolkit = false;
  std::optional<bool> counters_for_all;  ///< nullopt if the driver does not report it.
  bool is_administrator = false;

  const Toolkit* InUse() const;  ///< Of nvcc on PATH, of CUDA_HOME, or the only one.
};

Machine InspectMachine(const MachineAccess& access);

}  // namespace sibyl::inspect
