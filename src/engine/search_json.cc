// SPDX-License-Identifier: Apache-2.0
#include "engine/search_json.h"

#include <map>
#include <utility>

#include "base/utf8.h"
#include "cards/card.h"
#include "draft/extract/gather.h"
#include "engine/shown_lines.h"
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
  json["snippet"] = {{"first_line", snippet.first_line}, {"text", ShownLines(snippet.text)}};
  // A search shows prompt injections too, and marks them.
  if (!injection::FindInstructions(searcher.Text(hit.passage)).empty()) json["injection"] = true;
  return json;
}

Json CardAsJson(const index::Searcher& searcher, const index::CardHit& hit,
                const evidence::Pin& pin) {
  constexpr std::string_view kMatches[] = {"name", "folded", "value", "words"};
  const cards::Card card = index::ReadCard(searcher, hit);
  Json json = {{"kind", cards::CardKindName(hit.kind)},
               {"name", hit.name_view},
               {"match", kMatches[static_cast<std::size_t>(hit.match)]},
               {"rank", hit.rank},
               {"source", pin.name},
               {"commit", CommitOf(pin)},
               {"path", hit.path_view},
               {"lines", {hit.first_line, hit.last_line}},
               {"language", hit.language_view}};
  const auto set = [&json](const char* key, std::string_view text) {
    if (!text.empty()) json[key] = ReplaceInvalidUtf8(ShownLines(text));
  };
  set("owner", card.owner);
  set("value", card.value);
  set("signature", card.signature);
  set("returns", card.returns);
  set("since", card.since);
  set("documentation", card.documentation);
  if (!card.choices.empty()) json["choices"] = card.choices;
  for (const cards::CardParameter& parameter : card.parameters) {
    json["parameters"].push_back({{"name", ReplaceInvalidUtf8(parameter.name)},
                                  {"type", ReplaceInvalidUtf8(parameter.type)},
                                  {"default", ReplaceInvalidUtf8(parameter.value)},
                                  {"documentation", ReplaceInvalidUtf8(parameter.documentation)}});
  }
  const index::PassageRef passage = index::PassageOf(searcher, hit);
  AddReceipt(json, PassageExcerpt(searcher, pin, passage, hit.path_view), hit.first_line,
             hit.last_line);
  if (!injection::FindInstructions(card.documentation).empty()) json["injection"] = true;
  return json;
}

Json MatchAsJson(const LineMatch& match) {
  const MarkedLine shown =
      ShownLineWithMark(match.text, match.match, match.match + match.match_bytes);
  Json json = {{"source", match.pin.name}, {"commit", CommitOf(match.pin)},
               {"path", match.path},       {"line", match.line},
               {"text", shown.text},       {"range", {shown.begin, shown.end}}};
  AddReceipt(json, PassageExcerpt(match.searcher, match.pin, match.passage, match.path), match.line,
             match.line);
  return json;
}

Json GroupByFile(const Json& flat) {
  constexpr std::size_t kMostLinesOfFile = 20;
  Json files = Json::array();
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (const Json& hit : flat) {
    const std::pair<std::string, std::string> key{hit.value("source", ""), hit.value("path", "")};
    const auto [place, is_new] = places.emplace(key, files.size());
    if (is_new) files.push_back({{"source", key.first}, {"path", key.second}});
    Json& file = files[place->second];
    if (hit.contains("line")) {
      Json& lines = file["lines"];
      if (lines.size() < kMostLinesOfFile) {
        lines.push_back({{"line", hit["line"]}, {"text", hit["text"]}});
      } else {
        file["more_lines"] = file.value("more_lines", 0) + 1;
      }
      continue;
    }
    Json kept = Json::object();
    for (const char* member : {"lines", "heading", "kind", "snippet", "injection"}) {
      const auto found = hit.find(member);
      const bool is_blank = found == hit.end() ||
                            (found->is_string() && found->get_ref<const std::string&>().empty());
      if (!is_blank) kept[member] = *found;
    }
    file["hits"].push_back(std::move(kept));
  }
  return files;
}

}  // namespace sibyl::engine
