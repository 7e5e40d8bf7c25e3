// SPDX-License-Identifier: Apache-2.0
#include "index/segment/segment.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "index/segment/checksum.h"
#include "index/segment/text_packer.h"

namespace sibyl::index {
namespace {

Error CorruptSegment(std::string what) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = std::move(what),
               .hint = "delete the file; it is rebuilt when needed",
               .place = std::nullopt};
}

// The complete records of a section whose bounds have been checked.
template <typename T>
std::span<const T> Records(std::string_view bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

std::span<const CardKeyRecord> KeysOf(std::span<const CardKeyRecord> keys, std::uint32_t hash) {
  const auto less = [](const CardKeyRecord& key, std::uint32_t value) { return key.hash < value; };
  const auto begin = std::lower_bound(keys.begin(), keys.end(), hash, less);
  auto end = begin;
  while (end != keys.end() && end->hash == hash) ++end;
  return keys.subspan(static_cast<std::size_t>(begin - keys.begin()),
                      static_cast<std::size_t>(end - begin));
}

Status CheckHeader(std::string_view bytes, SegmentHeader& header) {
  if (bytes.size() < kHeaderBytes) return CorruptSegment("shorter than a segment's header");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kSegmentMagic) return CorruptSegment("not an index segment");
  if (header.byte_order != SegmentHeader{}.byte_order) {
    return CorruptSegment("written by a machine with another byte order");
  }
  if (header.version != kSegmentVersion) {
    return CorruptSegment("version " + std::to_string(header.version) + ", not " +
                          std::to_string(kSegmentVersion));
  }
  if (Crc32c(bytes.substr(0, offsetof(SegmentHeader, header_crc))) != header.header_crc) {
    return CorruptSegment("damaged header");
  }
  if (header.file_bytes != bytes.size()) {
    return CorruptSegment(std::to_string(bytes.size()) + " bytes of " +
                          std::to_string(header.file_bytes));
  }
  for (const SectionRecord& section : header.sections) {
    if (section.offset > bytes.size() || section.bytes > bytes.size() - section.offset) {
      return CorruptSegment("a section is outside the file");
    }
  }
  return {};
}

}  // namespace

Result<Segment> Segment::Open(const std::filesystem::path& path) {
  const std::string doing = "opening the index segment " + path.string();
  Result<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return While(doing, std::move(file).error());
  Segment segment;
  segment.file_ = std::move(file).value();
  const std::string_view bytes = segment.file_->bytes();
  // Lookups touch single pages at random; most of what the kernel would read ahead is never
  // used.
  if (!bytes.empty()) ::madvise(const_cast<char*>(bytes.data()), bytes.size(), MADV_RANDOM);
  if (Status loaded = segment.Load(bytes); !loaded.ok()) {
    return While(doing, std::move(loaded).error());
  }
  return segment;
}

Result<Segment> Segment::FromBytes(std::string_view bytes) {
  Segment segment;
  SIBYL_TRY(segment.Load(bytes));
  return segment;
}

Status Segment::Load(std::string_view bytes) {
  SIBYL_TRY(CheckHeader(bytes, header_));
  bytes_view_ = bytes;
  for (const Section aligned :
       {Section::kTextBlocks, Section::kTermBlocks, Section::kTermGroups, Section::kPassages,
        Section::kDocuments, Section::kCards, Section::kCardNames, Section::kCardValues}) {
    const auto address = reinterpret_cast<std::uintptr_t>(section(aligned).data());
    if (!section(aligned).empty() && address % 8 != 0)
      return CorruptSegment("a section is not aligned");
  }
  text_blocks_ = Records<TextBlockRecord>(section(Section::kTextBlocks));
  passages_ = Records<PassageRecord>(section(Section::kPassages));
  documents_ = Records<DocumentRecord>(section(Section::kDocuments));
  cards_ = Records<CardRecord>(section(Section::kCards));
  card_names_ = Records<CardKeyRecord>(section(Section::kCardNames));
  card_values_ = Records<CardKeyRecord>(section(Section::kCardValues));
  card_strings_ = section(Section::kCardStrings);
  if (!card_strings_.empty() && card_strings_.back() != '\0') {
    return CorruptSegment("unterminated names of cards");
  }
  strings_ = section(Section::kStrings);
  if (strings_.empty() || strings_.back() != '\0') return CorruptSegment("unterminated strings");
  postings_ = section(Section::kPostings);
  terms_ = TermDictionary({.bytes = section(Section::kTermBytes),
                           .blocks = Records<TermBlockRecord>(section(Section::kTermBlocks)),
                           .groups = Records<std::uint32_t>(section(Section::kTermGroups)),
                           .signatures = section(Section::kTermSignatures)});
  return {};
}

