// SPDX-License-Identifier: Apache-2.0
// Reading all texts of a snapshot from several threads.
#include <algorithm>
#include <atomic>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/parallel.h"
#include "evidence/snapshot.h"
#include "git/object_reader.h"

namespace sibyl::evidence {
namespace {

/// One blob and all files with that content.
struct Blob {
  git::ObjectPlace place;
  bool packed = false;
  std::uint32_t first = 0;  // into the order below
  std::uint32_t end = 0;
};

/// What to read, in the order of the pack: neighbours there share their delta
/// bases, and the disk likes it too.
struct Order {
  std::vector<std::uint32_t> files;  // grouped by blob
  std::vector<Blob> blobs;
};

Order MakeOrder(const Snapshot& snapshot) {
  struct Wanted {
    std::optional<git::ObjectPlace> place;
    std::uint32_t file;
  };
  const std::vector<SnapshotFile>& files = snapshot.files();
  std::vector<Wanted> wanted;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (files[i].skip != SkipReason::kNone) continue;
    wanted.push_back({snapshot.database().Find(files[i].blob), i});
  }
  std::sort(wanted.begin(), wanted.end(), [&files](const Wanted& a, const Wanted& b) {
    if (a.place != b.place) return a.place < b.place;
    if (files[a.file].blob != files[b.file].blob) return files[a.file].blob < files[b.file].blob;
    return a.file < b.file;
  });
  Order order;
  order.files.reserve(wanted.size());
  for (const Wanted& item : wanted) {
    const bool same =
        !order.files.empty() && files[order.files.back()].blob == files[item.file].blob;
    const auto position = static_cast<std::uint32_t>(order.files.size());
    order.files.push_back(item.file);
    if (!same) {
      order.blobs.push_back(
          {item.place.value_or(git::ObjectPlace{}), item.place.has_value(), position, position});
    }
    order.blobs.back().end = position + 1;
  }
  return order;
}

SkipReason ReasonOf(const git::ObjectView& view) {
  switch (view.state) {
    case git::ReadState::kMissing:
      return SkipReason::kMissing;
    case git::ReadState::kTooLarge:
      return SkipReason::kTooLarge;
    case git::ReadState::kCorrupt:
      return SkipReason::kCorrupt;
    case git::ReadState::kBinary:
      return SkipReason::kBinary;
    case git::ReadState::kRead:
      break;
  }
  return view.type == git::ObjectType::kBlob ? InspectText(view.bytes) : SkipReason::kCorrupt;
}

/// What the threads share. Each file's skip is written by one thread only.
struct Work {
  const Snapshot& snapshot;
  const ScanOptions& options;
  const std::function<void(const ScannedFile&)>& visit;
  const Order order;
  std::atomic<std::uint64_t> text_bytes{0};
  std::stop_source stop = {};
  ScanReport report;
};

void ReadBlob(Work& work, git::ObjectReader& reader, const Blob& blob, std::size_t worker) {
  const std::vector<SnapshotFile>& files = work.snapshot.files();
  const std::uint64_t limit = work.snapshot.filter().max_file_bytes;
  const git::ObjectView view =
      blob.packed ? reader.ReadTextAt(blob.place, limit)
                  : reader.ReadText(files[work.order.files[blob.first]].blob, limit);
  SkipReason reason = ReasonOf(view);
  if (reason == SkipReason::kMissing) {
    const SkipNotes& notes = work.snapshot.notes();
    const auto noted = notes.find(files[work.order.files[blob.first]].blob);
    if (noted != notes.end()) reason = noted->second;
  }
  for (std::uint32_t i = blob.first; i < blob.end; ++i) {
    const std::uint32_t number = work.order.files[i];
    work.report.skips[number] = reason;
    if (reason != SkipReason::kNone) continue;
    work.text_bytes.fetch_add(view.bytes.size(), std::memory_order_relaxed);
    work.visit(
        {number, worker, files[number].path, files[number].blob, view.bytes, view.compressed});
  }
}

}  // namespace

ScanReport Snapshot::Scan(const ScanOptions& options,
                          const std::function<void(const ScannedFile&)>& visit) const {
  Work work{.snapshot = *this, .options = options, .visit = visit, .order = MakeOrder(*this)};
  work.report.skips.reserve(files_.size());
  for (const SnapshotFile& file : files_) work.report.skips.push_back(file.skip);
  // Small enough to share the end of the work fairly, large enough to keep
  // neighbours in one thread's cache.
  constexpr std::size_t kChunk = 32;
  const auto make_worker = [&work](std::size_t worker) {
    return [&work, worker,
            reader = git::ObjectReader(work.snapshot.database())](std::size_t i) mutable {
      if (work.options.cancelled && work.options.cancelled()) {
        work.stop.request_stop();
        return;
      }
      ReadBlob(work, reader, work.order.blobs[i], worker);
    };
  };
  ForEachWithWorkers(work.order.blobs.size(),
                     {.threads = options.threads, .grain = kChunk, .stop = work.stop.get_token()},
                     make_worker);
  for (const SkipReason reason : work.report.skips) {
    ++work.report.counts[static_cast<std::size_t>(reason)];
  }
  work.report.text_bytes = work.text_bytes;
  work.report.complete = !work.stop.stop_requested();
  return std::move(work.report);
}

}  // namespace sibyl::evidence
