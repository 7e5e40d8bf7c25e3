// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/agent_receipts.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <variant>

#include "base/strings.h"
#include "draft/page_parts.h"
#include "evidence/footnote.h"
#include "evidence/pages/pages.h"

namespace sibyl::draft {
namespace {

// After "[^a]:".
Result<evidence::Citation> ReadCitation(std::string_view line) {
  if (line.find("<!--") != std::string_view::npos) {
    return SIBYL_TRY(evidence::ParseFootnote(line)).citation;
  }
  std::string_view text = Trim(line.substr(line.find("]:") + 2));
  if (text.size() >= 2 && text.front() == '`' && text.back() == '`') {
    text = text.substr(1, text.size() - 2);
  }
  return evidence::ParseCitation(text);
}

}  // namespace

bool AgentReceipts::IsDefinition(std::string_view line) {
  return evidence::FootnoteId(line).has_value();
}

Status AgentReceipts::Define(std::string_view line, const LineOrigin& origin) {
  const std::string id(*evidence::FootnoteId(line));
  Result<evidence::Citation> citation = ReadCitation(line);
  constexpr std::string_view kHint =
      "copy the member 'citation' from an answer of search, read_source, cite or lab_results";
  if (!citation.ok()) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("[^{}] is not a citation: {}", id, citation.error().message),
        .hint = std::string(kHint)};
  }
  if (!labels_.emplace(id, Defined{*std::move(citation), origin}).second) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("[^{}] is defined twice", id),
                 .hint = "give each definition its own label"};
  }
  return {};
}

AgentReceipts::Marked AgentReceipts::Mark(std::string_view line) {
  Marked marked;
  bool in_code = false;
  for (std::size_t at = 0; at < line.size();) {
    const std::string_view rest = line.substr(at);
    if (rest[0] == '`') in_code = !in_code;
    const std::size_t end =
        !in_code && rest.starts_with("[^") ? rest.find(']') : std::string_view::npos;
    if (end == std::string_view::npos) {
      marked.text += rest[0];
      ++at;
      continue;
    }
    const auto found = labels_.find(rest.substr(2, end - 2));
    if (found == labels_.end()) {
      marked.text += rest.substr(0, end + 1);
    } else {
      ++marked.known;
      marked.text += Number(found->second);
    }
    at += end + 1;
  }
  return marked;
}

std::string AgentReceipts::Number(const Defined& defined) {
  const auto [at, is_new] =
      numbers_.try_emplace(evidence::FormatCitation(defined.citation), used_.size() + 1);
  if (is_new) used_.push_back(defined);
  return fmt::format("[^{}-{}]", prefix_, at->second);
}

const evidence::Pin* AgentReceipts::PinOf(const evidence::Citation& citation) const {
  const auto* source = std::get_if<evidence::SourceCitation>(&citation);
  const auto* page = std::get_if<evidence::WebCitation>(&citation);
  const evidence::PageRecord* record =
      page != nullptr ? evidence::FindPage(lock_, page->url) : nullptr;
  for (const evidence::Pin& pin : lock_.pins) {
    if (source != nullptr && pin.origin == source->origin) return &pin;
    for (const evidence::PageRecord& held : pin.pages) {
      if (&held == record) return &pin;
    }
  }
  return nullptr;
}

std::string AgentReceipts::LabelOf(const evidence::Citation& citation) const {
  if (const auto* page = std::get_if<evidence::WebCitation>(&citation)) {
    const evidence::PageRecord* record = evidence::FindPage(lock_, page->url);
    return record != nullptr && !record->title.empty() ? record->title : page->url;
  }
  const evidence::Pin* pin = PinOf(citation);
  return pin != nullptr ? pin->name : std::string();
}

std::vector<AgentReceipts::Definition> AgentReceipts::Definitions() const {
  std::vector<Definition> definitions;
  for (std::size_t i = 0; i < used_.size(); ++i) {
    const evidence::Citation& citation = used_[i].citation;
    definitions.push_back(
        {.text = evidence::FormatFootnote({.id = fmt::format("{}-{}", prefix_, i + 1),
                                           .label = LabelOf(citation),
                                           .citation = citation}),
         .origin = used_[i].origin});
  }
  return definitions;
}

std::vector<UsedSource> AgentReceipts::Sources() const {
  std::vector<const evidence::Pin*> pins;
  for (const Defined& defined : used_) {
    if (const evidence::Pin* pin = PinOf(defined.citation)) pins.push_back(pin);
  }
  return CountSources(pins);
}

std::vector<std::string> AgentReceipts::Pins() const {
  constexpr std::size_t kShort = 7;
  std::set<std::string> pins;
  for (const Defined& defined : used_) {
    const evidence::Pin* pin = PinOf(defined.citation);
    if (pin == nullptr) continue;
    // From the citation, not from the current pin: if they differ, the gate
    // reports it.
    const auto* source = std::get_if<evidence::SourceCitation>(&defined.citation);
    const bool is_anchored =
        source != nullptr && source->anchor != evidence::SourceCitation::Anchor::kNone;
    pins.insert(
        pin->name + "@" +
        (is_anchored ? source->anchor_id.Hex().substr(0, kShort) : evidence::ShortPin(*pin)));
  }
  return {pins.begin(), pins.end()};
}

}  // namespace sibyl::draft
