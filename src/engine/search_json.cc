// SPDX-License-Identifier: Apache-2.0
#include "engine/search_json.h"

#include "engine/oracle.h"
#include "evidence/citation.h"
#include "evidence/permalink.h"

namespace sibyl::engine {
namespace {

std::string_view KindName(index::PassageKind kind) {
  switch (kind) {
    case index::PassageKind::kWindow:
      return "window";
    case index::PassageKind::kProse:
      return "prose";
    case index::PassageKind::kDefinition:
      return "definition";
    case index::PassageKind::kCommand:
      return "command";
    case index::PassageKind::kStage:
      return "stage";
  }
  return "window";
}

evidence::SourceCitation Cite(const evidence::Pin& pin, const evidence::ObjectId& blob,
                              std::string_view path, evidence::LineRange lines) {
  using Anchor = evidence::SourceCitation::Anchor;
  evidence::SourceCitation citation{
      .blob = blob, .origin = pin.origin, .path = std::string(path), .lines = lines};
  if (pin.commit) {
    citation.anchor = Anchor::kCommit;
    citation.anchor_id = *pin.commit;
  } else if (pin.tree) {
    citation.anchor = Anchor::kTree;
    citation.anchor_id = *pin.tree;
  }
  return citation;
}

void AddReceipt(Json& json, const evidence::SourceCitation& citation) {
  const std::string link = evidence::Permalink(citation);
  json["citation"] = evidence::FormatCitation(citation);
  json["link"] = link.empty() ? Json(nullptr) : Json(link);
}

Json CommitOf(const evidence::Pin& pin) {
  return pin.commit ? Json(pin.commit->Hex()) : Json(nullptr);
}

}  // namespace

Json HitAsJson(const index::Hit& hit, const index::Searcher::Snippet& snippet,
               const evidence::Pin& pin) {
  Json json = {{"source", pin.name},
               {"commit", CommitOf(pin)},
               {"path", hit.path_view},
               {"lines", {hit.first_line, hit.last_line}},
               {"heading", hit.heading_view},
               {"kind", KindName(hit.kind)},
               {"language", hit.language_view},
               {"score", hit.score},
               {"copies", hit.copies}};
  AddReceipt(json, Cite(pin, hit.blob, hit.path_view, {hit.first_line, hit.last_line}));
  json["snippet"] = {{"first_line", snippet.first_line}, {"text", snippet.text}};
  return json;
}

Json MatchAsJson(const LineMatch& match) {
  Json json = {{"source", match.pin.name},
               {"commit", CommitOf(match.pin)},
               {"path", match.path},
               {"line", match.line},
               {"text", match.text}};
  AddReceipt(json, Cite(match.pin, match.blob, match.path, {match.line, match.line}));
  return json;
}

}  // namespace sibyl::engine
