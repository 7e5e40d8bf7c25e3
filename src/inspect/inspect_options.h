// SPDX-License-Identifier: Apache-2.0
// Options of Inspect.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "field/field.h"
#include "inspect/cuda/device_code.h"

namespace sibyl::inspect {

struct InspectOptions {
  CodeDepth depth = CodeDepth::kContent;  ///< With `gpus`, always kContent.
  bool hashes = true;                     ///< Compute sha256, which citations of facts need.
  bool kernels = false;                   ///< Decode every cubin and list its kernels.
  unsigned threads = 1;
  std::vector<field::GpuTarget> gpus;          ///< Check whether the code runs on these.
  std::optional<field::DriverVersion> driver;  ///< With this driver.
  /// Whether files elsewhere that an artifact names are looked at. A caller who may read only
  /// some folders must not learn through an artifact what is in the others.
  bool reads_named_files = true;
  /// How to display a path; if empty, the path itself.
  std::function<std::string(const std::filesystem::path&)> shown;
  /// Called on the calling thread, with the path just finished.
  std::function<void(std::string_view)> progress;
};

}  // namespace sibyl::inspect
