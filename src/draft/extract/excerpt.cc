// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/excerpt.h"

#include <optional>
#include <string_view>
#include <utility>

#include "base/line_span.h"
#include "evidence/origins/permalink.h"
#include "evidence/pages/page_citation.h"

namespace sibyl::draft {
namespace {

// Of a page its characters; nothing for other sources.
std::optional<evidence::PageCitation> CiteCharacters(const Excerpt& excerpt, std::uint32_t first,
                                                     std::uint32_t last) {
  if (excerpt.pin->pages.empty()) return std::nullopt;
  const auto lines = [&](std::uint32_t from, std::uint32_t to) {
    return TextOfLines(excerpt.text, {from - excerpt.first_line + 1, to - excerpt.first_line + 1});
  };
  if (first < excerpt.first_line || first > last) return std::nullopt;
  const std::optional<std::string_view> cited = lines(first, last);
  if (!cited) return std::nullopt;
  const auto before = static_cast<std::size_t>(cited->data() - excerpt.text.data());
  const std::size_t characters =
      excerpt.characters_before +
      evidence::CountCharacters(std::string_view(excerpt.text).substr(0, before));
  return evidence::CitePage(*excerpt.pin, excerpt.path, characters, *cited);
}

evidence::SourceCitation CiteLines(const Excerpt& excerpt, std::uint32_t first,
                                   std::uint32_t last) {
  using Anchor = evidence::SourceCitation::Anchor;
  const evidence::Pin& pin = *excerpt.pin;
  evidence::SourceCitation citation{
      .blob = excerpt.blob, .origin = pin.origin, .path = excerpt.path, .lines = {first, last}};
  if (pin.commit) {
    citation.anchor = Anchor::kCommit;
    citation.anchor_id = *pin.commit;
  } else if (pin.tree) {
    citation.anchor = Anchor::kTree;
    citation.anchor_id = *pin.tree;
  }
  return citation;
}

}  // namespace

evidence::Citation Excerpt::Cite(std::uint32_t first, std::uint32_t last) const {
  if (auto page = CiteCharacters(*this, first, last)) return std::move(page->citation);
  return CiteLines(*this, first, last);
}

evidence::Footnote Excerpt::Note(std::string id, std::uint32_t first, std::uint32_t last) const {
  if (auto page = CiteCharacters(*this, first, last)) {
    return {.id = std::move(id),
            .label = std::move(page->title),
            .citation = std::move(page->citation),
            .fragment = std::move(page->fragment)};
  }
  return {.id = std::move(id), .label = pin->name, .citation = CiteLines(*this, first, last)};
}

std::string Excerpt::Link(std::uint32_t first, std::uint32_t last) const {
  if (const auto page = CiteCharacters(*this, first, last)) return page->Link();
  return evidence::Permalink(CiteLines(*this, first, last));
}

}  // namespace sibyl::draft
