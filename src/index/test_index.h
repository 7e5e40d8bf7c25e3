// SPDX-License-Identifier: Apache-2.0
// An index in a temporary folder, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/files/temporary_folder.h"
#include "index/builder/index_builder.h"
#include "index/manifest.h"
#include "index/memory_source.h"

namespace sibyl::index {

class TestIndex {
 public:
  BuildReport Build(DocumentSource& source, const SegmentLimits& limits = {}) {
    const Result<BuildReport> report = BuildIndex(source, {.segment_folder = folder_.path(),
                                                           .manifest = manifest(),
                                                           .fingerprint = fingerprint,
                                                           .previous = manifest(),
                                                           .limits = limits});
    EXPECT_TRUE(report.ok()) << report.error().message;
    return report.ok() ? *report : BuildReport{};
  }

  Index Open(std::string name = "test") const {
    Result<Index> index = Index::Open(manifest(), folder_.path(), std::move(name));
    EXPECT_TRUE(index.ok()) << index.error().message;
    return std::move(index).value();
  }

  std::filesystem::path manifest() const { return folder_.path() / "manifest.json"; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  std::string fingerprint = "test";

 private:
  TemporaryFolder folder_;
};

/// A blob id made from a number, without hashing.
inline git::ObjectId BlobOf(std::uint32_t number) {
  git::ObjectId blob;
  blob.bytes[0] = 1;
  for (std::size_t i = 0; i < 4; ++i)
    blob.bytes[1 + i] = static_cast<std::uint8_t>(number >> 8 * i);
  return blob;
}

}  // namespace sibyl::index
