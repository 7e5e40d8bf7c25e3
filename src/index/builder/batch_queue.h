// SPDX-License-Identifier: Apache-2.0
// Hands out numbered batches and puts the results back in order. Results in order are written
// at once and freed, so that memory holds only what the segment needs at its end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "index/builder/batch_indexer.h"
#include "index/segment/segment_writer.h"

namespace sibyl::index {

/// Everything in a segment except its text and terms.
struct SegmentRecords {
  std::vector<PassageRecord> passages;
  std::vector<DocumentRecord> documents;
  std::vector<TextBlockRecord> text_blocks;
  std::string strings = std::string(1, '\0');  // the empty string is at 0
  std::vector<CardRecord> cards;
  std::string card_strings = std::string(1, '\0');
  std::vector<CardKeyRecord> card_names;
  std::vector<CardKeyRecord> card_values;
  std::vector<PlacedBatch> batches;
  std::uint64_t text_bytes = 0;
  std::uint64_t packed_bytes = 0;
  std::array<std::uint64_t, kPartitions> postings{};  ///< Per partition.
};

class BatchQueue {
 public:
  BatchQueue(SegmentWriter& writer, std::size_t batch_count, std::uint64_t max_text_bytes)
      : writer_(writer), batch_count_(batch_count), max_text_bytes_(max_text_bytes) {}

  /// The next batch to index; nullopt when no batch is left, the segment is full, or an error
  /// occurred.
  std::optional<std::size_t> Take();

  /// Accepts the result of a batch. Batches after the end of a full segment are dropped: the
  /// next segment takes them again.
  void Deliver(std::size_t batch, IndexedBatch result);
  void Fail(Error error);

  /// Call after all workers have finished. Returns how many batches the segment contains.
  Result<std::size_t> Finish();
  SegmentRecords& records() { return records_; }

 private:
  void Place(IndexedBatch& batch) SIBYL_REQUIRES(mutex_);
  void PlaceCards(IndexedBatch& batch) SIBYL_REQUIRES(mutex_);
  bool IsFull() const;

  // A source that consists of numbers can have a new term in every posting. The segment ends
  // when half of a partition's term ids are used, which leaves room for the batches in
  // progress.
  static constexpr std::uint64_t kMaxPartitionPostings = Vocabulary::kMaxTerms / 2;

  // Results that wait for an earlier, slower batch.
  static constexpr std::size_t kMaxWaiting = 64;

  SegmentWriter& writer_;
  const std::size_t batch_count_;
  const std::uint64_t max_text_bytes_;
  Mutex mutex_;
  Condition moved_;
  std::size_t next_to_take_ SIBYL_GUARDED_BY(mutex_) = 0;
  std::size_t next_to_place_ SIBYL_GUARDED_BY(mutex_) = 0;
  bool is_full_ SIBYL_GUARDED_BY(mutex_) = false;
  std::map<std::size_t, IndexedBatch> waiting_ SIBYL_GUARDED_BY(mutex_);
  std::optional<Error> error_ SIBYL_GUARDED_BY(mutex_);
  SegmentRecords records_;
};

}  // namespace sibyl::index
