// SPDX-License-Identifier: Apache-2.0
#include "index/builder/segment_builder.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "base/parallel.h"
#include "index/builder/batch_queue.h"
#include "index/builder/document_paths.h"
#include "index/builder/inverter.h"

namespace sibyl::index {
namespace {

/// Divides items into batches: large enough that the postings of a batch are worth an
/// allocation; small at the end, so that threads do not wait long if the last files are the
/// longest.
class Batches {
 public:
  explicit Batches(std::size_t items)
      : items_(items), full_(items / kFull - std::min(items / kFull, kSmallAtEnd)) {}

  std::size_t count() const { return full_ + (items_ - full_ * kFull + kSmall - 1) / kSmall; }
  /// The first item of a batch; for the batch after the last, the number of items.
  std::size_t begin(std::size_t batch) const {
    if (batch <= full_) return batch * kFull;
    return std::min(items_, full_ * kFull + (batch - full_) * kSmall);
  }

 private:
  static constexpr std::size_t kFull = 16;
  static constexpr std::size_t kSmall = 2;
  static constexpr std::size_t kSmallAtEnd =
      8;  // full batches at the end that are divided into small ones

  std::size_t items_;
  std::size_t full_;
};

template <typename T>
std::string_view BytesOf(const std::vector<T>& records) {
  return {reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T)};
}

class SegmentBuild {
 public:
  SegmentBuild(DocumentSource& source, std::span<const WorkItem> items, SegmentWriter& writer,
               const SegmentLimits& limits)
      : source_(source),
        items_(items),
        threads_(limits.threads),
        vocabulary_(items.size()),
        words_(std::make_unique<WordTable>(items.size())),
        batches_(items.size()),
        queue_(writer, batches_.count(), limits.text_bytes),
        writer_(writer) {}

  /// Returns how many items are in the segment.
  Result<std::size_t> IndexItems() {
    RunOnThreads(threads_, [this](std::size_t) { IndexBatches(); });
    const std::size_t batches = SIBYL_TRY(queue_.Finish());
    if (vocabulary_.is_overfull()) {
      return Error{.kind = ErrorKind::kUnavailable,
                   .message = "building the index: more distinct words than a segment can hold",
                   .hint = "exclude large data files, or set a smaller size limit",
                   .place = std::nullopt};
    }
    vocabulary_.FreeTables();
    whole_terms_ = words_->WholeTerms(static_cast<std::uint32_t>(batches), vocabulary_);
    words_.reset();
    return batches_.begin(batches);
  }

  Result<BuiltSegment> WriteSegment();
  bool is_empty() { return queue_.records().documents.empty(); }

 private:
  void IndexBatches();
  void InvertPartitions();
  void WriteLists() SIBYL_REQUIRES(inverted_mutex_);
  Status WriteTerms() SIBYL_REQUIRES(inverted_mutex_);
  Status WriteCards();

