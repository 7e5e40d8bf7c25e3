// SPDX-License-Identifier: Apache-2.0
// Builds segment files from documents, on all processors. The files depend only on the
// documents and their order, not on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/document.h"

namespace sibyl::index {

/// One text to index, with all its paths in the snapshot.
struct WorkItem {
  std::size_t source_item = 0;
  std::vector<std::size_t> other_items;  ///< Further items of the source with the same blob.
};

struct SegmentLimits {
  std::size_t threads = 0;  ///< 0: one per processor.
  /// Size limit of one segment; a larger source is split. A build on two threads needs about
  /// this much memory, plus 25 MB per further thread.
  std::uint64_t text_bytes = std::uint64_t{416} << 20;
};

struct BuiltSegment {
  std::string id;
  std::uint64_t documents = 0;
  std::uint64_t passages = 0;
  std::uint64_t text_bytes = 0;
};

/// Writes one or more segments into `folder`; none if no document was loaded.
Result<std::vector<BuiltSegment>> BuildSegments(DocumentSource& source,
                                                std::span<const WorkItem> items,
                                                const std::filesystem::path& folder,
                                                const SegmentLimits& limits);

}  // namespace sibyl::index
