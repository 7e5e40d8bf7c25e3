// SPDX-License-Identifier: Apache-2.0
#include "expansion/draft_payload.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/json.h"

namespace sibyl::expansion {
namespace {

constexpr int kDraftVersion = 1;

// Throws for another type, a negative number or a fraction; ParseDraft catches it.
std::size_t CountOf(const Json& member) { return member.get_ref<const Json::number_unsigned_t&>(); }

constexpr draft::Making kMakings[] = {draft::Making::kExtracted, draft::Making::kModelWritten,
                                      draft::Making::kAgentWritten, draft::Making::kMeasured,
                                      draft::Making::kInspected};

Json OptionalNumber(const std::optional<std::size_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

std::optional<std::size_t> NumberOf(const Json& object, const char* name) {
  const Json& member = object.at(name);
  if (member.is_null()) return std::nullopt;
  return CountOf(member);
}

Json DraftSectionAsJson(const draft::DraftSection& section) {
  Json points = Json::array();
  for (const draft::Coverage& point : section.points) {
    Json one = {{"point", point.point},
                {"where", point.where ? Json(*point.where) : Json(nullptr)},
                {"nearest", point.nearest}};
    if (point.is_contradicted) one["contradicted"] = true;
    points.push_back(std::move(one));
  }
  return {{"title", section.title},
          {"making", draft::MakingName(section.making)},
          {"line_budget", OptionalNumber(section.line_budget)},
          {"points", std::move(points)}};
}

// Nothing for a making that does not exist.
std::optional<draft::DraftSection> SectionOf(const Json& json) {
  draft::DraftSection section{.title = json.at("title"),
                              .line_budget = NumberOf(json, "line_budget")};
  const Json& name = json.at("making");
  const auto making =
      std::find_if(std::begin(kMakings), std::end(kMakings),
                   [&](draft::Making candidate) { return name == draft::MakingName(candidate); });
  if (making == std::end(kMakings)) return std::nullopt;
  section.making = *making;
  for (const Json& point : json.at("points")) {
    draft::Coverage coverage{.point = point.at("point"), .nearest = point.at("nearest")};
    coverage.is_contradicted = point.value("contradicted", false);
    if (!point.at("where").is_null()) coverage.where = point.at("where").get<std::string>();
    section.points.push_back(std::move(coverage));
  }
  return section;
}

std::optional<draft::Draft> DraftOf(const Json& json) {
  draft::Draft draft{.path = json.at("path"),
                     .title = json.at("title"),
                     .line_budget = NumberOf(json, "line_budget"),
                     .keywords = json.at("keywords")};
  for (const Json& item : json.at("sections")) {
    std::optional<draft::DraftSection> section = SectionOf(item);
    if (!section) return std::nullopt;
    draft.sections.push_back(*std::move(section));
  }
  for (const Json& source : json.at("sources")) {
    draft.sources.push_back({.name = source.at("name"),
                             .pin = source.at("pin"),
                             .origin = source.at("origin"),
                             .citations = CountOf(source.at("citations"))});
  }
  // Absent from drafts of earlier programs, and from those that lost nothing.
  for (const Json& omission : json.value("omissions", Json::array())) {
    draft.omissions.push_back({.point = omission.at("point"),
                               .text = omission.at("text"),
                               .reason = omission.at("reason"),
                               .kind = draft::ParseLoss(omission.value("kind", std::string()))
                                           .value_or(draft::LossKind::kGate)});
  }
  return draft;
}

}  // namespace

std::string FormatDraft(const draft::Draft& draft) {
  Json json = {{"sibyl-draft", kDraftVersion}, {"path", draft.path},
               {"title", draft.title},         {"line_budget", OptionalNumber(draft.line_budget)},
               {"keywords", draft.keywords},   {"sections", Json::array()},
               {"sources", Json::array()}};
  for (const draft::DraftSection& section : draft.sections) {
    json["sections"].push_back(DraftSectionAsJson(section));
  }
  for (const draft::UsedSource& source : draft.sources) {
    json["sources"].push_back({{"name", source.name},
                               {"pin", source.pin},
                               {"origin", source.origin},
                               {"citations", source.citations}});
  }
  for (const draft::Omission& omission : draft.omissions) {
    json["omissions"].push_back({{"point", omission.point},
                                 {"text", omission.text},
                                 {"reason", omission.reason},
                                 {"kind", draft::LossName(omission.kind)}});
  }
  return FormatJson(json, JsonLayout::kCompact) + '\n' + draft.text;
}

Result<draft::Draft> ParseDraft(std::string_view payload) {
  const Error damaged{.kind = ErrorKind::kCorrupt,
                      .message = "reading a draft from the journal: it is damaged",
                      .hint = "'sibyl expand --restart' writes every part again"};
  const std::size_t end = payload.find('\n');
  const Result<Json> json = ParseJson(payload.substr(0, end));
  if (end == std::string_view::npos || !json.ok() || !json->is_object()) return damaged;
  if (json->value("sibyl-draft", Json()) != Json(kDraftVersion)) return damaged;
  try {  // members of the wrong type: the journal is a file like any other
    std::optional<draft::Draft> draft = DraftOf(*json);
    if (!draft) return damaged;
    draft->text = payload.substr(end + 1);
    return *std::move(draft);
  } catch (const nlohmann::json::exception&) {
    return damaged;
  }
}

}  // namespace sibyl::expansion
