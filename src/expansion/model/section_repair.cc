// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/section_repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "expansion/model/added_text.h"

namespace sibyl::expansion {
namespace {

using draft::ModelPoint;
using draft::ModelUnit;

// Only points that wanted more lines are written once more.
void SetAside(ModelPoint& point) {
  for (ModelUnit& unit : std::exchange(point.units, {})) {
    point.unused.push_back(
        {.text = std::move(unit.text), .reason = "only corrections were asked for"});
  }
  point.is_contradicted = false;
}

}  // namespace

SectionRepair::SectionRepair(const SectionRepairInputs& inputs) : in_(inputs) {
  for (const auto& [place, reasons] : in_.failures.heads) {
    if (place.section == in_.section) heads_.push_back(place);
  }
}

Status SectionRepair::Run() {
  more_ = TakeAsks();
  const auto wants_more = [&] {
    return std::any_of(more_.begin(), more_.end(), [](const auto& one) { return !one.empty(); });
  };
  for (int round = 0;; ++round) {
    places_ = PlacesOf(in_.failures, in_.manuscript, in_.section);
    if (places_.empty() && heads_.empty() && !wants_more()) return {};
    in_.asker.Report(fmt::format("repairing section {}", in_.section + 1));
    const model::Answer answer = SIBYL_TRY(in_.asker.Ask(Stage::kRepair, Question()));
    const bool is_last = answer.end != model::End::kLength || round > 0;
    Take(answer, is_last);
    if (is_last) return {};
    for (draft::PointPassages& passages : more_) passages.clear();
  }
}

std::vector<draft::PointPassages> SectionRepair::TakeAsks() {
  const std::vector<ModelPoint>& points = in_.manuscript.points()[in_.section];
  std::vector<draft::PointPassages> more(points.size());
  for (std::size_t p = 0; p < more.size(); ++p) {
    for (const std::string& ask : points[p].asks) {
      if (const draft::Excerpt* lines = in_.reading.More(in_.section, ask)) {
        more[p].push_back(lines);
      }
    }
    // Nothing was written yet: it is written from everything.
    if (!more[p].empty() && points[p].units.empty()) {
      const draft::PointPassages& first = in_.reading.passages(in_.section)[p];
      more[p].insert(more[p].begin(), first.begin(), first.end());
    }
  }
  return more;
}

model::Question SectionRepair::Question() const {
  std::vector<draft::Objection> objections;
  for (const draft::UnitPlace& place : places_) {
    const ModelUnit& unit = in_.manuscript.UnitAt(place);
    objections.push_back({.point = place.point,
                          .unit = &unit,
                          .before = in_.manuscript.Before(place),
                          .reasons = ReasonsOf(in_.failures.statements.at(unit.id))});
  }
  std::vector<draft::Manuscript::Head> heads;
  for (const draft::HeadPlace& place : heads_) heads.push_back(in_.manuscript.HeadAt(place));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    objections.push_back({.point = heads_[i].point,
                          .unit = &heads[i].unit,
                          .before = heads[i].first_row,
                          .reasons = ReasonsOf(in_.failures.heads.at(heads_[i])),
                          .is_head = true});
  }
  return draft::RepairQuestion({.title = in_.reading.title(),
                                .section = in_.reading.gathered().sections[in_.section],
                                .objections = objections,
                                .more = more_,
                                .passages = in_.reading.passages(in_.section),
                                .lines = in_.lines},
                               in_.reading.keys());
}

void SectionRepair::Take(const model::Answer& answer, bool is_last) {
  std::vector<const ModelUnit*> units;
  for (const draft::UnitPlace& place : places_) units.push_back(&in_.manuscript.UnitAt(place));
  std::vector<draft::Manuscript::Head> heads;
  for (const draft::HeadPlace& place : heads_) heads.push_back(in_.manuscript.HeadAt(place));
  for (const draft::Manuscript::Head& head : heads) units.push_back(&head.unit);
  draft::ModelRepairs repairs =
      draft::ReadRepairs(answer.text, units, in_.manuscript.points()[in_.section].size());
  if (answer.end == model::End::kLength) Cut(repairs);
  TakeHeads(repairs, is_last);
  // From the last on, so that the places of those before stay.
  for (std::size_t i = places_.size(); i-- > 0;) {
    if (!repairs.of[i] && !is_last) continue;
    const std::size_t id = in_.manuscript.UnitAt(places_[i]).id;
    in_.manuscript.Replace(places_[i], std::move(repairs.of[i]),
                           Merged(in_.failures.statements.at(id)));
  }
  TakeMore(std::move(repairs.more));
}

// A head without a correction fails again, and then its rows go.
void SectionRepair::TakeHeads(draft::ModelRepairs& repairs, bool is_last) {
  std::vector<draft::HeadPlace> open;
  for (std::size_t i = 0; i < heads_.size(); ++i) {
    std::optional<draft::ModelRepair>& repair = repairs.of[places_.size() + i];
    if (!repair && !is_last) {
      open.push_back(heads_[i]);
      continue;
    }
    in_.manuscript.ReplaceHead(heads_[i], std::move(repair),
                               Merged(in_.failures.heads.at(heads_[i])));
  }
  heads_ = std::move(open);
}

// What an answer that ended at its limit says last may be half of it.
void SectionRepair::Cut(draft::ModelRepairs& repairs) {
  const auto note = [&](std::size_t point, const ModelUnit& unit) {
    in_.manuscript.Note(in_.section, point, unit.text,
                        {.kind = draft::LossKind::kForm, .reason = std::string(kCutOff)});
  };
  if (repairs.last && repairs.of[*repairs.last]) {
    const std::size_t last = *repairs.last;
    const std::size_t point =
        last < places_.size() ? places_[last].point : heads_[last - places_.size()].point;
    for (const ModelUnit& unit : repairs.of[last]->units) note(point, unit);
    repairs.of[last].reset();
  } else if (const auto tail = draft::TakeLastUnit(repairs.more)) {
    note(*repairs.more.last_point, *tail);
  }
}

void SectionRepair::TakeMore(draft::ModelText text) {
  for (std::size_t p = 0; p < more_.size(); ++p) {
    if (more_[p].empty()) SetAside(text.points[p]);
  }
  std::vector<std::size_t> counts;
  for (const ModelPoint& point : in_.manuscript.points()[in_.section]) {
    counts.push_back(point.units.size());
  }
  in_.manuscript.Keep(in_.section, std::move(text));
  for (std::size_t p = 0; p < counts.size(); ++p) {
    PlaceAdded(in_.manuscript, in_.reading.keys(),
               {.section = in_.section, .point = p, .unit = counts[p]});
  }
  for (ModelPoint& point : in_.manuscript.PointsOf(in_.section)) point.asks.clear();
}

}  // namespace sibyl::expansion