  DocumentSource& source_;
  std::span<const WorkItem> items_;
  std::size_t threads_;
  Vocabulary vocabulary_;
  std::unique_ptr<WordTable> words_;
  std::array<std::vector<std::uint64_t>, kPartitions> whole_terms_;
  Batches batches_;
  BatchQueue queue_;
  SegmentWriter& writer_;
  std::atomic<std::size_t> next_partition_ = 0;
  Mutex inverted_mutex_;
  std::array<InvertedPartition, kPartitions> inverted_ SIBYL_GUARDED_BY(inverted_mutex_);
  std::size_t written_ SIBYL_GUARDED_BY(inverted_mutex_) = 0;
  Status lists_status_ SIBYL_GUARDED_BY(inverted_mutex_);
  std::uint64_t term_count_ = 0;
};

void SegmentBuild::IndexBatches() {
  BatchIndexer indexer(*words_, vocabulary_);
  Document document;
  while (const std::optional<std::size_t> batch = queue_.Take()) {
    indexer.Begin(*batch);
    const std::size_t begin = batches_.begin(*batch);
    const std::size_t end = batches_.begin(*batch + 1);
    for (const WorkItem& item : items_.subspan(begin, end - begin)) {
      Result<Loaded> loaded = source_.Load(item.source_item, document);
      if (!loaded.ok()) return queue_.Fail(std::move(loaded).error());
      if (*loaded == Loaded::kSkipped || document.text.size() > kMaxDocumentBytes) continue;
      const std::vector<std::string_view> paths = PathsOf(source_, item);
      indexer.Add(source_.key(item.source_item).blob, paths, document);
    }
    queue_.Deliver(*batch, indexer.Take());
  }
}

void SegmentBuild::InvertPartitions() {
  Inverter inverter;
  for (;;) {
    const std::size_t partition = next_partition_.fetch_add(1);
    if (partition >= kPartitions) return;
    InvertedPartition inverted =
        inverter.Invert({.partition = partition,
                         .vocabulary = vocabulary_,
                         .is_whole = whole_terms_[partition],
                         .batches = queue_.records().batches,
                         .passage_count = queue_.records().passages.size()});
    vocabulary_.Free(partition);
    const MutexLock lock(inverted_mutex_);
    inverted_[partition] = std::move(inverted);
    WriteLists();
  }
}

// Writes the lists that are next in order, while other threads still work.
void SegmentBuild::WriteLists() {
  for (; written_ < kPartitions && inverted_[written_].is_done; ++written_) {
    if (!lists_status_.ok()) continue;
    lists_status_ =
        writer_.Append(Section::kPostings, std::exchange(inverted_[written_].lists, {}));
  }
}

Result<BuiltSegment> SegmentBuild::WriteSegment() {
  SegmentRecords& records = queue_.records();
  SIBYL_TRY(writer_.Append(Section::kTextBlocks, BytesOf(records.text_blocks)));
  RunOnThreads(std::min(threads_, kPartitions), [this](std::size_t) { InvertPartitions(); });
  std::vector<PlacedBatch>().swap(records.batches);
  {
    const MutexLock lock(inverted_mutex_);
    SIBYL_TRY(std::move(lists_status_));
    SIBYL_TRY(WriteTerms());
  }
  SIBYL_TRY(writer_.Append(Section::kPassages, BytesOf(records.passages)));
  SIBYL_TRY(writer_.Append(Section::kDocuments, BytesOf(records.documents)));
  SIBYL_TRY(writer_.Append(Section::kStrings, records.strings));
  SIBYL_TRY(WriteCards());
  BuiltSegment built;
  built.documents = records.documents.size();
  built.passages = records.passages.size();
  built.text_bytes = records.text_bytes;
  built.id =
      SIBYL_TRY(writer_.Finish({.term_count = term_count_, .text_bytes = records.text_bytes}));
  return built;
}

Status SegmentBuild::WriteCards() {
  SegmentRecords& records = queue_.records();
  for (std::vector<CardKeyRecord>* keys : {&records.card_names, &records.card_values}) {
    std::sort(keys->begin(), keys->end(), [](const CardKeyRecord& a, const CardKeyRecord& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.card < b.card;
    });
  }
  SIBYL_TRY(writer_.Append(Section::kCards, BytesOf(records.cards)));
  SIBYL_TRY(writer_.Append(Section::kCardStrings, records.card_strings));
  SIBYL_TRY(writer_.Append(Section::kCardNames, BytesOf(records.card_names)));
  return writer_.Append(Section::kCardValues, BytesOf(records.card_values));
}

Status SegmentBuild::WriteTerms() {
  std::vector<TermBlockRecord> blocks;
  std::vector<std::uint32_t> groups;
  std::vector<std::uint64_t> signatures;
  std::uint64_t lists = 0;
  std::uint64_t bytes = 0;
  for (InvertedPartition& partition : inverted_) {
    TermDictionaryWriter& terms = partition.terms;
    for (const std::uint32_t group : terms.groups) {
      groups.push_back(group + static_cast<std::uint32_t>(blocks.size()));
    }
    for (TermBlockRecord block : terms.blocks) {
      block.postings += lists;
      block.bytes += bytes;
      blocks.push_back(block);
    }
    signatures.insert(signatures.end(), terms.signatures.begin(), terms.signatures.end());
    lists += terms.list_bytes;
    bytes += terms.bytes.size();
    term_count_ += terms.term_count;
    SIBYL_TRY(writer_.Append(Section::kTermBytes, terms.bytes));
    terms = {};
  }
  SIBYL_TRY(writer_.Append(Section::kTermBlocks, BytesOf(blocks)));
  SIBYL_TRY(writer_.Append(Section::kTermGroups, BytesOf(groups)));
  return writer_.Append(Section::kTermSignatures, TransposeSignatures(signatures));
}

}  // namespace

Result<std::vector<BuiltSegment>> BuildSegments(DocumentSource& source,
                                                std::span<const WorkItem> items,
                                                const std::filesystem::path& folder,
                                                const SegmentLimits& limits) {
  SegmentLimits actual = limits;
  if (actual.threads == 0) actual.threads = MachineThreads();
  std::vector<BuiltSegment> built;
  while (!items.empty()) {
    SegmentWriter writer = SIBYL_TRY(SegmentWriter::Create(folder));
    const auto build = std::make_unique<SegmentBuild>(source, items, writer, actual);
    const std::size_t taken = SIBYL_TRY(build->IndexItems());
    if (!build->is_empty()) built.push_back(SIBYL_TRY(build->WriteSegment()));
    items = items.subspan(taken);
  }
  return built;
}

}  // namespace sibyl::index
