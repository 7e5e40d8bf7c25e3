// SPDX-License-Identifier: Apache-2.0
#include "draft/receipts.h"

#include <fmt/format.h>

#include <utility>

#include "draft/page_parts.h"

namespace sibyl::draft {

std::string Receipts::Mark(const Excerpt& excerpt, std::size_t first, std::size_t last,
                           std::string_view words) {
  evidence::Footnote note =
      excerpt.Note({}, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
  auto* source = std::get_if<evidence::SourceCitation>(&note.citation);
  if (source != nullptr && !words.empty() && find_words_) {
    if (const auto found = find_words_(*source, words); found.ok()) source->words = *found;
  }
  const std::size_t before = footnotes_.size();
  std::string mark = MarkOf(std::move(note));
  if (footnotes_.size() > before) pins_.push_back(excerpt.pin);
  return mark;
}

std::string Receipts::Mark(const evidence::Citation& citation, std::string_view label) {
  return MarkOf({.id = {}, .label = std::string(label), .citation = citation});
}

std::string Receipts::MarkOf(evidence::Footnote note) {
  const auto [at, is_new] =
      numbers_.try_emplace(evidence::FormatCitation(note.citation), footnotes_.size() + 1);
  std::string id = fmt::format("{}-{}", prefix_, at->second);
  if (is_new) {
    note.id = id;
    footnotes_.push_back(std::move(note));
  }
  return fmt::format("[^{}]", id);
}

std::vector<std::string> Receipts::Definitions() const {
  std::vector<std::string> lines;
  lines.reserve(footnotes_.size());
  for (const evidence::Footnote& footnote : footnotes_) {
    lines.push_back(evidence::FormatFootnote(footnote));
  }
  return lines;
}

std::vector<UsedSource> Receipts::Sources() const { return CountSources(pins_); }

}  // namespace sibyl::draft
