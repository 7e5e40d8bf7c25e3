// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspectors.h"

#include <algorithm>

#include "inspect/cmake/cmake_inspector.h"
#include "inspect/cuda/code_inspector.h"
#include "inspect/docker/docker_inspector.h"
#include "inspect/image/image_inspector.h"
#include "inspect/machine/diagnosis.h"
#include "inspect/python/wheel_inspector.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kDetectBytes = 8192;

constexpr std::string_view kCodeFacts[] = {"elf", "cuda"};
constexpr std::string_view kCMakeFacts[] = {"cmake"};
constexpr std::string_view kDockerFacts[] = {"dockerfile"};
constexpr std::string_view kWheelFacts[] = {"wheel"};
constexpr std::string_view kImageFacts[] = {"image"};

// Files with a magic number first, then texts, then containers.
constexpr Inspector kInspectors[] = {
    {.kind = "elf",
     .plural = "ELF files",
     .fact_inspectors = kCodeFacts,
     .is_file = IsHostElf,
     .read_file = InspectCode,
     .needs_code = true,
     .rules = CodeRules},
    {.kind = "archive",
     .plural = "static archives",
     .fact_inspectors = kCodeFacts,
     .is_file = IsStaticArchive,
     .read_file = InspectCode,
     .needs_code = true},
    {.kind = "cubin",
     .plural = "cubins",
     .fact_inspectors = kCodeFacts,
     .is_file = IsCubin,
     .read_file = InspectCode,
     .needs_code = true},
    {.kind = "fatbin",
     .plural = "fatbins",
     .fact_inspectors = kCodeFacts,
     .is_file = IsFatbin,
     .read_file = InspectCode,
     .needs_code = true},
    {.kind = "ptx",
     .plural = "PTX",
     .fact_inspectors = kCodeFacts,
     .is_file = IsPtx,
     .read_file = InspectCode,
     .needs_code = true},
    {.kind = "lto",
     .plural = "LTO-IR",
     .fact_inspectors = kCodeFacts,
     .is_file = IsLtoIr,
     .read_file = InspectCode,
     .needs_code = true},
    {.kind = "cmake-cache",
     .plural = "CMakeCache.txt",
     .fact_inspectors = kCMakeFacts,
     .is_file = IsCMakeCache,
     .read_file = InspectCMakeCache,
     .most_bytes = kMostText,
     .rules = CMakeRules},
    {.kind = "dockerfile",
     .plural = "Dockerfiles",
     .fact_inspectors = kDockerFacts,
     .is_file = IsDockerfile,
     .read_file = InspectDockerfile,
     .most_bytes = kMostDockerfile,
     .rules = DockerRules},
    {.kind = "wheel",
     .plural = "wheels",
     .fact_inspectors = kWheelFacts,
     .is_file = IsWheelFile,
     .read_file = InspectWheelFile,
     .rules = WheelRules},
    {.kind = "site-packages",
     .levels_below = LevelsBelowSitePackages,
     .read_found_folder = InspectPackageFolder},
    {.kind = "image",
     .plural = "images",
     .fact_inspectors = kImageFacts,
     .is_file = IsImageFile,
     .read_file = InspectImageFile,
     .is_folder = IsOciLayout,
     .read_folder = InspectImageFolder,
     .rules = ImageRules},
    // Not a file: `sibyl doctor` reads it.
    {.kind = "machine"},
};

}  // namespace

std::span<const Inspector> Inspectors() { return kInspectors; }

const Inspector* InspectorOf(std::string_view bytes, std::string_view name) {
  const std::string_view beginning = bytes.substr(0, kDetectBytes);
  const UnknownFile file{.bytes = bytes,
                         .beginning = beginning,
                         .name = name,
                         .is_text = beginning.find('\0') == std::string_view::npos};
  for (const Inspector& inspector : kInspectors) {
    if (inspector.is_file != nullptr && inspector.is_file(file)) return &inspector;
  }
  return nullptr;
}

std::string SupportedFiles() {
  std::vector<std::string_view> names;
  for (const Inspector& inspector : kInspectors) {
    if (inspector.is_file != nullptr) names.push_back(inspector.plural);
  }
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? " and " : ", ";
    list += names[i];
  }
  return list;
}

std::vector<std::string_view> CitableInspectors() {
  std::vector<std::string_view> names;
  for (const Inspector& inspector : kInspectors) {
    for (const std::string_view name : inspector.fact_inspectors) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace sibyl::inspect
