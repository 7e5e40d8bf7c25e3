// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/one_line.h"
#include "base/strings.h"
#include "draft/model/model_page.h"
#include "draft/model/model_prompt.h"
#include "draft/model/model_text.h"
#include "draft/model/page_budget.h"
#include "draft/model/prompt_text.h"
#include "expansion/model/model_asker.h"
#include "expansion/model/model_judging.h"
#include "expansion/model/model_reading.h"

namespace sibyl::expansion {
namespace {

using draft::ModelPoint;
using draft::ModelUnit;
using draft::WrittenKind;

// Where a unit is; in the order of the page.
struct UnitPlace {
  std::size_t section = 0;
  std::size_t point = 0;
  std::size_t unit = 0;

  bool operator<(const UnitPlace& other) const {
    return std::tie(section, point, unit) < std::tie(other.section, other.point, other.unit);
  }
  std::string name() const { return draft::UnitName(section, point, unit); }
};

// Failed units with their reasons, each reason once.
using Failing = std::map<UnitPlace, std::vector<std::string>>;

void AddReason(Failing& failing, const UnitPlace& place, std::string reason) {
  std::vector<std::string>& reasons = failing[place];
  if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
    reasons.push_back(std::move(reason));
  }
}

class ModelWriter : public Writer {
 public:
  ModelWriter(const plan::Part& part, const PartInputs& inputs, const draft::Gathered& found,
              ModelAccess& models, runner::JobContext& context)
      : part_(part),
        inputs_(inputs),
        found_(found),
        models_(models),
        asker_(models, context),
        reading_(part, inputs, context),
        reader_(inputs.searcher) {}

