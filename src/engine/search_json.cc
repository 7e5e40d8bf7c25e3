// SPDX-License-Identifier: Apache-2.0
#include "engine/search_json.h"

#include "draft/extract/gather.h"
#include "evidence/citation.h"
#include "injection/instruction.h"
#include "oracle/oracle.h"

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

// A passage with what a citation of it needs; of a page that is its text too.
draft::Excerpt PassageExcerpt(const index::Searcher& searcher, const evidence::Pin& pin,
                              index::PassageRef passage, std::string_view path) {
  const index::Segment& segment = searcher.parts()[passage.part].part->segment;
  const index::PassageRecord& record = segment.passage(passage.passage);
  draft::Excerpt excerpt{.pin = &pin,
                         .path = std::string(path),
                         .first_line = record.first_line,
                         .last_line = record.last_line};
  if (const index::DocumentRecord* document = segment.document_of(passage.passage)) {
    excerpt.blob.bytes = document->blob;
  }
  if (!pin.pages.empty()) {
    excerpt.text = searcher.Text(passage);
    excerpt.characters_before = searcher.CharactersBefore(passage);
  }
  return excerpt;
}

void AddReceipt(Json& json, const draft::Excerpt& excerpt, std::uint32_t first,
                std::uint32_t last) {
  const std::string link = excerpt.Link(first, last);
  json["citation"] = evidence::FormatCitation(excerpt.Cite(first, last));
  json["link"] = link.empty() ? Json(nullptr) : Json(link);
}

Json CommitOf(const evidence::Pin& pin) {
  return pin.commit ? Json(pin.commit->Hex()) : Json(nullptr);
}

}  // namespace

Json HitAsJson(const index::Searcher& searcher, const index::Hit& hit,
               const index::Searcher::Snippet& snippet, const evidence::Pin& pin) {
  Json json = {{"source", pin.name},
               {"commit", CommitOf(pin)},
               {"path", hit.path_view},
               {"lines", {hit.first_line, hit.last_line}},
               {"heading", hit.heading_view},
               {"kind", KindName(hit.kind)},
               {"language", hit.language_view},
               {"score", hit.score},
               {"copies", hit.copies}};
  AddReceipt(json, PassageExcerpt(searcher, pin, hit.passage, hit.path_view), hit.first_line,
             hit.last_line);
  json["snippet"] = {{"first_line", snippet.first_line}, {"text", snippet.text}};
  // A search shows prompt injections too, and marks them.
  if (!injection::FindInstructions(searcher.Text(hit.passage)).empty()) json["injection"] = true;
  return json;
}

Json MatchAsJson(const LineMatch& match) {
  Json json = {{"source", match.pin.name},
               {"commit", CommitOf(match.pin)},
               {"path", match.path},
               {"line", match.line},
               {"text", match.text}};
  AddReceipt(json, PassageExcerpt(match.searcher, match.pin, match.passage, match.path), match.line,
             match.line);
  return json;
}

}  // namespace sibyl::engine
