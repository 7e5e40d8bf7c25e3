// SPDX-License-Identifier: Apache-2.0
#include "inspect/machine/nvml.h"

#include <dlfcn.h>

#include <array>
#include <memory>

#include "base/free.h"

namespace sibyl::inspect {
namespace {

constexpr int kSuccess = 0;
constexpr int kDriverNotLoaded = 9;
constexpr int kVersionMismatch = 18;
constexpr unsigned kMostGpus = 1024;

using Library = std::unique_ptr<void, Free<dlclose>>;
using Device = struct NvmlDevice*;
struct NvmlMemory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

template <typename Function>
Function Load(const Library& library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library.get(), name));
}

template <typename... Arguments>
using Call = int (*)(Arguments...);

SeenGpu AskDevice(const Library& library, Device device) {
  SeenGpu gpu;
  std::array<char, 128> text{};
  if (const auto name = Load<Call<Device, char*, unsigned>>(library, "nvmlDeviceGetName");
      name != nullptr && name(device, text.data(), text.size() - 1) == kSuccess) {
    gpu.name = text.data();
  }
  if (const auto uuid = Load<Call<Device, char*, unsigned>>(library, "nvmlDeviceGetUUID");
      uuid != nullptr && uuid(device, text.data(), text.size() - 1) == kSuccess) {
    gpu.uuid = text.data();
  }
  NvmlMemory memory{};
  if (const auto ask = Load<Call<Device, NvmlMemory*>>(library, "nvmlDeviceGetMemoryInfo");
      ask != nullptr && ask(device, &memory) == kSuccess) {
    gpu.memory_bytes = memory.total;
  }
  int major = 0;
  int minor = 0;
  if (const auto ask =
          Load<Call<Device, int*, int*>>(library, "nvmlDeviceGetCudaComputeCapability");
      ask != nullptr && ask(device, &major, &minor) == kSuccess && major > 0 && major < 1000) {
    gpu.number = static_cast<std::uint32_t>(major * 10 + minor);
  }
  return gpu;
}

}  // namespace

NvmlReport QueryNvml() {
  NvmlReport report;
  const Library library(dlopen("libnvidia-ml.so.1", RTLD_LAZY | RTLD_LOCAL));
  if (!library) return report;
  const auto start = Load<Call<>>(library, "nvmlInit_v2");
  if (start == nullptr) return report;
  report.error = start();
  if (report.error != kSuccess) {
    report.state = NvmlReport::State::kFailed;
    if (report.error == kDriverNotLoaded) report.state = NvmlReport::State::kNotLoaded;
    if (report.error == kVersionMismatch) report.state = NvmlReport::State::kMismatch;
    return report;
  }
  report.state = NvmlReport::State::kAnswers;
  std::array<char, 128> text{};
  if (const auto ask = Load<Call<char*, unsigned>>(library, "nvmlSystemGetDriverVersion");
      ask != nullptr && ask(text.data(), text.size() - 1) == kSuccess) {
    report.driver_version = text.data();
  }
  int cuda = 0;
  if (const auto ask = Load<Call<int*>>(library, "nvmlSystemGetCudaDriverVersion_v2");
      ask != nullptr && ask(&cuda) == kSuccess && cuda > 0) {
    report.cuda_version = static_cast<std::uint32_t>(cuda);
  }
  unsigned count = 0;
  const auto count_devices = Load<Call<unsigned*>>(library, "nvmlDeviceGetCount_v2");
  const auto get = Load<Call<unsigned, Device*>>(library, "nvmlDeviceGetHandleByIndex_v2");
  if (count_devices != nullptr && get != nullptr && count_devices(&count) == kSuccess) {
    for (unsigned i = 0; i < count && i < kMostGpus; ++i) {
      Device device = nullptr;
      if (get(i, &device) == kSuccess) report.gpus.push_back(AskDevice(library, device));
    }
  }
  if (const auto stop = Load<Call<>>(library, "nvmlShutdown"); stop != nullptr) stop();
  return report;
}

}  // namespace sibyl::inspect
