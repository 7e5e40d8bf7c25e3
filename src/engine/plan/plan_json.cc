// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/plan_json.h"

#include <optional>

#include "base/shown_text.h"
#include "engine/json_values.h"

namespace sibyl::engine {
namespace {

Json LineOrNull(std::size_t line) { return line == 0 ? Json(nullptr) : Json(line); }

/// The array of what `convert` makes of each element.
template <typename T, typename Convert>
Json Each(const std::vector<T>& values, const Convert& convert) {
  Json array = Json::array();
  array.get_ref<Json::array_t&>().reserve(values.size());
  for (const T& value : values) array.push_back(convert(value));
  return array;
}

Json Texts(const std::vector<plan::Text>& texts) {
  return Each(texts, [](const plan::Text& text) { return Json(text.text); });
}

Json Lines(const std::vector<plan::Text>& texts) {
  return Each(texts, [](const plan::Text& text) { return Json(text.line); });
}

Json ItemAsJson(const plan::Item& item) {
  return {{"text", item.text},
          {"done", ValueOrNull(item.done)},
          {"line", item.line},
          {"details", Texts(item.details)}};
}

Json StepAsJson(const plan::Step& step) {
  return {{"number", ValueOrNull(step.number)},
          {"title", step.title},
          {"line", step.line},
          {"items", Each(step.items, ItemAsJson)}};
}

Json ReadAsJson(const plan::Read& read) {
  return {{"path", read.path},
          {"from", ValueOrNull(read.from)},
          {"to", ValueOrNull(read.to)},
          {"line", read.line}};
}

Json SectionAsJson(const plan::Section& section) {
  return {{"number", ValueOrNull(section.number)},
          {"title", section.title},
          {"line_budget", ValueOrNull(section.line_budget)},
          {"points", Texts(section.points)},
          {"cite", TextOrNull(section.cite)},
          {"line", section.line},
          {"lines", {{"points", Lines(section.points)}, {"cite", LineOrNull(section.cite_line)}}}};
}

Json NoteAsJson(const plan::Note& note) {
  return {{"label", note.label}, {"text", note.text}, {"line", note.line}};
}

Json UnreadAsJson(const plan::Text& text) { return {{"text", text.text}, {"line", text.line}}; }

Json PartAsJson(const plan::Part& part) {
  Json lines = {
      {"target", part.targets.empty() ? Json(nullptr) : LineOrNull(part.targets.front().line)},
      {"targets", Lines(part.targets)},
      {"queries", Lines(part.queries)},
      {"urls", Lines(part.urls)},
      {"repositories", Lines(part.repositories)},
      {"drop", LineOrNull(part.drop_line)},
      {"checkbox", part.checkbox ? Json(part.checkbox->line) : Json(nullptr)}};
  return {{"number", part.number},
          {"through", ValueOrNull(part.through)},
          {"title", part.title},
          {"status", plan::PartStatusName(part.status)},
          {"completed", TextOrNull(part.completed)},
          {"target", TextOrNull(part.target)},
          {"targets", Texts(part.targets)},
          {"line_budget", ValueOrNull(part.line_budget)},
          {"goal", TextOrNull(part.goal)},
          {"steps", Each(part.steps, StepAsJson)},
          {"queries", Texts(part.queries)},
          {"urls", Texts(part.urls)},
          {"repositories", Texts(part.repositories)},
          {"reads", Each(part.reads, ReadAsJson)},
          {"sections", Each(part.sections, SectionAsJson)},
          {"drop", TextOrNull(part.drop)},
          {"line", part.line},
          {"last_line", part.last_line},
          {"notes", Each(part.notes, NoteAsJson)},
          {"unread", Each(part.unread, UnreadAsJson)},
          {"lines", std::move(lines)}};
}

Json CriterionAsJson(const plan::Item& item) {
  return {{"text", item.text}, {"done", ValueOrNull(item.done)}, {"line", item.line}};
}

Json ClaimAsJson(const plan::Claim& claim) {
  const auto subject = [&claim]() -> std::string_view {
    switch (claim.subject) {
      case plan::Claim::Subject::kParts:
        return "parts";
      case plan::Claim::Subject::kFiles:
        return "files";
      case plan::Claim::Subject::kLines:
        return "lines";
    }
    return "parts";
  };
  return {
      {"subject", subject()}, {"value", claim.value}, {"text", claim.text}, {"line", claim.line}};
}

}  // namespace

Json PlanAsJson(const plan::Plan& plan) {
  Json json = {{"title", plan.title},
               {"topic", TextOrNull(plan.topic)},
               {"date", TextOrNull(plan.date)},
               {"target_folder", TextOrNull(plan.target_folder)},
               {"parts", Each(plan.parts, PartAsJson)},
               {"criteria", Each(plan.criteria, CriterionAsJson)},
               {"claims", Each(plan.claims, ClaimAsJson)},
               {"notes", Each(plan.notes, NoteAsJson)}};
  HideUserinfo(json);
  return json;
}

}  // namespace sibyl::engine
