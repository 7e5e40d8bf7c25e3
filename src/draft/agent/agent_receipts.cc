// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/agent_receipts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "base/numbers.h"
#include "base/strings.h"
#include "draft/page_parts.h"
#include "evidence/cited_words.h"
#include "evidence/footnote.h"
#include "evidence/pages/pages.h"

namespace sibyl::draft {
namespace {

// A label of a page that somebody wrote by hand may have any number.
constexpr std::size_t kMostNumber = 1'000'000;

// "cutlass:include/a.h:10-20", and no whole citation. A source may be called
// "web" or "lab" too.
bool IsPlace(std::string_view text) {
  if (text.starts_with("swh:") || text.starts_with("fact:")) return false;
  return text.find(':') != std::string_view::npos && !text.starts_with("web:sha256:") &&
         text.find("://") == std::string_view::npos && !evidence::ParseCitation(text).ok();
}

// After "[^a]:".
Result<evidence::Citation> ReadCitation(std::string_view line,
                                        const AgentReceipts::Finders& finders) {
  if (line.find("<!--") != std::string_view::npos) {
    return SIBYL_TRY(evidence::ParseFootnote(line)).citation;
  }
  const evidence::WordsFinder& find_words = finders.words;
  auto [text, words] = evidence::SplitWords(line.substr(line.find("]:") + 2));
  if (text.size() >= 2 && text.front() == '`' && text.back() == '`') {
    text = text.substr(1, text.size() - 2);
  }
  if (finders.place && IsPlace(text)) {
    if (words.empty()) return finders.place(text);
    return finders.place(fmt::format("{} \"{}\"", text, words));
  }
  evidence::Citation citation = SIBYL_TRY(evidence::ParseCitation(text));
  if (words.empty()) return citation;
  auto* source = std::get_if<evidence::SourceCitation>(&citation);
  if (source == nullptr || !find_words) {
    return Error{.kind = ErrorKind::kUsage, .message = "words can be cited only of files"};
  }
  if (source->lines.IsWhole()) {
    return Error{.kind = ErrorKind::kUsage, .message = "words need lines=, which contain them"};
  }
  source->words = SIBYL_TRY(find_words(*source, words));
  return citation;
}

}  // namespace

bool AgentReceipts::IsDefinition(std::string_view line) {
  return evidence::FootnoteId(line).has_value();
}

Status AgentReceipts::Define(std::string_view line, const LineOrigin& origin) {
  const std::string id(*evidence::FootnoteId(line));
  Result<evidence::Citation> citation = ReadCitation(line, finders_);
  constexpr std::string_view kHint =
      "write SOURCE:PATH:10-20, or copy the member 'citation' from an answer of search, "
      "read_source, cite or lab_results";
  if (!citation.ok()) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("[^{}] is not a citation: {}", id, citation.error().message),
        .hint = citation.error().hint.empty() ? std::string(kHint) : citation.error().hint};
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

void AgentReceipts::KeepLabels(const std::vector<KeptLabel>& kept) {
  const std::string ours = prefix_ + "-";
  for (const KeptLabel& label : kept) {
    kept_.try_emplace(evidence::FormatCitation(label.citation), label.id, next_order_++);
    if (!label.id.starts_with(ours)) continue;
    const auto number = ParseNumber<std::size_t>(std::string_view(label.id).substr(ours.size()));
    if (number && *number < kMostNumber) next_number_ = std::max(next_number_, *number + 1);
  }
}

std::string AgentReceipts::Number(const Defined& defined) {
  const std::string citation = evidence::FormatCitation(defined.citation);
  auto at = ids_.find(citation);
  if (at == ids_.end()) {
    const auto kept = kept_.find(citation);
    Used used{.defined = defined};
    if (kept != kept_.end()) {
      used.id = kept->second.first;
      used.order = kept->second.second;
    } else {
      used.id = fmt::format("{}-{}", prefix_, next_number_++);
      used.order = next_order_++;
    }
    at = ids_.emplace(citation, used.id).first;
    used_.push_back(std::move(used));
  }
  return fmt::format("[^{}]", at->second);
}

const evidence::Pin* AgentReceipts::PinOf(const evidence::Citation& citation) const {
  const auto* source = std::get_if<evidence::SourceCitation>(&citation);
  const auto* absent = std::get_if<evidence::AbsentCitation>(&citation);
  const auto* page = std::get_if<evidence::WebCitation>(&citation);
  const evidence::PageRecord* record =
      page != nullptr ? evidence::FindPage(lock_, page->url) : nullptr;
  for (const evidence::Pin& pin : lock_.pins) {
    if (source != nullptr && pin.origin == source->origin) return &pin;
    if (absent != nullptr && pin.origin == absent->origin) return &pin;
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
  std::vector<const Used*> ordered;
  ordered.reserve(used_.size());
  for (const Used& used : used_) ordered.push_back(&used);
  std::sort(ordered.begin(), ordered.end(),
            [](const Used* a, const Used* b) { return a->order < b->order; });
  std::vector<Definition> definitions;
  definitions.reserve(ordered.size());
  for (const Used* used : ordered) {
    const evidence::Citation& citation = used->defined.citation;
    definitions.push_back({.text = evidence::FormatFootnote(
                               {.id = used->id, .label = LabelOf(citation), .citation = citation}),
                           .origin = used->defined.origin});
  }
  return definitions;
}

std::vector<UsedSource> AgentReceipts::Sources() const {
  std::vector<const evidence::Pin*> pins;
  for (const Used& used : used_) {
    if (const evidence::Pin* pin = PinOf(used.defined.citation)) pins.push_back(pin);
  }
  return CountSources(pins);
}

std::vector<std::string> AgentReceipts::Pins() const {
  constexpr std::size_t kShort = 7;
  std::set<std::string> pins;
  for (const Used& used : used_) {
    const Defined& defined = used.defined;
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
