// SPDX-License-Identifier: Apache-2.0
// A segment of any bytes. The header's checksum would reject almost every input, so it
// is corrected first; everything after it is untrusted.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "index/rank/scorer.h"
#include "index/segment/checksum.h"
#include "index/segment/segment.h"

namespace {

using namespace sibyl::index;

void MendHeader(std::vector<std::uint64_t>& words, std::size_t size) {
  auto* bytes = reinterpret_cast<char*>(words.data());
  SegmentHeader header;
  std::memcpy(&header, bytes, sizeof(header));
  header.magic = kSegmentMagic;
  header.version = kSegmentVersion;
  header.byte_order = SegmentHeader{}.byte_order;
  header.file_bytes = size;
  std::memcpy(bytes, &header, sizeof(header));
  header.header_crc = Crc32c({bytes, offsetof(SegmentHeader, header_crc)});
  std::memcpy(bytes, &header, sizeof(header));
}

void ReadTerms(const Segment& segment) {
  std::vector<WeightedPostings> terms;
  const auto take = [&](std::string_view, const TermEntry& entry) {
    if (terms.size() < 8) terms.push_back({.postings = segment.PostingsOf(entry), .weight = 20});
  };
  segment.terms().VisitPrefix("", 64, take);
  segment.terms().VisitContaining("abc", take);
  (void)segment.Find("word");
  // Damaged lists may disagree with their own skip tables, so that the two
  // scorers need not agree here; neither may leave its memory.
  const ScoredSegment scored{.segment = &segment, .number = 0, .allowed = {}};
  TopPassages top(10);
  Scorer().Score(scored, terms, top);
  ScoreExhaustively(scored, terms, top);
}

void ReadCards(const Segment& segment) {
  for (std::size_t i = 0; i < segment.card_count(); ++i) {
    const CardRecord& card = segment.card(i);
    if (segment.card_name(card).size() + segment.card_value(card).size() > (std::size_t{1} << 21)) {
      std::abort();
    }
    if (segment.document_of_card(i) > segment.document_count()) std::abort();
    for (const CardKeyRecord& key : segment.CardsNamed(card.name)) (void)key;
    (void)segment.CardsWithValue(card.value);
  }
  for (std::size_t i = 0; i < segment.document_count(); ++i) {
    const Segment::CardRange range = segment.cards_of(i);
    if (range.first > range.end || range.end > segment.card_count()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kHeaderBytes || size > (std::size_t{1} << 20)) return 0;
  std::vector<std::uint64_t> words(size / 8 + 1);
  std::memcpy(words.data(), data, size);
  MendHeader(words, size);
  const sibyl::Result<Segment> segment =
      Segment::FromBytes({reinterpret_cast<const char*>(words.data()), size});
  if (!segment.ok()) return 0;
  (void)segment->Check().ok();
  PassageText text(*segment);
  for (std::size_t i = 0; i < segment->passage_count(); ++i) {
    (void)text.Get(segment->passage(i));
    (void)segment->heading(segment->passage(i));
    if (const DocumentRecord* document = segment->document_of(i)) (void)segment->paths(*document);
  }
  ReadTerms(*segment);
  ReadCards(*segment);
  return 0;
}
