// SPDX-License-Identifier: Apache-2.0
#include "inspect/python/wheel_inspector.h"

#include "inspect/cuda/describe_code.h"

namespace sibyl::inspect {
namespace {

constexpr Rule kWheelRules[] = {
    {"wheel/damaged", "a wheel whose contents do not match its directory"},
    {"wheel/path-escape", "a member would be written outside its folder"},
    {"wheel/record-mismatch", "the files of a wheel do not match its RECORD"},
    {"wheel/bundles-driver", "a wheel bundles a library that belongs to the driver"},
    {"wheel/cuda-twice", "a wheel bundles CUDA libraries that it also requires"},
    {"wheel/files-missing", "files of an installed package are missing"},
    {"wheel/requirement-missing", "a required nvidia-* package is not installed"},
    {"wheel/requirement-version", "a required nvidia-* package has the wrong version"},
};

}  // namespace

bool IsWheelFile(const UnknownFile& file) { return IsWheel(file.bytes); }

void InspectWheelFile(const DetectedFile& file, Artifact& artifact) {
  const InspectOptions& options = file.options;
  InspectWheel(file.bytes,
               {.depth = options.depth, .threads = options.threads, .memory = Memory::kMapped},
               file.budget, artifact);
  DescribeCode(options, artifact);
}

void InspectPackageFolder(const Root& folder, const InspectOptions& options, Artifact& artifact) {
  InspectSitePackages(folder, artifact);
  // Their libraries have verdicts of their own; this one is about what all of them use.
  if (artifact.cuda_major != 0) DescribeCode(options, artifact);
}

unsigned LevelsBelowSitePackages(const std::filesystem::path& file) {
  const bool is_marker =
      file.filename() == "METADATA" && file.parent_path().extension() == ".dist-info";
  return is_marker ? 2 : 0;
}

std::span<const Rule> WheelRules() { return kWheelRules; }

}  // namespace sibyl::inspect
