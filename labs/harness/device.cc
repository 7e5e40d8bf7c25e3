// SPDX-License-Identifier: Apache-2.0
#include "harness/device.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace sibyl::lab {

void Check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  std::fflush(stdout);
  std::fprintf(stderr, "lab: error: %s: %s (%s)\n", doing, cudaGetErrorString(status),
               cudaGetErrorName(status));
  // No destructors: after a sticky error every one of them would fail again.
  std::_Exit(2);
}

std::string WhyNoGpu() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver) {
    return "there is no NVIDIA driver, or one too old for CUDA " +
           std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  }
  if (status != cudaSuccess) {
    return std::string("asking the driver for devices: ") + cudaGetErrorString(status);
  }
  if (count == 0) return "the driver lists no device";
  const cudaError_t opened = cudaFree(nullptr);
  if (opened == cudaSuccess) return "";
  return std::string("opening device 0: ") + cudaGetErrorString(opened);
}

DeviceLimits Limits() {
  cudaDeviceProp properties{};
  Check(cudaGetDeviceProperties(&properties, 0), "reading the properties of device 0");
  int clock_khz = 0;
  Check(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0), "reading the clock rate");
  return {.multiprocessors = properties.multiProcessorCount,
          .compute_capability = properties.major * 10 + properties.minor,
          .clock_khz = clock_khz,
          .l2_bytes = static_cast<std::size_t>(properties.l2CacheSize),
          .shared_bytes = properties.sharedMemPerBlockOptin,
          .total_bytes = properties.totalGlobalMem};
}

// The handful of NVML's functions that are used, by its documented C interface.
struct ClockReader::Library {
  using Handle = void*;
  void* file = nullptr;
  Handle device = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*by_bus_id)(const char*, Handle*) = nullptr;
  int (*clock)(Handle, int, unsigned*) = nullptr;
  int (*reasons)(Handle, unsigned long long*) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;

  ~Library() {
    if (shutdown != nullptr) shutdown();
    if (file != nullptr) dlclose(file);
  }

  template <typename Function>
  bool Load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(file, name));
    return function != nullptr;
  }

  bool Open() {
    file = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) return false;
    const bool found =
        Load(init, "nvmlInit_v2") && Load(by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2") &&
        Load(clock, "nvmlDeviceGetClockInfo") && Load(driver, "nvmlSystemGetDriverVersion");
    if (!found || init() != 0) return false;
    Load(shutdown, "nvmlShutdown");
    // The older name is the one that every driver has.
    Load(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    char bus_id[32] = {};
    if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0) != cudaSuccess) return false;
    return by_bus_id(bus_id, &device) == 0;
  }
};

ClockReader::ClockReader() : library_(std::make_unique<Library>()) {
  if (!library_->Open()) library_.reset();
}

ClockReader::~ClockReader() = default;

Clocks ClockReader::Read() const {
  Clocks clocks;
  if (!library_) return clocks;
  constexpr int kSm = 1;
  constexpr int kMemory = 2;
  library_->clock(library_->device, kSm, &clocks.sm_mhz);
  library_->clock(library_->device, kMemory, &clocks.memory_mhz);
  unsigned long long reasons = 0;
  if (library_->reasons != nullptr && library_->reasons(library_->device, &reasons) == 0) {
    clocks.throttle = ThrottleWords(reasons);
  }
  return clocks;
}

std::string ClockReader::DriverVersion() const {
  char version[96] = {};
  if (!library_ || library_->driver(version, sizeof version) != 0) return "";
  return version;
}

std::string ThrottleWords(unsigned long long reasons) {
  struct Word {
    unsigned long long bit;
    const char* word;
  };
  constexpr Word kWords[] = {{0x2, "application-clocks"}, {0x4, "power"},
                             {0x8, "hardware-slowdown"},  {0x10, "sync-boost"},
                             {0x20, "thermal"},           {0x40, "hardware-thermal"},
                             {0x80, "power-brake"},       {0x100, "display-clock"}};
  std::string words;
  for (const Word& word : kWords) {
    if ((reasons & word.bit) == 0) continue;
    if (!words.empty()) words += '+';
    words += word.word;
  }
  return words.empty() ? "none" : words;
}

Platform DescribePlatform(const ClockReader& clocks) {
  cudaDeviceProp properties{};
  Check(cudaGetDeviceProperties(&properties, 0), "reading the properties of device 0");
  Platform platform;
  platform.device = properties.name;
  platform.driver = clocks.DriverVersion();
  if (platform.driver.empty()) {
    // What the driver supports, when nobody says which driver it is.
    int version = 0;
    Check(cudaDriverGetVersion(&version), "reading the driver's version");
    platform.driver =
        "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
  }
  platform.toolkit =
      std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  return platform;
}

}  // namespace sibyl::lab
