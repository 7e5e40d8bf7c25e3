// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/code_inspector.h"

#include <fmt/format.h>

#include <optional>

#include "inspect/cuda/ar.h"
#include "inspect/cuda/code_content.h"
#include "inspect/cuda/describe_code.h"
#include "inspect/cuda/elf.h"
#include "inspect/cuda/fatbin.h"
#include "inspect/cuda/ptx.h"

namespace sibyl::inspect {
namespace {

constexpr std::string_view kElfMagic =
    "\x7f"
    "ELF";
constexpr std::size_t kSmallestHeader = 52;  // of 32 bits

constexpr Rule kCodeRules[] = {
    {"elf/cut", "an ELF file is shorter than its headers say"},
    {"cuda/damaged", "device code with inconsistent headers or payload"},
    {"cuda/too-many", "the list of images is incomplete: there are too many"},
    {"gpu/does-not-run", "the file does not run on the GPU, or not with the driver"},
    {"gpu/runs-partly", "some translation units have only PTX that the driver is too old for"},
};

// The machine in an ELF header; nullopt for other files.
std::optional<std::uint16_t> ElfMachine(std::string_view beginning) {
  if (!beginning.starts_with(kElfMagic) || beginning.size() < kSmallestHeader) return std::nullopt;
  const auto order =
      static_cast<unsigned char>(beginning[5]) == 2 ? ByteOrder::kBig : ByteOrder::kLittle;
  return Bytes(beginning, order).Get<std::uint16_t>(18);
}

// Of the first member with host code. The budget is its own: the members are read again later.
std::optional<std::uint16_t> MachineOfArchive(std::string_view bytes) {
  Budget budget(bytes.size());
  for (const ArMember& member : ReadArArchive(bytes, budget).members) {
    const std::optional<std::uint16_t> machine = ElfMachine(member.bytes);
    if (machine && *machine != kMachineCuda) return machine;
  }
  return std::nullopt;
}

void SayCut(std::string_view what, const InspectOptions& options, Artifact& artifact) {
  const bool is_judged = !options.gpus.empty();
  artifact.findings.push_back(
      {.severity = Severity::kError,
       .code = "elf/cut",
       .message = fmt::format("{}{}", what,
                              is_judged ? ": whether all of it runs on the GPU is unknown" : ""),
       .hint = "copy or download the file again",
       .place = {.file = artifact.path}});
}

}  // namespace

bool IsHostElf(const UnknownFile& file) {
  if (file.bytes.size() < kSmallestHeader) return file.bytes.starts_with(kElfMagic);  // cut
  const std::optional<std::uint16_t> machine = ElfMachine(file.beginning);
  return machine && *machine != kMachineCuda;
}

bool IsStaticArchive(const UnknownFile& file) { return IsArArchive(file.beginning); }

bool IsCubin(const UnknownFile& file) { return ElfMachine(file.beginning) == kMachineCuda; }

bool IsFatbin(const UnknownFile& file) { return file.beginning.starts_with(kFatbinMagic); }

bool IsPtx(const UnknownFile& file) {
  CodeImage image;
  return file.is_text && ReadPtx(file.beginning, image);
}

bool IsLtoIr(const UnknownFile& file) { return file.beginning.starts_with("\xed\x43\x4e\x7f"); }

void InspectCode(const DetectedFile& file, Artifact& artifact) {
  const InspectOptions& options = file.options;
  if (const std::optional<Elf> elf = Elf::Read(file.bytes)) {
    artifact.facts.push_back({"elf", "machine", MachineName(elf->machine())});
    artifact.facts.push_back({"elf", "bits", elf->is_64() ? 64 : 32});
    artifact.dynamic = elf->Dynamic();
    if (elf->is_cut()) SayCut("the ELF file is shorter than its headers say", options, artifact);
  } else if (file.bytes.starts_with(kElfMagic)) {
    SayCut("the ELF file ends inside its header", options, artifact);
  }
  if (IsArArchive(file.bytes)) {
    if (const std::optional<std::uint16_t> machine = MachineOfArchive(file.bytes)) {
      artifact.facts.push_back({"elf", "machine", MachineName(*machine)});
    }
  }
  artifact.code = ReadDeviceCode(file.bytes, {.depth = options.depth,
                                              .threads = options.threads,
                                              .is_mapped = true,
                                              .budget = &file.budget});
  const bool was_within = !file.budget.is_exceeded();
  if (options.kernels && was_within) {
    artifact.kernels = ReadAllKernels(file.bytes, artifact.code, options.threads, file.budget);
    if (const auto what = file.budget.WhatIsExceeded()) {
      artifact.findings.push_back(LimitFinding(artifact.path, "listing its kernels: " + *what));
    }
  }
  DescribeCode(options, artifact);
}

std::span<const Rule> CodeRules() { return kCodeRules; }

}  // namespace sibyl::inspect
