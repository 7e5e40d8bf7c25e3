// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/receipt_json.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/line_span.h"
#include "engine/shown_lines.h"
#include "evidence/origins/permalink.h"
#include "evidence/source.h"

namespace sibyl::engine {
namespace {

using gate::Receipt;
using gate::Resolution;

// A citation of a whole file would fill the page.
constexpr std::size_t kMostLines = 400;

std::string ProblemOf(Resolution::State state) {
  switch (state) {
    case Resolution::State::kResolved:
      return {};
    case Resolution::State::kUnpinned:
      return "its source is not pinned here";
    case Resolution::State::kNoStore:
      return "the pinned source is not in the store; 'sibyl verify --restore' fetches it";
    case Resolution::State::kNoBlob:
      return "the pinned source does not have these bytes";
    case Resolution::State::kBadLines:
      return "the file has fewer lines";
    case Resolution::State::kBadWords:
      return "the cited words are not in the cited lines";
    case Resolution::State::kOtherBytes:
      return "the path has other content in the cited commit";
    case Resolution::State::kNoPath:
      return "the cited commit does not have that path";
    case Resolution::State::kTooLarge:
      return "the file is too large";
  }
  return {};
}

// "holds", "stale", "missing" (cannot be looked up here) or "broken".
std::string_view StateOfLines(const Resolution& resolution) {
  if (resolution.ok()) return resolution.is_stale ? "stale" : "holds";
  const bool is_missing = resolution.state == Resolution::State::kNoStore ||
                          resolution.state == Resolution::State::kTooLarge;
  return is_missing ? "missing" : "broken";
}

// The lines of the file around the cited ones, as [number, text]; the cited
// words are byte ranges of one such text: [number, begin, end].
void AddLines(const Receipt& receipt, std::size_t context, Json& json) {
  const Resolution& resolution = receipt.resolution;
  const std::vector<std::string_view> lines = LinesWithoutEnds(*resolution.file);
  const LineRange& cited = receipt.source()->lines;
  const std::size_t first = cited.IsWhole() ? 1 : cited.first;
  const std::size_t last = cited.IsWhole() ? lines.size() : std::min(cited.last, lines.size());
  const std::size_t begin = first > context ? first - context : 1;
  const std::size_t end = std::min({last + context, lines.size(), begin + kMostLines - 1});
  Json shown = Json::array();
  Json words = Json::array();
  const std::string_view marked = resolution.words_view;
  for (std::size_t number = begin; number <= end; ++number) {
    const std::string_view line = lines[number - 1];
    const bool has_words = !marked.empty() && line.data() < marked.data() + marked.size() &&
                           marked.data() < line.data() + line.size();
    const char* from = has_words ? std::max(line.data(), marked.data()) : line.data();
    const char* to =
        has_words ? std::min(line.data() + line.size(), marked.data() + marked.size()) : from;
    MarkedLine one = ShownLineWithMark(line, static_cast<std::size_t>(from - line.data()),
                                       static_cast<std::size_t>(to - line.data()));
    if (has_words) words.push_back(Json::array({number, one.begin, one.end}));
    shown.push_back(Json::array({number, std::move(one.text)}));
  }
  json["lines"] = std::move(shown);
  json["words"] = std::move(words);
  json["cut"] = end < std::min(last + context, lines.size());
  json["file_lines"] = lines.size();
}

void DescribeLines(const Receipt& receipt, std::size_t context, Json& json) {
  const evidence::SourceCitation& citation = *receipt.source();
  const Resolution& resolution = receipt.resolution;
  json["kind"] = "source";
  json["path"] = citation.path;
  json["first_line"] = citation.lines.first;
  json["last_line"] = citation.lines.last;
  json["state"] = StateOfLines(resolution);
  json["message"] = ProblemOf(resolution.state);
  const std::string link = evidence::Permalink(citation);
  if (!link.empty()) json["link"] = link;
  if (citation.anchor != evidence::SourceCitation::Anchor::kNone) {
    json["cited_at"] = citation.anchor_id.Hex();
  }
  if (resolution.pin != nullptr) {
    json["source"] = resolution.pin->name;
    json["pin"] = evidence::ShortPin(*resolution.pin);
    json["pinned"] = resolution.pin->date;
    if (!resolution.pin->ref.empty()) json["ref"] = resolution.pin->ref;
  }
  if (receipt.refound) {
    const evidence::Refound& found = *receipt.refound;
    json["now"] = {{"whereabouts", evidence::WhereaboutsText(found.whereabouts)}};
    if (found.whereabouts <= evidence::Whereabouts::kMovedToFile) {
      json["now"]["path"] = found.citation.path;
      json["now"]["first_line"] = found.citation.lines.first;
      json["now"]["last_line"] = found.citation.lines.last;
    }
  }
  if (resolution.file != nullptr && resolution.ok()) AddLines(receipt, context, json);
}

std::string_view StateOfAnswer(const std::optional<gate::OtherAnswer>& answer) {
  if (!answer) return "missing";
  switch (answer->verdict) {
    case statement::Verdict::kSupported:
      return "holds";
    case statement::Verdict::kStale:
      return "stale";
    case statement::Verdict::kUndecidable:
      return "missing";
    case statement::Verdict::kContradicted:
    case statement::Verdict::kAbsent:
      return "broken";
  }
  return "missing";
}

void DescribeOther(const Receipt& receipt, Json& json) {
  const evidence::Citation& citation = *receipt.citation;
  if (const auto* page = std::get_if<evidence::WebCitation>(&citation)) {
    json["kind"] = "page";
    json["link"] = page->url;
    json["accessed"] = page->accessed;
  } else if (const auto* fact = std::get_if<evidence::FactCitation>(&citation)) {
    json["kind"] = "fact";
    json["sha256"] = fact->sha256;
    json["inspector"] = fact->inspector;
    json["key"] = fact->key;
  } else if (const auto* lab = std::get_if<evidence::LabCitation>(&citation)) {
    json["kind"] = "lab";
    json["run"] = lab->run;
    json["metric"] = lab->metric;
  } else if (const auto* absent = std::get_if<evidence::AbsentCitation>(&citation)) {
    json["kind"] = "absent";
    json["origin"] = absent->origin;
    json["word"] = absent->word;
  }
  json["state"] = StateOfAnswer(receipt.other);
  json["message"] = receipt.other ? receipt.other->message : "it cannot be looked up here";
  if (!receipt.other) return;
  json["text"] = receipt.other->text;
  if (!receipt.other->where.empty()) json["where"] = receipt.other->where;
  if (!receipt.other->nearest.empty()) json["nearest"] = receipt.other->nearest;
}

}  // namespace

Json ReceiptAsJson(const Receipt& receipt, std::size_t context) {
  Json json = {{"label", receipt.label}, {"line", receipt.line}, {"uses", receipt.uses}};
  if (!receipt.citation) {
    json["kind"] = "none";
    json["state"] = "broken";
    json["message"] = receipt.problem;
    return json;
  }
  json["citation"] = evidence::FormatCitation(*receipt.citation);
  if (receipt.source() != nullptr) {
    DescribeLines(receipt, context, json);
  } else {
    DescribeOther(receipt, json);
  }
  return json;
}

}  // namespace sibyl::engine
