// SPDX-License-Identifier: Apache-2.0
// Device code in few lines: images of one kind, architecture and section
// together; the facts that follow; what a list of GPUs does not need; what
// differs between two files.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "inspect/artifact.h"
#include "inspect/cuda/device_code.h"
#include "inspect/cuda/gpu.h"

namespace sibyl::inspect {

struct ImageGroup {
  ImageKind kind = ImageKind::kOther;
  std::uint16_t raw_kind = 0;
  Architecture architecture;
  std::string section;
  CodeRole role = CodeRole::kExecutable;
  std::size_t count = 0;
  std::size_t with_code = 0;
  std::size_t not_looked_at = 0;  ///< Whether they have code is not known.
  std::size_t damaged = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t unpacked_bytes = 0;
  std::set<std::string> compressions;
  std::set<CudaVersion> ptx_versions;
};

/// Sorted by section, kind and architecture.
std::vector<ImageGroup> GroupImages(const DeviceCode& code);

/// "sm_90a", "compute_90" for PTX, "lto_90"; "kind 16, 90" for what nobody named.
std::string GroupLabel(const ImageGroup& group);

/// Makers of the cubins with their number; "" for those that do not say.
std::map<std::string, std::size_t> CountOrigins(const DeviceCode& code);

/// Facts and findings of an artifact's device code and of its ELF header.
void AddCodeFacts(Artifact& artifact);

/// The major of the CUDA runtime that the file was made for: what it is linked
/// with, else the newest toolkit that made a cubin of it; zero: not known.
std::uint32_t RuntimeMajor(const Artifact& artifact);

struct PruneGroup {
  std::string label;  ///< As GroupLabel.
  std::string section;
  std::size_t kept = 0;
  std::size_t unneeded = 0;
  std::uint64_t kept_bytes = 0;
  std::uint64_t unneeded_bytes = 0;
};

/// What of the stored bytes a list of GPUs never loads. PTX that no GPU of the
/// list takes is counted too: it is what a GPU of the future would need.
std::vector<PruneGroup> PruneReport(const DeviceCode& code, std::span<const GpuTarget> gpus);

struct ImageChange {
  std::string label;
  std::string section;
  std::size_t count_before = 0;
  std::size_t count_after = 0;
  std::uint64_t bytes_before = 0;
  std::uint64_t bytes_after = 0;
};

/// The groups that differ.
std::vector<ImageChange> CompareCode(const DeviceCode& before, const DeviceCode& after);

}  // namespace sibyl::inspect
