// SPDX-License-Identifier: Apache-2.0
// The layout of a segment file: header, sections, records. docs/formats/index.md explains it;
// increase the version with every change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sibyl::index {

inline constexpr std::array<char, 8> kSegmentMagic = {'S', 'I', 'B', 'Y', 'L', 'S', 'E', 'G'};
inline constexpr std::uint32_t kSegmentVersion = 3;
inline constexpr std::size_t kHeaderBytes = 4096;
inline constexpr std::size_t kChecksumChunk = std::size_t{1} << 20;

enum class Section : std::uint32_t {
  kText,        ///< LZ4 blocks, one after the other.
  kTextBlocks,  ///< A TextBlockRecord for each.
  kPostings,
  kTermBytes,       ///< Front-coded terms, kBlockTerms per block.
  kTermBlocks,      ///< A TermBlockRecord for each block.
  kTermGroups,      ///< The first block of each group of blocks, 32 bits each.
  kTermSignatures,  ///< kSignatureRows rows, one bit per group.
  kPassages,        ///< One PassageRecord each.
  kDocuments,       ///< One DocumentRecord each.
  kStrings,         ///< NUL-terminated paths, headings, languages.
  kCards,           ///< One CardRecord each, in the order of the documents.
  kCardStrings,     ///< NUL-terminated names and values.
  kCardNames,       ///< A CardKeyRecord each: by the hash of the folded name.
  kCardValues,      ///< Of error codes: by the hash of the value.
  kChecksums,       ///< CRC-32C of each kChecksumChunk of all sections before.
};
inline constexpr std::size_t kSections = 15;

inline constexpr std::size_t kBlockTerms = 32;
inline constexpr std::size_t kGroupBlocks = 2;
inline constexpr std::size_t kSignatureRows = 2048;

struct SectionRecord {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct SegmentHeader {
  std::array<char, 8> magic = kSegmentMagic;
  std::uint32_t version = kSegmentVersion;
  std::uint32_t byte_order = 0x01020304;  ///< Differs on a machine with another byte order.
  std::uint64_t file_bytes = 0;
  std::uint64_t term_count = 0;
  std::uint64_t text_bytes = 0;  ///< Before compression.
  std::array<SectionRecord, kSections> sections;
  std::uint32_t checksums_crc = 0;  ///< Of the section kChecksums.
  std::uint32_t header_crc = 0;     ///< Of the header before this member.
};

struct TextBlockRecord {
  std::uint64_t offset = 0;  ///< Into kText.
  std::uint32_t packed_bytes = 0;
  std::uint32_t bytes = 0;  ///< Equal to packed_bytes: stored uncompressed.
};

struct TermBlockRecord {
  std::uint64_t key = 0;       ///< The first term's first eight bytes, as a big-endian number.
  std::uint64_t postings = 0;  ///< Offset in kPostings of the block's first list.
  std::uint64_t bytes = 0;     ///< Into kTermBytes.
};

struct PassageRecord {
  std::uint32_t document = 0;
  std::uint32_t first_line = 0;
  std::uint32_t last_line = 0;
  std::uint32_t text_block = 0;
  std::uint32_t text_begin = 0;  ///< In the block.
  std::uint32_t text_bytes = 0;
  std::uint32_t heading = 0;  ///< Into kStrings.
  std::uint32_t fold_hash = 0;
  std::uint32_t kind = 0;  ///< PassageKind.
};

struct DocumentRecord {
  std::array<std::uint8_t, 20> blob{};
  std::uint32_t first_passage = 0;
  std::uint32_t passage_count = 0;
  std::uint32_t paths = 0;  ///< Offset in kStrings: path_count paths; the first is displayed first.
  std::uint32_t path_count = 0;
  std::uint32_t language = 0;    ///< Into kStrings.
  std::uint32_t traits = 0;      ///< DocumentTraits::Bits().
  std::uint32_t first_card = 0;  ///< They end where those of the next document begin.
};

/// Enough to find a card; the rest is read from the document (cards/file_cards.h).
struct CardRecord {
  std::uint32_t name = 0;   ///< Into kCardStrings.
  std::uint32_t value = 0;  ///< Likewise; 0 if it has none.
  std::uint32_t first_line = 0;
  std::uint16_t more_lines = 0;  ///< After the first; at most 65,535.
  std::uint8_t kind = 0;         ///< cards::CardKind.
  std::uint8_t reserved = 0;
};

/// Ordered by hash, then by card.
struct CardKeyRecord {
  std::uint32_t hash = 0;
  std::uint32_t card = 0;
};

static_assert(std::is_trivially_copyable_v<SegmentHeader> && sizeof(SegmentHeader) == 288);
static_assert(sizeof(TextBlockRecord) == 16 && sizeof(TermBlockRecord) == 24);
static_assert(sizeof(PassageRecord) == 36 && sizeof(DocumentRecord) == 48);

static_assert(sizeof(CardRecord) == 16 && sizeof(CardKeyRecord) == 8);

}  // namespace sibyl::index
