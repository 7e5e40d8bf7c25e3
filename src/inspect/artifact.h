// SPDX-License-Identifier: Apache-2.0
// The result of inspecting one artifact: facts that can be cited, and findings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/json.h"
#include "inspect/cuda/code_content.h"
#include "inspect/cuda/device_code.h"
#include "inspect/cuda/elf.h"
#include "inspect/cuda/verdict.h"

namespace sibyl::inspect {

/// A key and a value that an inspector read from the artifact's bytes. The same bytes and the
/// same inspector always give the same value, so it can be cited.
struct Fact {
  std::string inspector;  ///< "cuda", "elf", "cmake", "dockerfile", "wheel", "image", "machine"
  std::string key;        ///< "cubin.sm_90a.count"
  Json value;
  /// False if it was read from files next to the artifact (a build folder): it cannot be
  /// reproduced from the artifact's bytes, so it has no citation.
  bool is_of_its_bytes = true;
};

/// The kind of a file that no inspector reads.
inline constexpr std::string_view kOtherKind = "other";

struct Artifact {
  std::string path;                    ///< The name in output.
  std::string_view kind = kOtherKind;  ///< From its row in inspectors.cc.
  std::uint64_t bytes = 0;
  std::string sha256;  ///< Empty if not requested, or if there are no bytes to hash.
  std::vector<Fact> facts;
  std::vector<Finding> findings;

  // For artifacts with device code:
  DeviceCode code;
  ElfDynamic dynamic;
  std::vector<ImageKernels> kernels;
  std::vector<GpuVerdict> verdicts;
  /// Of images and folders of packages: the newest CUDA whose runtime they have, and where that is
  /// said ("CUDA_VERSION"); 0 if there is none.
  std::uint32_t cuda_major = 0;
  std::string cuda_of;
  /// The processor of an artifact without an ELF header of its own: "x86_64"; empty if unknown.
  std::string machine;

  /// Further output of the inspector, under its own names.
  Json detail = Json::object();
};

/// The citation of a fact, "fact:sha256:...;inspector=cuda;key=..."; empty if the artifact has
/// no hash or the fact does not follow from its bytes.
std::string CitationOf(const Artifact& artifact, const Fact& fact);

/// The fact of that name, or nullptr.
const Fact* FindFact(const Artifact& artifact, std::string_view inspector, std::string_view key);

}  // namespace sibyl::inspect
