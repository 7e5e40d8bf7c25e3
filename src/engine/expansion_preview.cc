// SPDX-License-Identifier: Apache-2.0
#include "engine/expansion_preview.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/shown_text.h"
#include "base/strings.h"
#include "draft/extract/gather.h"
#include "draft/extract/queries.h"
#include "draft/title.h"
#include "engine/expansion_report.h"
#include "engine/web_json.h"
#include "expansion/expansion_inputs.h"
#include "expansion/ledger/open_ledger.h"
#include "expansion/model/model_estimate.h"
#include "oracle/oracle.h"

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
  std::size_t requests = 0;  // to a model
  model::Usage likely;
  model::Usage most;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

void Add(const model::Usage& usage, model::Usage& sum) {
  sum.input += usage.input;
  sum.output += usage.output;
}

std::uint64_t TokensOf(const std::vector<expansion::ExpectedRequests>& stages) {
  std::uint64_t tokens = 0;
  for (const expansion::ExpectedRequests& stage : stages) {
    tokens += stage.likely.input + stage.likely.output;
  }
  return tokens;
}

// Of the newest parts that this model wrote here.
expansion::Rates RatesOf(const oracle::Context& context, const expansion::ModelAccess& models) {
  constexpr std::size_t kMostParts = 8;
  std::vector<expansion::PartUse> parts;
  const Result<runner::Snapshot> snapshot = expansion::ReadSnapshot(context);
  if (!snapshot.ok()) return {};  // nothing was recorded yet, or it cannot be read
  const std::int64_t number = expansion::ModelNumber(models.Fingerprint());
  for (const runner::RunSnapshot& run : snapshot->runs) {
    for (const runner::JobSnapshot& job : run.jobs) {
      if (job.state != runner::JobState::kDone || parts.size() == kMostParts) continue;
      const auto use = expansion::UseOf(job.progress);
      if (use && use->model == number) parts.push_back(*use);
    }
  }
  return expansion::RatesOf(parts);
}

class Preview {
 public:
  Preview(const expansion::PlannedWork& work, const expansion::PartInputs& inputs)
      : work_(work), inputs_(inputs), reader_(inputs.searcher) {}

  Json Describe(const expansion::ChosenPart& chosen) {
    Json json = PlannedAsJson(work_, chosen);
    if (chosen.state != expansion::PartState::kRuns) return json;
    const plan::Part& part = work_.plan.parts[chosen.place];
    json["sections"] = Json::array();
    json["queries"] = Json::array();
    json["known"] = Json::array();
    json["repositories"] = Json::array();
    asked_.clear();
    const draft::KnownSections known(inputs_.knowledge, part.target, reader_);
    for (const plan::Section& section : draft::SectionsOf(part)) {
      AddSection(part, section, known, json);
    }
    for (const plan::Text& repository : part.repositories) {
      json["repositories"].push_back(
          {{"name", repository.text}, {"pinned", IsPinned(inputs_.lock, repository.text)}});
    }
    return json;
  }

  Json TotalCost() const {
    const auto open = static_cast<double>(cost_.points - cost_.known);
    return {{"points", cost_.points},
            {"known_points", cost_.known},
            {"queries", cost_.queries},
            {"seconds_on_one_thread", open * kSecondsPerPoint},
            {"requests", cost_.requests},
            {"tokens", cost_.likely.input + cost_.likely.output},
            {"most_tokens", cost_.most.input + cost_.most.output}};
  }

  /// What a model will probably be asked about the part.
  void CountRequests(const plan::Part& part, const expansion::Rates& rates,
                     expansion::Judging judging) {
    const expansion::PartSize size = expansion::SizeOf(part, inputs_);
    cost_.low += TokensOf(expansion::ExpectRequests(size, expansion::LowRates(), judging));
    cost_.high += TokensOf(expansion::ExpectRequests(size, expansion::HighRates(), judging));
    for (const expansion::ExpectedRequests& stage :
         expansion::ExpectRequests(size, rates, judging)) {
      cost_.requests += stage.count;
      Add(stage.likely, cost_.likely);
      Add(stage.most, cost_.most);
      Json& sum = stages_[std::string(expansion::StageName(stage.stage))];
      if (sum.is_null()) sum = {{"requests", 0}, {"tokens", 0}};
      sum["requests"] = sum["requests"].get<std::size_t>() + stage.count;
      sum["tokens"] = sum["tokens"].get<std::uint64_t>() + stage.likely.input + stage.likely.output;
    }
  }

