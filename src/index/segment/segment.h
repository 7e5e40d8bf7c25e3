// SPDX-License-Identifier: Apache-2.0
// A segment file, mapped and read in place. Nothing in it is trusted: damaged bytes give an
// error or no result, never a crash.
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

/// The postings of one term: a list, or the only posting of a rare term.
struct TermPostings {
  std::uint32_t passage_count = 0;
  PostingListView list;  ///< Empty for a single posting.
  std::uint32_t passage = 0;
  std::uint8_t impact = 0;
};

/// Immutable; may be shared between threads.
class Segment {
 public:
  /// Checks the header and that every section is within the file: rejects torn, truncated and
  /// foreign files. Use Check to detect flipped bits in a section.
  static Result<Segment> Open(const std::filesystem::path& path);

  /// The same for bytes in memory, which must outlive the segment and be aligned to eight.
  static Result<Segment> FromBytes(std::string_view bytes);

  /// Verifies the checksums of all sections.
  Status Check() const;

  const SegmentHeader& header() const { return header_; }
  std::size_t passage_count() const { return passages_.size(); }
  std::size_t document_count() const { return documents_.size(); }
  std::size_t text_block_count() const { return text_blocks_.size(); }

  const TextBlockRecord& text_block(std::size_t number) const { return text_blocks_[number]; }
  const PassageRecord& passage(std::size_t number) const { return passages_[number]; }

  /// nullptr if the passage has no valid document.
  const DocumentRecord* document_of(std::size_t passage) const;
  const DocumentRecord& document(std::size_t number) const { return documents_[number]; }

  std::string_view heading(const PassageRecord& passage) const { return String(passage.heading); }
  std::string_view language(const DocumentRecord& document) const {
    return String(document.language);
  }
  /// All paths of a document; the first is displayed first.
  std::vector<std::string_view> paths(const DocumentRecord& document) const;
  std::string_view path(const DocumentRecord& document) const { return String(document.paths); }

  std::size_t card_count() const { return cards_.size(); }
  const CardRecord& card(std::size_t number) const { return cards_[number]; }
  std::string_view card_name(const CardRecord& card) const { return CardString(card.name); }
  std::string_view card_value(const CardRecord& card) const { return CardString(card.value); }

  /// The numbers [first, end) of a document's cards, within card_count().
  struct CardRange {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
  };
  CardRange cards_of(std::size_t document) const;
  /// The document of a card; document_count() if it has none.
  std::size_t document_of_card(std::size_t card) const;
  /// The cards whose folded name, or whose value, has this hash; their numbers may be
  /// damaged.
  std::span<const CardKeyRecord> CardsNamed(std::uint32_t hash) const;
  std::span<const CardKeyRecord> CardsWithValue(std::uint32_t hash) const;

  const TermDictionary& terms() const { return terms_; }
  std::optional<TermPostings> Find(std::string_view term) const;
  TermPostings PostingsOf(const TermEntry& entry) const;

  /// Decompresses the first `wanted` bytes of a text block; false if it is damaged or shorter.
  bool UnpackBlock(std::size_t block, std::uint32_t wanted, std::string& text) const;

  /// Asks the kernel to read pieces of the segment that are needed soon, all at once instead of
  /// one page fault at a time. Does nothing if they seem to be in memory.
  void Fetch(std::vector<std::string_view> pieces) const;

  /// The bytes of the records of a passage and of its document.
  std::string_view passage_bytes(std::size_t number) const;
  std::string_view document_bytes(std::size_t passage) const;

  /// The bytes of one section, for `dump`.
  std::string_view section(Section section) const;

 private:
  Segment() = default;
  Status Load(std::string_view bytes);
  std::string_view String(std::uint32_t at) const;
  std::string_view CardString(std::uint32_t at) const;

  std::optional<MappedFile> file_;  // empty if the caller owns the bytes
  std::string_view bytes_view_;
  SegmentHeader header_;
  std::span<const TextBlockRecord> text_blocks_;
  std::span<const PassageRecord> passages_;
  std::span<const DocumentRecord> documents_;
  std::span<const CardRecord> cards_;
  std::span<const CardKeyRecord> card_names_;
  std::span<const CardKeyRecord> card_values_;
  std::string_view card_strings_;
  std::string_view strings_;
  std::string_view postings_;
  TermDictionary terms_;
};

/// Returns the text of passages; keeps the last decompressed block. Not thread-safe.
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
