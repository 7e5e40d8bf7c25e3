// SPDX-License-Identifier: Apache-2.0
// A segment file, mapped and read where it lies. Everything in it is doubted:
// whatever the bytes say, a reader gets an answer or nothing, never a crash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/mapped_file.h"
#include "base/result.h"
#include "index/segment/posting_codec.h"
#include "index/segment/segment_format.h"
#include "index/segment/term_dictionary.h"

namespace sibyl::index {

/// The postings of one term: a list, or the single posting of a rare term.
struct TermPostings {
  std::uint32_t passage_count = 0;
  PostingListView list;  ///< Empty for a single posting.
  std::uint32_t passage = 0;
  std::uint8_t impact = 0;
};

/// Immutable; may be shared between threads.
class Segment {
 public:
  /// Checks the header and that every section lies in the file: a torn,
  /// shortened or foreign file is refused here. Flipped bits inside a section
  /// are what Check is for.
  static Result<Segment> Open(const std::filesystem::path& path);

  /// The same over bytes in memory, which must outlive the segment and be
  /// aligned to eight.
  static Result<Segment> FromBytes(std::string_view bytes);

  /// Compares all bytes with their checksums.
  Status Check() const;

  const SegmentHeader& header() const { return header_; }
  std::size_t passage_count() const { return passages_.size(); }
  std::size_t document_count() const { return documents_.size(); }
  std::size_t text_block_count() const { return text_blocks_.size(); }

  const TextBlockRecord& text_block(std::size_t number) const { return text_blocks_[number]; }
  const PassageRecord& passage(std::size_t number) const { return passages_[number]; }

  /// Nothing if the passage names no document.
  const DocumentRecord* document_of(std::size_t passage) const;
  const DocumentRecord& document(std::size_t number) const { return documents_[number]; }

  std::string_view heading(const PassageRecord& passage) const { return String(passage.heading); }
  std::string_view language(const DocumentRecord& document) const {
    return String(document.language);
  }
  /// All paths of a document, the one to show first.
  std::vector<std::string_view> paths(const DocumentRecord& document) const;
  std::string_view path(const DocumentRecord& document) const { return String(document.paths); }

  const TermDictionary& terms() const { return terms_; }
  std::optional<TermPostings> Find(std::string_view term) const;
  TermPostings PostingsOf(const TermEntry& entry) const;

  /// Unpacks the first `wanted` bytes of a block of text; false if it is
  /// damaged or shorter.
  bool UnpackBlock(std::size_t block, std::uint32_t wanted, std::string& text) const;

  /// Asks the system for pieces of the segment that will be looked at soon, all at once
  /// instead of each when it is touched. Does nothing if they seem to be in memory.
  void Fetch(std::vector<std::string_view> pieces) const;

  /// Where the records of a passage, and those of its document, are.
  std::string_view passage_bytes(std::size_t number) const;
  std::string_view document_bytes(std::size_t passage) const;

  /// Bytes of one section, for `dump`.
  std::string_view section(Section section) const;

 private:
  Segment() = default;
  Status Load(std::string_view bytes);
  std::string_view String(std::uint32_t at) const;

  std::optional<MappedFile> file_;  // unless the bytes are somebody else's
  std::string_view bytes_view_;
  SegmentHeader header_;
  std::span<const TextBlockRecord> text_blocks_;
  std::span<const PassageRecord> passages_;
  std::span<const DocumentRecord> documents_;
  std::string_view strings_;
  std::string_view postings_;
  TermDictionary terms_;
};

/// Text of passages, one at a time, keeping the block it last unpacked.
/// Not to be shared between threads.
class PassageText {
 public:
  explicit PassageText(const Segment& segment) : segment_(&segment) {}

  /// Valid until the next call; empty if the text is damaged.
  std::string_view Get(const PassageRecord& passage);

 private:
  const Segment* segment_;
  std::optional<std::uint32_t> block_;
  std::string text_;
};

}  // namespace sibyl::index