void Segment::Fetch(std::vector<std::string_view> pieces) const {
  if (!file_) return;
  constexpr std::size_t kPage = 4096;
  struct Pages {
    std::size_t begin = 0;  // in the file
    std::size_t end = 0;
  };
  std::sort(pieces.begin(), pieces.end(),
            [](std::string_view a, std::string_view b) { return a.data() < b.data(); });
  std::vector<Pages> wanted;
  for (const std::string_view piece : pieces) {
    if (piece.empty()) continue;
    const auto at = static_cast<std::size_t>(piece.data() - bytes_view_.data());
    const std::size_t begin = at / kPage * kPage;
    if (!wanted.empty() && begin <= wanted.back().end) {
      wanted.back().end = std::max(wanted.back().end, at + piece.size());
    } else {
      wanted.push_back({.begin = begin, .end = at + piece.size()});
    }
  }
  char* const memory = const_cast<char*>(bytes_view_.data());
  const auto is_in_memory = [&](const Pages& pages) {
    unsigned char state = 0;
    return ::mincore(memory + pages.begin, kPage, &state) == 0 && (state & 1) != 0;
  };
  constexpr std::size_t kChecked = 4;
  const std::span<const Pages> first(wanted.data(), std::min(wanted.size(), kChecked));
  if (std::all_of(first.begin(), first.end(), is_in_memory)) return;
  for (const Pages& pages : wanted) {
    ::madvise(memory + pages.begin, pages.end - pages.begin, MADV_WILLNEED);
  }
}

std::string_view Segment::passage_bytes(std::size_t number) const {
  return {reinterpret_cast<const char*>(&passages_[number]), sizeof(PassageRecord)};
}

std::string_view Segment::document_bytes(std::size_t passage) const {
  const DocumentRecord* document = document_of(passage);
  if (document == nullptr) return {};
  return {reinterpret_cast<const char*>(document), sizeof(DocumentRecord)};
}

std::string_view Segment::section(Section section) const {
  const SectionRecord& record = header_.sections[static_cast<std::size_t>(section)];
  return bytes_view_.substr(record.offset, record.bytes);
}

Status Segment::Check() const {
  const std::string_view checksums = section(Section::kChecksums);
  if (Crc32c(checksums) != header_.checksums_crc) return CorruptSegment("damaged checksums");
  const std::size_t end = static_cast<std::size_t>(checksums.data() - bytes_view_.data());
  std::string_view body = bytes_view_.substr(kHeaderBytes, end - kHeaderBytes);
  for (std::size_t chunk = 0; !body.empty(); ++chunk) {
    const std::string_view now = body.substr(0, kChecksumChunk);
    std::uint32_t expected = 0;
    if (chunk * 4 + 4 > checksums.size()) return CorruptSegment("too few checksums");
    std::memcpy(&expected, checksums.data() + chunk * 4, 4);
    if (Crc32c(now) != expected) {
      return CorruptSegment("damaged between bytes " +
                            std::to_string(kHeaderBytes + chunk * kChecksumChunk) + " and " +
                            std::to_string(kHeaderBytes + chunk * kChecksumChunk + now.size()));
    }
    body.remove_prefix(now.size());
  }
  return {};
}

std::string_view Segment::String(std::uint32_t at) const {
  if (at >= strings_.size()) return {};
  return strings_.data() + at;  // ends at a NUL: the last byte is one
}

