// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/image_inspector.h"

#include "inspect/cuda/describe_code.h"

namespace sibyl::inspect {
namespace {

constexpr Rule kImageRules[] = {
    {"image/damaged", "an image with an inconsistent manifest or layers"},
    {"image/manifest", "the manifests of an image disagree"},
    {"image/diff-id", "a layer is not the one that the configuration names"},
    {"image/layer-order", "the layers of an image are listed in the wrong order"},
    {"image/path-escape", "a layer has paths that lead outside the image"},
    {"image/dead-bytes", "files that one layer adds and a later one deletes or replaces"},
    {"image/cuda-twice", "a CUDA library is included several times"},
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
  Budget budget(0);  // grows by the size of each blob that is opened
  InspectOciLayout(folder, budget, artifact);
  DescribeCode(options, artifact);
}

std::span<const Rule> ImageRules() { return kImageRules; }

}  // namespace sibyl::inspect
