// SPDX-License-Identifier: Apache-2.0
#include "index/builder/batch_queue.h"

#include <algorithm>
#include <utility>

namespace sibyl::index {

std::optional<std::size_t> BatchQueue::Take() {
  const MutexLock lock(mutex_);
  while (!error_ && !is_full_ && next_to_take_ < batch_count_ &&
         next_to_take_ >= next_to_place_ + kMaxWaiting) {
    moved_.Wait(mutex_);
  }
  if (error_ || is_full_ || next_to_take_ == batch_count_) return std::nullopt;
  return next_to_take_++;
}

void BatchQueue::Deliver(std::size_t batch, IndexedBatch result) {
  const MutexLock lock(mutex_);
  waiting_.emplace(batch, std::move(result));
  while (!error_ && !is_full_ && !waiting_.empty() && waiting_.begin()->first == next_to_place_) {
    Place(waiting_.begin()->second);
    waiting_.erase(waiting_.begin());
    ++next_to_place_;
    is_full_ = IsFull();
  }
  moved_.NotifyAll();
}

void BatchQueue::Fail(Error error) {
  const MutexLock lock(mutex_);
  if (!error_) error_ = std::move(error);
  moved_.NotifyAll();
}

Result<std::size_t> BatchQueue::Finish() {
  const MutexLock lock(mutex_);
  if (error_) return *std::exchange(error_, {});
  waiting_.clear();
  return next_to_place_;
}

bool BatchQueue::IsFull() const {
  return records_.text_bytes >= max_text_bytes_ ||
         *std::max_element(records_.postings.begin(), records_.postings.end()) >=
             kMaxPartitionPostings;
}

void BatchQueue::Place(IndexedBatch& batch) {
  SegmentRecords& to = records_;
  const auto first_passage = static_cast<std::uint32_t>(to.passages.size());
  const auto first_document = static_cast<std::uint32_t>(to.documents.size());
  const auto first_block = static_cast<std::uint32_t>(to.text_blocks.size());
  const auto first_string = static_cast<std::uint32_t>(to.strings.size() - 1);
  const auto place_string = [&](std::uint32_t& at) { at += at == 0 ? 0 : first_string; };
  for (PassageRecord& passage : batch.passages) {
    passage.document += first_document;
    passage.text_block += first_block;
    place_string(passage.heading);
    to.passages.push_back(passage);
  }
  for (DocumentRecord& document : batch.documents) {
    document.first_passage += first_passage;
    place_string(document.paths);
    place_string(document.language);
    document.first_card += static_cast<std::uint32_t>(to.cards.size());
    to.documents.push_back(document);
  }
  for (TextBlockRecord& block : batch.text_blocks) {
    block.offset += to.packed_bytes;
    to.text_blocks.push_back(block);
  }
  to.strings.append(batch.strings);
  PlaceCards(batch);
  to.text_bytes += batch.text_bytes;
  to.packed_bytes += batch.packed_text.size();
  for (std::size_t p = 0; p < kPartitions; ++p) {
    to.postings[p] += batch.postings.stream(p).size();
  }
  to.batches.push_back({.postings = std::move(batch.postings), .first_passage = first_passage});
  if (Status written = writer_.Append(Section::kText, batch.packed_text); !written.ok()) {
    error_ = std::move(written).error();
  }
}

void BatchQueue::PlaceCards(IndexedBatch& batch) {
  SegmentRecords& to = records_;
  const auto first_card = static_cast<std::uint32_t>(to.cards.size());
  const auto first_string = static_cast<std::uint32_t>(to.card_strings.size() - 1);
  for (CardRecord& card : batch.cards) {
    card.name += first_string;
    card.value += card.value == 0 ? 0 : first_string;
    to.cards.push_back(card);
  }
  for (CardKeyRecord& key : batch.card_names) {
    key.card += first_card;
    to.card_names.push_back(key);
  }
  for (CardKeyRecord& key : batch.card_values) {
    key.card += first_card;
    to.card_values.push_back(key);
  }
  to.card_strings.append(batch.card_strings);
}

}  // namespace sibyl::index
