// SPDX-License-Identifier: Apache-2.0
#include "profile/activity.h"

#include <dlfcn.h>

#ifdef SIBYL_LAB_HAS_CUPTI
#include <cupti.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace sibyl::lab::profile {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

/// Start and end, as CUPTI's thread hands them over.
struct Records {
  std::mutex mutex;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kernels;
  decltype(&cuptiActivityGetNextRecord) next = nullptr;
};

Records& TheRecords() {
  static Records records;
  return records;
}

void CUPTIAPI GiveBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *most_records = 0;
}

void CUPTIAPI TakeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                         std::size_t valid) {
  Records& records = TheRecords();
  const std::lock_guard lock(records.mutex);
  CUpti_Activity* record = nullptr;
  while (records.next(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
    // Start and end have stood at the same place since the ninth version of the record.
    const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
    records.kernels.emplace_back(kernel->start, kernel->end);
  }
  std::free(buffer);
}

struct Functions {
  decltype(&cuptiActivityRegisterCallbacks) callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
};

Functions& TheFunctions() {
  static Functions functions;
  return functions;
}

template <typename Function>
bool Load(void* file, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(file, name));
  return function != nullptr;
}

}  // namespace

Activity::Activity(const std::string& path) {
  const std::string name = "libcupti.so.13";
  std::vector<std::string> paths = {path};
  if (path.empty()) {
    paths = {name, "/usr/local/cuda/extras/CUPTI/lib64/" + name, "/usr/local/cuda/lib64/" + name,
             "libcupti.so.12", "libcupti.so"};
  }
  for (const std::string& one : paths) {
    file_ = dlopen(one.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (file_ != nullptr) break;
  }
  Functions& f = TheFunctions();
  if (file_ == nullptr) {
    missing_ = "loading " + (path.empty() ? name : path) + ": not found";
  } else if (!Load(file_, f.callbacks, "cuptiActivityRegisterCallbacks") ||
             !Load(file_, f.enable, "cuptiActivityEnable") ||
             !Load(file_, f.disable, "cuptiActivityDisable") ||
             !Load(file_, f.flush, "cuptiActivityFlushAll") ||
             !Load(file_, TheRecords().next, "cuptiActivityGetNextRecord")) {
    missing_ = "loading libcupti: it lacks the activity functions";
  } else if (f.callbacks(GiveBuffer, TakeBuffer) != CUPTI_SUCCESS) {
    missing_ = "opening CUPTI: it refuses; another profiler may hold it";
  }
}

// The library stays: it has hooked itself into the driver.
Activity::~Activity() = default;

void Activity::Start() {
  TheRecords().kernels.clear();
  if (TheFunctions().enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS) {
    missing_ = "recording kernels: CUPTI refuses on this device";
  }
}

std::vector<double> Activity::Stop() {
  Records& records = TheRecords();
  TheFunctions().flush(0);
  TheFunctions().disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  TheFunctions().flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const std::lock_guard lock(records.mutex);
  std::sort(records.kernels.begin(), records.kernels.end());
  std::vector<double> nanoseconds;
  for (const auto& [start, end] : records.kernels) {
    nanoseconds.push_back(static_cast<double>(end - start));
  }
  return nanoseconds;
}

}  // namespace sibyl::lab::profile

#else

namespace sibyl::lab::profile {

Activity::Activity(const std::string&) {
  missing_ = "recording kernels: this lab was built without cupti.h";
}
Activity::~Activity() = default;
void Activity::Start() {}
std::vector<double> Activity::Stop() { return {}; }

}  // namespace sibyl::lab::profile

#endif
