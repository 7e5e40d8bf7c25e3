// SPDX-License-Identifier: Apache-2.0
// Turns a handful of documents into everything a segment stores of them. One
// for each thread of a build.
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

/// Longer documents are skipped, whatever the source thinks of them.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;

/// Records count passages, documents and blocks from the beginning of the
/// batch. Strings count from 1; 0 is the empty string.
struct IndexedBatch {
  std::vector<PassageRecord> passages;
  std::vector<DocumentRecord> documents;
  std::vector<TextBlockRecord> text_blocks;
  std::string packed_text;
  std::string strings;
  BatchPostings postings;
  std::uint64_t text_bytes = 0;
};

class BatchIndexer {
 public:
  BatchIndexer(WordTable& table, Vocabulary& vocabulary) : collector_(table, vocabulary) {}

  void Begin(std::size_t batch) { collector_.BeginBatch(static_cast<std::uint32_t>(batch)); }

  /// `paths` has at least one path, the one to show first.
  void Add(const git::ObjectId& blob, std::span<const std::string_view> paths, Document& document);

  /// What was added since Begin.
  IndexedBatch Take();

 private:
  std::string_view Hold(std::string_view text);
  std::uint32_t AddString(std::string_view text);
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
  // Texts whose block is still open, with room to read beyond the end.
  std::string held_;
  // What the passages of the current document have in common.
  std::vector<FieldTerm> path_terms_;
  float prior_ = 1;
  // Neighbours often have the same heading.
  std::vector<FieldTerm> heading_terms_;
  PassageKind last_kind_ = PassageKind::kWindow;
  std::string last_heading_;
  std::uint32_t last_heading_at_ = 0;
  std::string last_language_;
  std::uint32_t last_language_at_ = 0;
};

}  // namespace sibyl::index