  const Json& stages() const { return stages_; }
  /// Tokens with models that choose and write little, and much.
  Json range() const { return {cost_.low, cost_.high}; }
  const model::Usage& likely() const { return cost_.likely; }
  const model::Usage& most() const { return cost_.most; }

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

  const expansion::PlannedWork& work_;
  const expansion::PartInputs& inputs_;
  draft::TermReader reader_;
  std::set<std::string> asked_;
  Cost cost_;
  Json stages_ = Json::object();
};

}  // namespace

Result<Outcome> PreviewExpansion(const oracle::Context& context,
                                 const expansion::ExpandRequest& request) {
  const expansion::PlannedWork work =
      SIBYL_TRY(expansion::PlanWork(context, request, expansion::Intake::kLook));
  // Pages that web research would find are not pinned yet.
  const bool is_web_allowed = SIBYL_TRY(expansion::IsWebAllowed(context, request.web));
  const auto inputs = SIBYL_TRY(expansion::ExpansionInputs::Open(
      context, work, nullptr,
      is_web_allowed ? expansion::RequirePins::kNo : expansion::RequirePins::kYes));
  Preview preview(work, inputs->parts());
  Outcome outcome{.data = {{"plan", work.file.path},
                           {"copied", work.file.is_copied},
                           {"completed", work.file.is_completed},
                           {"parts", Json::array()},
                           {"sources", Json::array()}},
                  .findings = work.choices.findings,
                  .holds = work.choices.findings.empty()};
  for (const expansion::ChosenPart& chosen : work.choices.parts) {
    outcome.data["parts"].push_back(preview.Describe(chosen));
  }
  for (const evidence::Pin& pin : inputs->parts().lock.pins) {
    outcome.data["sources"].push_back({{"name", pin.name}, {"pin", evidence::ShortPin(pin)}});
  }
  if (request.model) {
    expansion::ModelRequest unasked = *request.model;
    unasked.asks_server = false;
    const auto models = SIBYL_TRY(
        expansion::ModelAccess::Open(context, unasked, expansion::ModelEnvironment::Read()));
    const expansion::Rates rates = RatesOf(context, *models);
    for (const expansion::ChosenPart& chosen : work.choices.parts) {
      if (chosen.state != expansion::PartState::kRuns) continue;
      preview.CountRequests(
          work.plan.parts[chosen.place], rates,
          models->judge() == nullptr ? expansion::Judging::kNone : expansion::Judging::kWithModel);
    }
    const model::Server& server = models->writer().server();
    outcome.data["model"] = {
        {"name", server.model},
        {"server", server.url.Text()},
        {"judge",
         models->judge() == nullptr ? Json(nullptr) : Json(models->judge()->server().model)},
        {"stages", preview.stages()},
        {"parts_measured", rates.parts},
        {"range", preview.range()},
        {"likely_cost", model::CostOf(preview.likely(), models->price())},
        {"most_cost", model::CostOf(preview.most(), models->price())}};
  }
  if (is_web_allowed) {
    expansion::WebResearchRequest wanted{.plan = work.plan, .parts = {}, .file = work.file.path};
    for (const expansion::ChosenPart& chosen : work.choices.parts) {
      if (chosen.state == expansion::PartState::kRuns)
        wanted.parts.push_back(&work.plan.parts[chosen.place]);
    }
    outcome.data["web"] = PreviewAsJson(SIBYL_TRY(expansion::PreviewWebResearch(context, wanted)));
  }
  outcome.data["cost"] = preview.TotalCost();
  for (const Finding& finding : inputs->findings()) outcome.findings.push_back(finding);
  HideUserinfo(outcome.data);
  return outcome;
}

}  // namespace sibyl::engine
