// SPDX-License-Identifier: Apache-2.0
// Options of Inspect.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/device_code.h"
#include "inspect/cuda/gpu.h"

namespace sibyl::inspect {

struct InspectOptions {
  CodeDepth depth = CodeDepth::kContent;
  bool hashes = true;    ///< sha256, without which facts have no citation.
  bool kernels = false;  ///< Decode every cubin and list its kernels.
  unsigned threads = 1;
  std::vector<GpuTarget> gpus;          ///< Judge the code for these.
  std::optional<DriverVersion> driver;  ///< With this driver.
  /// How a path is shown; the path itself when empty.
  std::function<std::string(const std::filesystem::path&)> shown;
  /// Called from the calling thread, with what it just finished.
  std::function<void(std::string_view)> progress;
};

}  // namespace sibyl::inspect
