// SPDX-License-Identifier: Apache-2.0
// Indexes a batch of documents: produces everything that a segment stores about them. One per
// build thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/builder/inverter.h"
#include "index/builder/passage_cover.h"
#include "index/builder/term_collector.h"
#include "index/builder/vocabulary.h"
#include "index/document.h"
#include "index/segment/segment_format.h"
#include "index/segment/text_packer.h"
#include "index/words/words.h"

namespace sibyl::index {

/// Longer documents are skipped, even if the source loads them.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;

/// Passages, documents and blocks are numbered from the start of the batch. String offsets
/// start at 1; 0 is the empty string.
struct IndexedBatch {
  std::vector<PassageRecord> passages;
  std::vector<DocumentRecord> documents;
  std::vector<TextBlockRecord> text_blocks;
  std::string packed_text;
  std::string strings;
  std::vector<CardRecord> cards;
  std::string card_strings;
  std::vector<CardKeyRecord> card_names;   ///< In the order of the cards.
  std::vector<CardKeyRecord> card_values;  ///< Likewise.
  BatchPostings postings;
  std::uint64_t text_bytes = 0;
};

class BatchIndexer {
 public:
  BatchIndexer(WordTable& table, Vocabulary& vocabulary) : collector_(table, vocabulary) {}

  void Begin(std::size_t batch) { collector_.BeginBatch(static_cast<std::uint32_t>(batch)); }

  /// `paths` is not empty; its first path is displayed first.
  void Add(const git::ObjectId& blob, std::span<const std::string_view> paths, Document& document);

  /// Returns everything added since Begin.
  IndexedBatch Take();

 private:
  std::string_view Hold(std::string_view text);
  std::uint32_t AddString(std::string_view text);
  void AddCards(const Document& document);
  void FindPathTerms(std::string_view path);
  void EnterHeading(const CoveredPassage& span);
  void AddPassage(const CoveredPassage& span, std::string_view text,
                  std::span<const std::uint32_t>& edges);

  TermCollector collector_;
  WordScanner scanner_;
  TextPacker packer_;
  PostingStreams streams_;
  PostingStore store_;
  IndexedBatch batch_;
  // Texts of the open block, padded so that reads may go past the end.
  std::string held_;
  // Shared by all passages of the current document.
  std::vector<FieldTerm> path_terms_;
  float prior_ = 1;
  // Cached, because neighbouring passages often have the same heading.
  std::vector<FieldTerm> heading_terms_;
  PassageKind last_kind_ = PassageKind::kWindow;
  std::string last_heading_;
  std::uint32_t last_heading_at_ = 0;
  std::string last_language_;
  std::uint32_t last_language_at_ = 0;
};

}  // namespace sibyl::index
