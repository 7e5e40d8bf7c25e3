// SPDX-License-Identifier: Apache-2.0
#include "index/builder/batch_indexer.h"

#include <algorithm>
#include <utility>

#include "cards/fold.h"
#include "index/builder/passage_cover.h"
#include "index/document_traits.h"
#include "index/segment/card_keys.h"

namespace sibyl::index {
namespace {

// How many bytes the word table may read after a word.
constexpr std::size_t kSlack = 32;
constexpr std::size_t kHeldBytes = std::size_t{1} << 20;

// As parts of ImpactScale::kSaturated. Chosen by judgement, not yet tuned: the name that a
// passage defines outweighs any number of mentions elsewhere.
constexpr FieldBonus kSymbolBonus = {.whole = 70, .part = 30};
constexpr FieldBonus kHeadingBonus = {.whole = 40, .part = 25};
constexpr FieldBonus kOuterBonus = {.whole = 15, .part = 8};
constexpr FieldBonus kFileNameBonus = {.whole = 25, .part = 18};
constexpr FieldBonus kFolderBonus = {.whole = 10, .part = 6};

// The last component of "a::b::c" or "A > B > C"; the others are context.
std::size_t LastComponent(std::string_view heading, PassageKind kind) {
  const bool is_symbol = kind == PassageKind::kDefinition;
  const std::size_t at = is_symbol ? heading.find_last_of(":.") : heading.rfind(" > ");
  if (at == std::string_view::npos) return 0;
  return is_symbol ? at + 1 : at + 3;
}

}  // namespace

std::string_view BatchIndexer::Hold(std::string_view text) {
  if (held_.size() + text.size() + kSlack > held_.capacity()) {
    packer_.CloseBlock();  // nothing refers to held_ after this
    held_.clear();
    held_.reserve(std::max(kHeldBytes, text.size() + kSlack));
  }
  const std::size_t begin = held_.size();
  held_.append(text);
  return std::string_view(held_).substr(begin);
}

std::uint32_t BatchIndexer::AddString(std::string_view text) {
  if (text.empty()) return 0;
  const std::size_t at = batch_.strings.size() + 1;
  batch_.strings.append(text.substr(0, text.find('\0')));
  batch_.strings.push_back('\0');
  return static_cast<std::uint32_t>(at);
}

void BatchIndexer::Add(const git::ObjectId& blob, std::span<const std::string_view> paths,
                       Document& document) {
  const std::string_view text = Hold(document.text);
  const DocumentTraits traits = TraitsOf(paths[0], document.language, text);
  FindPathTerms(paths[0]);
  prior_ = traits.Prior();
  DocumentRecord record;
  record.blob = blob.bytes;
  record.first_passage = static_cast<std::uint32_t>(batch_.passages.size());
  record.paths = AddString(paths[0]);
  for (const std::string_view path : paths.subspan(1)) AddString(path);
  record.path_count = static_cast<std::uint32_t>(paths.size());
  if (document.language != last_language_ || last_language_at_ == 0) {
    last_language_ = document.language;
    last_language_at_ = AddString(last_language_);
  }
  record.language = last_language_at_;
  record.traits = traits.Bits();
  record.first_card = static_cast<std::uint32_t>(batch_.cards.size());
  AddCards(document);
  std::span<const std::uint32_t> edges = scanner_.Scan(text);
  for (const CoveredPassage& span : CoverText(text, document.passages)) {
    AddPassage(span, text, edges);
  }
  document.passages.clear();
  document.cards.clear();
  record.passage_count = static_cast<std::uint32_t>(batch_.passages.size()) - record.first_passage;
  batch_.documents.push_back(record);
  batch_.text_bytes += text.size();
}

void BatchIndexer::AddCards(const Document& document) {
  constexpr std::uint32_t kMostLines = 0xFFFF;
  const auto add = [&](std::uint32_t begin, std::size_t bytes) -> std::uint32_t {
    const std::string_view text = std::string_view(document.text).substr(begin, bytes);
    const std::size_t at = batch_.card_strings.size() + 1;
    batch_.card_strings.append(text.substr(0, text.find('\0')));
    batch_.card_strings.push_back('\0');
    return static_cast<std::uint32_t>(at);
  };
  for (const cards::CardSpot& spot : document.cards) {
    const std::string_view name =
        std::string_view(document.text).substr(spot.name, spot.name_bytes);
    const auto number = static_cast<std::uint32_t>(batch_.cards.size());
    CardRecord record;
    record.name = add(spot.name, spot.name_bytes);
    if (spot.value_bytes > 0) record.value = add(spot.value, spot.value_bytes);
    record.first_line = spot.first_line;
    record.more_lines =
        static_cast<std::uint16_t>(std::min(spot.last_line - spot.first_line, kMostLines));
    record.kind = static_cast<std::uint8_t>(spot.kind);
    batch_.cards.push_back(record);
    batch_.card_names.push_back({.hash = CardNameHash(name, spot.kind), .card = number});
    if (spot.kind == cards::CardKind::kInstruction) {
      const std::string shape = cards::FoldWhole(cards::UpToShape(name));
      batch_.card_names.push_back({.hash = CardFoldHash(shape), .card = number});
    }
    if (spot.kind == cards::CardKind::kErrorCode && spot.value_bytes > 0) {
      const std::string_view value =
          std::string_view(document.text).substr(spot.value, spot.value_bytes);
      batch_.card_values.push_back({.hash = CardValueHash(value), .card = number});
    }
  }
}

void BatchIndexer::FindPathTerms(std::string_view path) {
  path_terms_.clear();
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  collector_.FindFieldTerms(path.substr(name, path.rfind('.') - name), kFileNameBonus, path_terms_);
  collector_.FindFieldTerms(path.substr(0, name), kFolderBonus, path_terms_);
}

void BatchIndexer::EnterHeading(const CoveredPassage& span) {
  if (last_heading_at_ != 0 && span.kind == last_kind_ && span.heading_view == last_heading_)
    return;
  if (span.heading_view != last_heading_ || last_heading_at_ == 0) {
    last_heading_ = span.heading_view;
    last_heading_at_ = AddString(last_heading_);
  }
  last_kind_ = span.kind;
  heading_terms_.clear();
  const std::string_view heading = span.heading_view;
  const std::size_t last = LastComponent(heading, span.kind);
  const bool is_symbol = span.kind == PassageKind::kDefinition;
  collector_.FindFieldTerms(heading.substr(last), is_symbol ? kSymbolBonus : kHeadingBonus,
                            heading_terms_);
  collector_.FindFieldTerms(heading.substr(0, last), kOuterBonus, heading_terms_);
}

void BatchIndexer::AddPassage(const CoveredPassage& span, std::string_view text,
                              std::span<const std::uint32_t>& edges) {
  collector_.BeginPassage();
  edges = edges.subspan(collector_.AddText(text.data(), edges, span.end));
  EnterHeading(span);
  collector_.AddField(heading_terms_);
  collector_.AddField(path_terms_);

  PassageRecord record;
  record.document = static_cast<std::uint32_t>(batch_.documents.size());
  record.first_line = span.first_line;
  record.last_line = span.last_line;
  const TextPacker::Place place = packer_.Add(text.substr(span.begin, span.end - span.begin));
  record.text_block = place.block;
  record.text_begin = place.begin;
  record.text_bytes = span.end - span.begin;
  record.heading = last_heading_at_;
  record.fold_hash = collector_.fold_hash();
  record.kind = static_cast<std::uint32_t>(span.kind);
  collector_.EndPassage(prior_, streams_);
  batch_.passages.push_back(record);
}

IndexedBatch BatchIndexer::Take() {
  collector_.EndBatch();
  packer_.CloseBlock();
  held_.clear();
  batch_.text_blocks = std::exchange(packer_.blocks, {});
  batch_.packed_text = std::exchange(packer_.packed, {});
  packer_.Clear();
  batch_.postings = store_.Keep(streams_);
  streams_.Clear();
  last_heading_at_ = 0;
  last_language_at_ = 0;
  return std::exchange(batch_, {});
}

}  // namespace sibyl::index
