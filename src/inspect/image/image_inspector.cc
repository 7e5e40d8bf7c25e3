// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/image_inspector.h"

#include "inspect/cuda/describe_code.h"

namespace sibyl::inspect {
namespace {

constexpr FindingRule kImageRules[] = {
    {"image/damaged", "an image whose manifest or layers do not hold together"},
    {"image/manifest", "the descriptions of an image do not agree"},
    {"image/diff-id", "a layer is not the one that the configuration names"},
    {"image/layer-order", "the layers of an image are listed in a wrong order"},
    {"image/path-escape", "a layer has paths that lead outside"},
    {"image/dead-bytes", "files that one layer adds and a later one deletes or replaces"},
    {"image/cuda-twice", "one library of CUDA stands at several places"},
    {"image/duplicates", "the same bytes are in several files"},
};

}  // namespace

bool IsImageFile(const UnknownFile& file) { return IsImageArchive(file.bytes); }

void InspectImageFile(const DetectedFile& file, Artifact& artifact) {
  InspectImageArchive(file.bytes, Memory::kMapped, file.budget, artifact);
  DescribeCode(file.options, artifact);
}

void InspectImageFolder(const std::filesystem::path& folder, const InspectOptions& options,
                        Artifact& artifact) {
  Budget budget(0);  // told the size of each blob when it is opened
  InspectOciLayout(folder, budget, artifact);
  DescribeCode(options, artifact);
}

std::span<const FindingRule> ImageRules() { return kImageRules; }

}  // namespace sibyl::inspect
