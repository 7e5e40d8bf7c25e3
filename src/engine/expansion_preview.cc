// SPDX-License-Identifier: Apache-2.0
// `expand --dry-run`: which parts would run, what would be asked of which
// sources, what the oracle knows already, and what it would cost.
#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.h"
#include "draft/gather.h"
#include "draft/queries.h"
#include "draft/title.h"
#include "engine/expansion.h"
#include "engine/expansion_report.h"
#include "engine/expansion_world.h"
#include "engine/oracle.h"

namespace sibyl::engine {
namespace {

// Measured over the shared plans: some 14 ms a point on one thread.
constexpr double kSecondsPerPoint = 0.014;

bool IsPinned(const evidence::Lock& lock, std::string_view repository) {
  const std::string wanted = LowerCase(repository);
  const std::string name = wanted.substr(wanted.rfind('/') + 1);
  return std::any_of(lock.pins.begin(), lock.pins.end(), [&](const evidence::Pin& pin) {
    return LowerCase(pin.name) == name || LowerCase(pin.origin).find(wanted) != std::string::npos;
  });
}

struct Cost {
  std::size_t points = 0;
  std::size_t known = 0;
  std::size_t queries = 0;
};

class Preview {
 public:
  Preview(const PlannedWork& work, const PartWorld& world)
      : work_(work), world_(world), reader_(world.searcher) {}

  Json Describe(const ChosenPart& chosen) {
    Json json = PlannedAsJson(work_, chosen);
    if (chosen.state != PartState::kRuns) return json;
    const plan::Part& part = work_.plan.parts[chosen.place];
    json["sections"] = Json::array();
    json["queries"] = Json::array();
    json["known"] = Json::array();
    json["repositories"] = Json::array();
    asked_.clear();
    const draft::KnownSections known(world_.knowledge, part.target, reader_);
    for (const plan::Section& section : draft::SectionsOf(part)) {
      AddSection(part, section, known, json);
    }
    for (const plan::Text& repository : part.repositories) {
      json["repositories"].push_back(
          {{"name", repository.text}, {"pinned", IsPinned(world_.lock, repository.text)}});
    }
    return json;
  }

  Json TotalCost() const {
    const auto open = static_cast<double>(cost_.points - cost_.known);
    return {{"points", cost_.points},
            {"known_points", cost_.known},
            {"queries", cost_.queries},
            {"seconds_on_one_thread", open * kSecondsPerPoint},
            {"requests", 0},
            {"tokens", 0}};
  }

 private:
  void AddSection(const plan::Part& part, const plan::Section& section,
                  const draft::KnownSections& known, Json& json) {
    json["sections"].push_back(
        {{"title", section.title},
         {"planned_lines", section.line_budget ? Json(*section.line_budget) : Json(nullptr)},
         {"points", section.points.size()}});
    const std::string title = draft::TitleOf(work_.plan, part);
    for (const plan::Text& point : section.points) {
      ++cost_.points;
      const draft::PointTerms terms =
          reader_.TermsOf(draft::PlainPoint(point.text),
                          {draft::PlainPoint(section.title), title + " " + part.goal});
      if (const draft::KnownSection* place = known.Covering(terms)) {
        ++cost_.known;
        json["known"].push_back({{"point", point.text},
                                 {"where", place->path + "#" + place->anchor},
                                 {"title", place->title}});
        continue;
      }
      const draft::PointPlace place{.plan = work_.plan, .part = part, .section = section};
      for (const draft::PointQuery& query : draft::QueriesOf(point.text, place, 1)) {
        if (!asked_.insert(query.text).second) continue;
        ++cost_.queries;
        json["queries"].push_back(query.text);
      }
    }
  }

  const PlannedWork& work_;
  const PartWorld& world_;
  draft::TermReader reader_;
  std::set<std::string> asked_;
  Cost cost_;
};

}  // namespace

Result<Outcome> PreviewExpansion(const Context& context, const ExpandRequest& request) {
  const PlannedWork work = SIBYL_TRY(PlanWork(context, request, Intake::kLook));
  const auto world = SIBYL_TRY(ExpansionWorld::Open(context, work));
  Preview preview(work, world->parts());
  Outcome outcome{.data = {{"plan", work.file.path},
                           {"copied", work.file.is_copied},
                           {"completed", work.file.is_completed},
                           {"parts", Json::array()},
                           {"sources", Json::array()}},
                  .findings = work.choices.findings,
                  .holds = work.choices.findings.empty()};
  for (const ChosenPart& chosen : work.choices.parts) {
    outcome.data["parts"].push_back(preview.Describe(chosen));
  }
  for (const evidence::Pin& pin : world->parts().lock.pins) {
    outcome.data["sources"].push_back({{"name", pin.name}, {"pin", ShortPin(pin)}});
  }
  if (SIBYL_TRY(IsWebAllowed(context, request.web))) {
    WebResearchRequest wanted{.plan = work.plan, .parts = {}, .file = work.file.path};
    for (const ChosenPart& chosen : work.choices.parts) {
      if (chosen.state == PartState::kRuns) wanted.parts.push_back(&work.plan.parts[chosen.place]);
    }
    outcome.data["web"] = SIBYL_TRY(PreviewWebResearch(context, wanted));
  }
  outcome.data["cost"] = preview.TotalCost();
  for (const Finding& finding : world->findings()) outcome.findings.push_back(finding);
  return outcome;
}

}  // namespace sibyl::engine
