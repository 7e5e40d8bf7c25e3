// SPDX-License-Identifier: Apache-2.0
// Start here: looks at files and folders and says what they hold.
//
// What a thing is, is told by its bytes, not by its name. Nothing is executed,
// unpacked to the disk or fetched; no GPU, driver or tool of NVIDIA is needed.
// docs/formats/facts.md lists the facts.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inspect/artifact.h"
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

struct Inspected {
  std::vector<Artifact> artifacts;  ///< In the order asked; those of a folder by name.
  std::size_t files_seen = 0;       ///< In folders; most are nothing of ours.
};

/// Files must be readable; a file of no known kind that was named itself gives
/// an artifact of kind kOther with a finding. In folders, what holds nothing is
/// left out, links are not followed, and what cannot be read is a finding.
Result<Inspected> Inspect(const std::vector<std::filesystem::path>& paths,
                          const InspectOptions& options);

}  // namespace sibyl::inspect