std::string_view Segment::CardString(std::uint32_t at) const {
  if (at >= card_strings_.size()) return {};
  return card_strings_.data() + at;  // ends at a NUL, as above
}

Segment::CardRange Segment::cards_of(std::size_t document) const {
  const auto count = static_cast<std::uint32_t>(cards_.size());
  CardRange range = {.first = std::min(documents_[document].first_card, count), .end = count};
  if (document + 1 < documents_.size()) {
    range.end = std::min(documents_[document + 1].first_card, count);
  }
  range.end = std::max(range.first, range.end);
  return range;
}

std::size_t Segment::document_of_card(std::size_t card) const {
  const auto after = std::upper_bound(documents_.begin(), documents_.end(), card,
                                      [](std::size_t value, const DocumentRecord& document) {
                                        return value < document.first_card;
                                      });
  if (after == documents_.begin()) return documents_.size();
  return static_cast<std::size_t>(after - documents_.begin()) - 1;
}

std::span<const CardKeyRecord> Segment::CardsNamed(std::uint32_t hash) const {
  return KeysOf(card_names_, hash);
}

std::span<const CardKeyRecord> Segment::CardsWithValue(std::uint32_t hash) const {
  return KeysOf(card_values_, hash);
}

const DocumentRecord* Segment::document_of(std::size_t passage) const {
  const std::uint32_t number = passages_[passage].document;
  return number < documents_.size() ? &documents_[number] : nullptr;
}

std::vector<std::string_view> Segment::paths(const DocumentRecord& document) const {
  std::vector<std::string_view> paths;
  std::uint64_t at = document.paths;
  for (std::uint32_t i = 0; i < document.path_count && at < strings_.size(); ++i) {
    paths.push_back(String(static_cast<std::uint32_t>(at)));
    at += paths.back().size() + 1;
  }
  return paths;
}

TermPostings Segment::PostingsOf(const TermEntry& entry) const {
  TermPostings postings;
  if (entry.passage_count == 1) {
    if (entry.passage >= passages_.size()) return postings;
    postings.passage_count = 1;
    postings.passage = entry.passage;
    postings.impact = entry.impact;
    return postings;
  }
  if (entry.list_offset > postings_.size() ||
      entry.list_bytes > postings_.size() - entry.list_offset ||
      entry.passage_count > passages_.size()) {
    return postings;
  }
  postings.list =
      PostingListView(postings_.substr(entry.list_offset, entry.list_bytes), entry.passage_count);
  postings.passage_count = postings.list.count();
  return postings;
}

std::optional<TermPostings> Segment::Find(std::string_view term) const {
  const std::optional<TermEntry> entry = terms_.Find(term);
  if (!entry) return std::nullopt;
  const TermPostings postings = PostingsOf(*entry);
  if (postings.passage_count == 0) return std::nullopt;
  return postings;
}

bool Segment::UnpackBlock(std::size_t block, std::uint32_t wanted, std::string& text) const {
  if (block >= text_blocks_.size()) return false;
  const TextBlockRecord& record = text_blocks_[block];
  const std::string_view packed = section(Section::kText);
  if (record.offset > packed.size() || record.packed_bytes > packed.size() - record.offset) {
    return false;
  }
  if (wanted > record.bytes) return false;
  return UnpackText(packed.substr(record.offset, record.packed_bytes), record.bytes, wanted, text);
}

std::string_view PassageText::Get(const PassageRecord& passage) {
  const std::uint64_t end = std::uint64_t{passage.text_begin} + passage.text_bytes;
  if (end > 0xFFFFFFFF) return {};
  if (block_ != passage.text_block || text_.size() < end) {
    // A second access to a block will probably need the rest of it as well.
    const bool comes_back = block_ == passage.text_block;
    block_.reset();
    const auto wanted = static_cast<std::uint32_t>(
        comes_back ? std::max<std::uint64_t>(end, segment_->text_block(passage.text_block).bytes)
                   : end);
    if (!segment_->UnpackBlock(passage.text_block, wanted, text_)) return {};
    block_ = passage.text_block;
  }
  return std::string_view(text_).substr(passage.text_begin, passage.text_bytes);
}

}  // namespace sibyl::index
