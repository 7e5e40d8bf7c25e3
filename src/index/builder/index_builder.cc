// SPDX-License-Identifier: Apache-2.0
#include "index/builder/index_builder.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "git/object_id.h"
#include "index/builder/document_paths.h"

namespace sibyl::index {
namespace {

// More segments make every query slower; the smallest are then rebuilt.
constexpr std::size_t kMaxReusedSegments = 4;
// Below this share of live documents, a segment costs more at every query than reuse saves.
constexpr double kMinLiveShare = 0.7;

/// The distinct texts of the snapshot.
class Work {
 public:
  explicit Work(const DocumentSource& source) : source_(source) {
    item_of_blob_.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
      const git::ObjectId& blob = source.key(i).blob;
      if (blob == git::ObjectId{}) {
        items_.push_back({.source_item = i, .other_items = {}});
        continue;
      }
      const auto [found, is_new] = item_of_blob_.try_emplace(blob, items_.size());
      if (is_new) {
        items_.push_back({.source_item = i, .other_items = {}});
      } else {
        items_[found->second].other_items.push_back(i);
      }
    }
    is_reused_.resize(items_.size());
  }

  /// The item that a document of an earlier segment still is, or nullptr.
  const std::size_t* Find(const Segment& segment, const DocumentRecord& document) const {
    git::ObjectId blob;
    blob.bytes = document.blob;
    const auto found = item_of_blob_.find(blob);
    if (found == item_of_blob_.end() || is_reused_[found->second]) return nullptr;
    const WorkItem& item = items_[found->second];
    if (document.path_count != item.other_items.size() + 1) return nullptr;
    const bool is_same = item.other_items.empty()
                             ? segment.path(document) == source_.key(item.source_item).path
                             : segment.paths(document) == PathsOf(source_, item);
    return is_same ? &found->second : nullptr;
  }

  void MarkReused(std::size_t item) { is_reused_[item] = true; }

  /// Call last: frees the list, so that a source of many files is not held twice.
  std::vector<WorkItem> TakeRemaining() {
    item_of_blob_ = {};
    std::size_t count = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (is_reused_[i]) continue;
      if (count != i) items_[count] = std::move(items_[i]);
      ++count;
    }
    items_.resize(count);
    return std::move(items_);
  }

 private:
  const DocumentSource& source_;
  std::vector<WorkItem> items_;
  std::vector<bool> is_reused_;
  std::unordered_map<git::ObjectId, std::size_t> item_of_blob_;
};

/// The documents of a segment that are still in the snapshot.
struct Survivors {
  std::size_t part = 0;
  std::vector<std::size_t> items;
  std::vector<std::uint32_t> dead;
};

Survivors FindSurvivors(const Index& index, std::size_t part, const Work& work) {
  const Segment& segment = index.parts()[part].segment;
  Survivors survivors{.part = part, .items = {}, .dead = {}};
  for (std::uint32_t i = 0; i < segment.document_count(); ++i) {
    const std::vector<std::uint64_t>& dead = index.parts()[part].dead_documents;
    const bool was_dead = !dead.empty() && (dead[i / 64] >> i % 64 & 1) != 0;
    const std::size_t* item = was_dead ? nullptr : work.Find(segment, segment.document(i));
    if (item == nullptr) {
      survivors.dead.push_back(i);
    } else {
      survivors.items.push_back(*item);
    }
  }
  return survivors;
}

bool IsWorthKeeping(const Survivors& survivors) {
  const auto all = static_cast<double>(survivors.items.size() + survivors.dead.size());
  return static_cast<double>(survivors.items.size()) >= kMinLiveShare * all;
}

// Reuses what it can of `previous` and returns the reused segments.
std::vector<ManifestSegment> Reuse(const Index& previous, Work& work, BuildReport& report) {
  std::vector<Survivors> candidates;
  for (std::size_t part = 0; part < previous.parts().size(); ++part) {
    candidates.push_back(FindSurvivors(previous, part, work));
  }
  std::stable_sort(
      candidates.begin(), candidates.end(),
      [](const Survivors& a, const Survivors& b) { return a.items.size() > b.items.size(); });
  std::vector<ManifestSegment> kept;
  for (Survivors& candidate : candidates) {
    const std::string& id = previous.manifest().segments[candidate.part].id;
    if (kept.size() >= kMaxReusedSegments || candidate.items.empty() ||
        !IsWorthKeeping(candidate)) {
      report.dropped_segments.push_back(id);
      continue;
    }
    for (const std::size_t item : candidate.items) work.MarkReused(item);
    report.reused_documents += candidate.items.size();
    kept.push_back({.id = id, .dead_documents = std::move(candidate.dead)});
  }
  return kept;
}

}  // namespace

Result<BuildReport> BuildIndex(DocumentSource& source, const BuildOptions& options) {
  BuildReport report;
  Work work(source);
  Manifest manifest{.fingerprint = options.fingerprint, .segments = {}};
  if (!options.previous.empty()) {
    const Result<Index> previous = Index::Open(options.previous, options.segment_folder, "");
    if (!previous.ok()) {
      report.not_reused_because = previous.error().message;
    } else if (previous->manifest().fingerprint != options.fingerprint) {
      report.not_reused_because = "it was built with other settings";
    } else {
      manifest.segments = Reuse(*previous, work, report);
    }
  }
  const std::vector<WorkItem> items = work.TakeRemaining();
  const std::vector<BuiltSegment> built =
      SIBYL_TRY(BuildSegments(source, items, options.segment_folder, options.limits));
  report.documents = report.reused_documents;
  for (const BuiltSegment& segment : built) {
    manifest.segments.push_back({.id = segment.id, .dead_documents = {}});
    report.documents += segment.documents;
    report.read_text_bytes += segment.text_bytes;
  }
  SIBYL_TRY(WriteManifest(options.manifest, manifest));
  return report;
}

}  // namespace sibyl::index
