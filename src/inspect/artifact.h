// SPDX-License-Identifier: Apache-2.0
// What an inspector has to say of one artifact: facts that can be cited, and
// findings.
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

/// A key and its value, read out of the artifact's bytes by an inspector. The
/// same bytes and the same inspector always give the same value: that is what
/// makes it citable.
struct Fact {
  std::string inspector;  ///< "cuda", "elf", "cmake", "dockerfile", "wheel", "image", "machine"
  std::string key;        ///< "cubin.sm_90a.count"
  Json value;
  /// False for what was read beside the artifact (a build folder): its bytes
  /// alone do not give it again, so it has no citation.
  bool is_of_its_bytes = true;
};

/// Of a file that no inspector reads.
inline constexpr std::string_view kOtherKind = "other";

struct Artifact {
  std::string path;                    ///< As people are told of it.
  std::string_view kind = kOtherKind;  ///< Of its row in inspectors.cc.
  std::uint64_t bytes = 0;
  std::string sha256;  ///< Empty when it was not asked for, or there are no bytes to hash.
  std::vector<Fact> facts;
  std::vector<Finding> findings;

  // Of what holds device code:
  DeviceCode code;
  ElfDynamic dynamic;
  std::vector<ImageKernels> kernels;
  std::vector<GpuVerdict> verdicts;

  /// Anything more that the inspector shows, under names of its own.
  Json detail = Json::object();
};

/// The citation of a fact, "fact:sha256:...;inspector=cuda;key=..."; empty when
/// the artifact has no hash, or its bytes alone do not tell the fact.
std::string CitationOf(const Artifact& artifact, const Fact& fact);

/// The fact of that name, or nullptr.
const Fact* FindFact(const Artifact& artifact, std::string_view inspector, std::string_view key);

}  // namespace sibyl::inspect