  Result<draft::WrittenPage> Write() override {
    if (!is_asked_) SIBYL_TRY(AskForSections());
    is_asked_ = true;
    objections_ = OwnObjections();
    draft::WrittenPage page = Compose();
    shown_.clear();
    for (const draft::WrittenBlock& block : page.blocks) shown_.insert(block.key);
    if (draft::CoveredCount(page.draft) == 0 && !HasObjections()) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = "nothing that the model wrote passed the gate"};
    }
    return page;
  }

  bool HasObjections() const override {
    return !objections_.empty() || (!is_repaired_ && WantsMore());
  }

  // The first time failures are sent back to the model, section by section;
  // after that they are dropped.
  Result<bool> Revise(const draft::WrittenPage& page,
                      const std::vector<statement::Judgement>& failures) override {
    Failing failing = objections_;
    bool has_dropped = false;
    for (const statement::Judgement& failure : failures) {
      has_dropped = AddFailure(failure, page.blocks, failing) || has_dropped;
    }
    if (!is_repaired_ && (!failing.empty() || WantsMore())) {
      is_repaired_ = true;
      SIBYL_TRY(Repair(failing));
      return true;
    }
    for (const auto& [place, reasons] : failing) LeaveOut(place, Join(reasons, "; "));
    return has_dropped || !failing.empty();
  }

  Result<bool> ReviewOnce() override {
    if (models_.judge() == nullptr || is_judged_) return false;
    is_judged_ = true;
    return Judge();
  }

  std::vector<runner::Figure> Spent() const override { return asker_.Spent(); }

 private:
  const draft::Gathered& gathered() const { return reading_.gathered(); }
  const ModelUnit& UnitAt(const UnitPlace& place) const {
    return written_[place.section][place.point].units[place.unit];
  }
  const std::string& PointAt(const UnitPlace& place) const {
    return gathered().sections[place.section].points[place.point].point;
  }

  Status AskForSections() {
    SIBYL_TRY(reading_.Search(found_, asker_));
    const std::size_t sections = gathered().sections.size();
    written_.resize(sections);
    for (std::size_t s = 0; s < sections; ++s) {
      written_[s].resize(gathered().sections[s].points.size());
      SIBYL_TRY(reading_.Read(s, asker_));
      SIBYL_TRY(WriteSection(s));
    }
    return {};
  }

  std::size_t LinesOf(std::size_t s) const {
    const draft::PageFrame frame(inputs_.plan, part_, {});
    return frame.Budget(gathered(), gathered().sections[s]);
  }

  Status WriteSection(std::size_t s) {
    const auto& passages = reading_.passages(s);
    if (std::all_of(passages.begin(), passages.end(), [](const auto& one) { return one.empty(); }))
      return {};
    asker_.Report(fmt::format("writing section {} of {}", s + 1, gathered().sections.size()));
    const model::Question question = draft::SectionQuestion({.title = reading_.title(),
                                                             .section = gathered().sections[s],
                                                             .passages = passages,
                                                             .lines = LinesOf(s)},
                                                            reading_.keys());
    model::Answer answer = SIBYL_TRY(asker_.Ask(question));
    draft::ModelText text = draft::ReadModelText(answer.text, written_[s].size());
    const bool is_slip = !text.has_points && answer.end != model::End::kRefused &&
                         answer.text.find(draft::kModelNotFound) == std::string::npos;
    if (is_slip && !Trim(answer.text).empty()) {
      answer = SIBYL_TRY(asker_.Ask(draft::AgainQuestion(question, answer.text)));
      text = draft::ReadModelText(answer.text, written_[s].size());
    }
    if (answer.end == model::End::kRefused) return {};
    Keep(s, std::move(text));
    return {};
  }

  // What cannot be used is reported.
  void Keep(std::size_t s, draft::ModelText text) {
    for (std::string& line : text.stray) {
      omissions_.push_back(
          {.point = "", .text = std::move(line), .reason = "it belongs to no point"});
    }
    for (std::size_t p = 0; p < text.points.size(); ++p) {
      ModelPoint& point = written_[s][p];
      ModelPoint& added = text.points[p];
      const std::size_t groups = point.table_heads.size();
      for (ModelUnit& unit : added.units) {
        unit.group += groups;
        point.units.push_back(std::move(unit));
      }
      for (auto& head : added.table_heads) point.table_heads.push_back(std::move(head));
      for (std::string& ask : added.asks) point.asks.push_back(std::move(ask));
      for (const std::string& unit : added.too_much) {
        omissions_.push_back({.point = gathered().sections[s].points[p].point,
                              .text = OneLine(unit),
                              .reason = "it is too long, or one of too many"});
      }
      point.is_contradicted = point.is_contradicted || added.is_contradicted;
    }
  }

  bool WantsMore() const {
    for (const auto& section : written_) {
      for (const ModelPoint& point : section) {
        if (!point.asks.empty()) return true;
      }
    }
    return false;
  }

  Status Repair(const Failing& failing) {
    for (std::size_t s = 0; s < written_.size(); ++s) SIBYL_TRY(RepairSection(s, failing));
    return {};
  }

  Status RepairSection(std::size_t s, const Failing& failing) {
    std::vector<UnitPlace> places;
    std::vector<draft::Objection> objections;
    std::vector<const ModelUnit*> units;
    for (const auto& [place, reasons] : failing) {
      if (place.section != s) continue;
      places.push_back(place);
      units.push_back(&UnitAt(place));
      objections.push_back({.point = place.point,
                            .unit = units.back(),
                            .before = Before(place),
                            .reasons = reasons});
    }
    bool wants_more = false;
    const std::vector<draft::PointPassages> more = TakeAsks(s, wants_more);
    if (objections.empty() && !wants_more) return {};
    asker_.Report(fmt::format("repairing section {}", s + 1));
    const model::Question question = draft::RepairQuestion({.title = reading_.title(),
                                                            .section = gathered().sections[s],
                                                            .objections = objections,
                                                            .more = more,
                                                            .lines = LinesOf(s)},
                                                           reading_.keys());
    const model::Answer answer = SIBYL_TRY(asker_.Ask(question));
    draft::ModelRepairs repairs = draft::ReadRepairs(answer.text, units, written_[s].size());
    // From the last on, so that the places of those before stay.
    for (std::size_t i = places.size(); i-- > 0;) {
      Replace(places[i], std::move(repairs.units[i]), objections[i].reasons);
    }
    for (std::size_t p = 0; p < more.size(); ++p) {
      // Only what was asked to be written once more.
      if (more[p].empty()) repairs.more.points[p] = {};
    }
    Keep(s, std::move(repairs.more));
    for (ModelPoint& point : written_[s]) point.asks.clear();
    return {};
  }

  std::vector<draft::PointPassages> TakeAsks(std::size_t s, bool& wants_more) {
    std::vector<draft::PointPassages> more(written_[s].size());
    for (std::size_t p = 0; p < more.size(); ++p) {
      for (const std::string& ask : written_[s][p].asks) {
        if (const draft::Excerpt* lines = reading_.More(s, ask)) more[p].push_back(lines);
      }
      wants_more = wants_more || !more[p].empty();
    }
    return more;
  }

  void Replace(const UnitPlace& place, std::optional<std::vector<ModelUnit>> by,
               const std::vector<std::string>& reasons) {
    std::vector<ModelUnit>& units = written_[place.section][place.point].units;
    const auto at = units.begin() + static_cast<std::ptrdiff_t>(place.unit);
    if (!by || by->empty()) {
      omissions_.push_back(
          {.point = PointAt(place),
           .text = OneLine(at->text),
           .reason = fmt::format("the check: {}; the model {}", Join(reasons, "; "),
                                 by ? "dropped it" : "did not correct it")});
      units.erase(at);
      return;
    }
    const auto next = units.erase(at);
    units.insert(next, std::make_move_iterator(by->begin()), std::make_move_iterator(by->end()));
  }

  void LeaveOut(const UnitPlace& place, const std::string& reason) {
    if (!left_out_.insert(place.name()).second) return;
    omissions_.push_back(
        {.point = PointAt(place), .text = OneLine(UnitAt(place).text), .reason = reason});
  }

  draft::WrittenPage Compose() const {
    return draft::WriteModelPage({.plan = inputs_.plan,
                                  .part = part_,
                                  .searcher = inputs_.searcher,
                                  .gathered = gathered(),
                                  .keys = reading_.keys(),
                                  .written = written_},
                                 {.program = inputs_.program,
                                  .time = inputs_.time,
                                  .model = models_.writer().server().model,
                                  .left_out = left_out_,
                                  .omissions = omissions_,
                                  .find_words = inputs_.citations.words()});
  }

  template <typename Take>
  void ForEachKept(const Take& take) const {
    for (std::size_t s = 0; s < written_.size(); ++s) {
      for (std::size_t p = 0; p < written_[s].size(); ++p) {
        const std::vector<std::size_t> kept = draft::KeptUnits(written_[s][p], s, p, left_out_);
        for (std::size_t i = 0; i < kept.size(); ++i) {
          take(UnitPlace{.section = s, .point = p, .unit = kept[i]}, kept, i);
        }
      }
    }
  }

  // The statement before it on the page, or the head of its table.
  std::string Before(const UnitPlace& place) const {
    const ModelPoint& point = written_[place.section][place.point];
    const ModelUnit& unit = point.units[place.unit];
    if (unit.kind == WrittenKind::kRow && !point.table_heads[unit.group].empty()) {
      return point.table_heads[unit.group].front();
    }
    for (std::size_t u = place.unit; u-- > 0;) {
      const UnitPlace before{.section = place.section, .point = place.point, .unit = u};
      if (!left_out_.contains(before.name())) return point.units[u].text;
    }
    return {};
  }

  // Extra rules for models: everything needs a citation, and its words must
  // occur in the cited lines; what leads in a list, a table or code has those of
  // what follows.
  Failing OwnObjections() {
    Failing failing;
    ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>& kept, std::size_t i) {
      const ModelPoint& point = written_[place.section][place.point];
      const ModelUnit& unit = point.units[place.unit];
      const std::vector<draft::CitedLines> cited = draft::CitedBy(unit, reading_.keys());
      if (cited.empty() && draft::LeadsIn(point, kept, i)) {
        if (!HasLeadInSupport(place, kept, i)) {
          AddReason(failing, place, "it has no passage key, and is not about what follows it");
        }
      } else if (cited.empty()) {
        AddReason(failing, place,
                  unit.marks.empty() ? "it has no passage key"
                                     : "its key is not one of the passage keys you were given");
      } else if (unit.kind != WrittenKind::kCode && !draft::HasWordSupport(reader_, unit, cited)) {
        AddReason(failing, place, "the cited lines do not mention this");
      }
    });
    return failing;
  }

  // By the passages that the next group cites; the plan chose the words of the point.
  bool HasLeadInSupport(const UnitPlace& place, const std::vector<std::size_t>& kept,
                        std::size_t i) {
    const ModelPoint& point = written_[place.section][place.point];
    std::vector<draft::CitedLines> cited;
    for (std::size_t next = i + 1; next < kept.size(); ++next) {
      const ModelUnit& unit = point.units[kept[next]];
      if (next > i + 1 && draft::IsSeparated(point.units[kept[next - 1]], unit)) break;
      for (const draft::CitedLines& lines : draft::CitedBy(unit, reading_.keys())) {
        cited.push_back(draft::WholePassage(lines));
      }
    }
    if (cited.empty()) return false;
    const std::string context =
        reading_.title() + '\n' + PointAt(place) + '\n' + gathered().sections[place.section].title;
    return draft::WordSupport(reader_, point.units[place.unit], cited, context) >=
           draft::kLeadInSupport;
  }

  // True if something was dropped at once: a table whose head claims too much.
  // Nothing for what is in none of the blocks.
  bool AddFailure(const statement::Judgement& failure,
                  const std::vector<draft::WrittenBlock>& blocks, Failing& failing) {
    const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& candidate) {
      return failure.place.line >= candidate.first_line &&
             failure.place.line <= candidate.last_line;
    });
    if (block == blocks.end()) return false;
    std::string reason = failure.message;
    if (!failure.nearest.empty()) reason += fmt::format("; the source has {}", failure.nearest);
    std::vector<UnitPlace> rows;
    ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
      if (place.name() == block->key) AddReason(failing, place, reason);
      const std::size_t group = UnitAt(place).group;
      if (draft::TableName(place.section, place.point, group) == block->key) rows.push_back(place);
    });
    for (const UnitPlace& row : rows) LeaveOut(row, "the head of its table: " + reason);
    return !rows.empty();
  }

  // Only what is on the page, and only to take away. What did not fit stays out: it
  // was not judged.
  Result<bool> Judge() {
    std::vector<UnitPlace> places;
    std::vector<UnitPlace> cut;
    std::vector<draft::JudgedStatement> statements;
    ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
      const ModelUnit& unit = UnitAt(place);
      if (!shown_.contains(place.name())) {
        cut.push_back(place);
        return;
      }
      const std::vector<draft::CitedLines> cited = draft::CitedBy(unit, reading_.keys());
      if (unit.kind == WrittenKind::kCode || unit.kind == WrittenKind::kQuote || cited.empty()) {
        return;
      }
      places.push_back(place);
      statements.push_back(StatementOf(place, cited));
    });
    const std::size_t before = left_out_.size();
    const Judged judged = SIBYL_TRY(JudgeStatements(statements, asker_));
    if (!judged.useless.empty()) {
      omissions_.push_back({.point = "",
                            .text = "the verdicts of the judge",
                            .reason = judged.useless + ", so none of them was used"});
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (judged.objections[i]) LeaveOut(places[i], *judged.objections[i]);
    }
    const bool has_changed = left_out_.size() > before || !judged.useless.empty();
    for (const UnitPlace& place : cut) {
      LeaveOut(place, "no lines left of those that the plan gives");
    }
    return has_changed;
  }

  draft::JudgedStatement StatementOf(const UnitPlace& place,
                                     const std::vector<draft::CitedLines>& cited) const {
    draft::JudgedStatement statement{
        .text = UnitAt(place).text,
        .place = draft::PlaceInPrompt(*cited.front().excerpt),
        .lines = {},
        .point = fmt::format("{} > {}", gathered().sections[place.section].title, PointAt(place)),
        .before = Before(place)};
    for (const draft::CitedLines& lines : cited) {
      if (&lines != &cited.front()) {
        statement.lines += fmt::format("and of {}:\n", draft::PlaceInPrompt(*lines.excerpt));
      }
      statement.lines += draft::LinesForJudge(lines);
    }
    return statement;
  }

  const plan::Part& part_;
  const PartInputs& inputs_;
  const draft::Gathered& found_;
  ModelAccess& models_;
  ModelAsker asker_;
  mutable ModelReading reading_;
  draft::TermReader reader_;
  std::vector<std::vector<ModelPoint>> written_;  // by section and point
  std::set<std::string> left_out_;
  std::set<std::string> shown_;             // units of the page that was written last
  std::vector<draft::Omission> omissions_;  // of what is not even left out
  Failing objections_;                      // to the page that was written last
  bool is_asked_ = false;
  bool is_repaired_ = false;
  bool is_judged_ = false;
};

}  // namespace

std::unique_ptr<Writer> MakeModelWriter(const plan::Part& part, const PartInputs& inputs,
                                        const draft::Gathered& found, ModelAccess& models,
                                        runner::JobContext& context) {
  return std::make_unique<ModelWriter>(part, inputs, found, models, context);
}

}  // namespace sibyl::expansion
