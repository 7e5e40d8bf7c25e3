// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/one_line.h"
#include "base/strings.h"
#include "draft/model/manuscript.h"
#include "draft/model/model_page.h"
#include "draft/model/model_prompt.h"
#include "draft/model/placeholder.h"
#include "expansion/model/failures.h"
#include "expansion/model/lead_ins.h"
#include "expansion/model/model_asker.h"
#include "expansion/model/model_judging.h"
#include "expansion/model/model_reading.h"
#include "expansion/model/section_repair.h"

namespace sibyl::expansion {
namespace {

using draft::LossKind;
using draft::ModelPoint;
using draft::ModelUnit;
using draft::Refusal;
using draft::UnitPlace;
using draft::WrittenKind;

constexpr int kMostContinuations = 2;
constexpr int kMostReviews = 3;
constexpr std::string_view kNoLines = "no lines left of those that the plan gives";
constexpr std::string_view kOrphan =
    "the statement before it, to which it refers, is not on the page";
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
    const LeadIns lead_ins(manuscript_, reading_.keys());
    lead_ins.BindAll();
    if (is_repaired_) lead_ins.Settle();
    objections_ = OwnObjections();
    draft::WrittenPage page = Compose();
    if (!is_repaired_) AddOrphans(objections_);
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
    Failures failing = objections_;
    bool has_changed = false;
    for (const statement::Judgement& failure : failures) {
      has_changed = AddFailure(failure, page.blocks, failing) || has_changed;
    }
    if (BindRefused(failing)) return true;
    if (!is_repaired_ && (!failing.empty() || WantsMore())) {
      // All reasons go back at once, those of the judge too.
      SIBYL_TRY(AskTheJudge(failing));
      SIBYL_TRY(Repair(failing));
      return true;
    }
    RefuseAll(failing);
    return has_changed || !failing.empty();
  }

  // What the judge refuses the first time is repaired like the rest, and judged again.
  Result<bool> ReviewOnce() override {
    if (models_.judge() == nullptr || reviews_ == kMostReviews) return false;
    ++reviews_;
    Failures failing;
    const bool was_useful = is_judge_useful_;
    if (is_repaired_) RefuseUnseen(failing);
    SIBYL_TRY(AskTheJudge(failing));
    if (failing.empty()) return was_useful != is_judge_useful_;
    if (!is_repaired_) {
      SIBYL_TRY(Repair(failing));
      return true;
    }
    RefuseAll(failing);
    return true;
  }

  std::vector<runner::Figure> Spent() const override { return asker_.Spent(); }

  std::vector<runner::Figure> Used() const override {
    PartUse use{.model = ModelNumber(models_.Names())};
    for (std::size_t s = 0; s < gathered().sections.size(); ++s) {
      for (std::size_t p = 0; p < gathered().sections[s].points.size(); ++p) {
        if (!gathered().sections[s].points[p].covered) ++use.points;
        use.passages += reading_.passages(s)[p].size();
      }
    }
    use.stages = asker_.stages();
    return FiguresOf(use);
  }

  std::vector<draft::Omission> Losses(std::string_view why) const override {
    return manuscript_.Losses(
        {}, {.kind = LossKind::kPart, .reason = fmt::format("the page failed: {}", why)});
  }

 private:
  const draft::Gathered& gathered() const { return reading_.gathered(); }

  Status AskForSections() {
    SIBYL_TRY(reading_.Search(found_, asker_));
    manuscript_.Begin(gathered());
    for (std::size_t s = 0; s < gathered().sections.size(); ++s) {
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
    model::Answer answer = SIBYL_TRY(asker_.Ask(Stage::kWriting, question));
    const std::size_t points = passages.size();
    draft::ModelText text = draft::ReadModelText(answer.text, points);
    const bool is_slip = !text.has_points && answer.end != model::End::kRefused &&
                         answer.text.find(draft::kModelNotFound) == std::string::npos;
    if (is_slip && !Trim(answer.text).empty()) {
      const std::string first = std::move(answer.text);
      answer = SIBYL_TRY(asker_.Ask(Stage::kWriting, draft::AgainQuestion(question, first)));
      text = draft::ReadModelText(answer.text, points);
      NoteUnrepeated(s, first, answer.text);
    }
    return KeepSection(s, question, std::move(answer), std::move(text));
  }

  // Lines of an answer without points that the second one does not have.
  void NoteUnrepeated(std::size_t s, std::string_view first, std::string_view second) {
    for (const std::string_view line : SplitLines(first)) {
      const std::string_view words = Trim(line);
      if (words.empty() || second.find(words) != std::string_view::npos) continue;
      manuscript_.Note(
          s, std::nullopt, OneLine(words),
          {.kind = LossKind::kForm, .reason = "it belongs to no point, and was asked for again"});
    }
  }

  // An answer that ended at its limit is continued where it ended.
  Status KeepSection(std::size_t s, const model::Question& question, model::Answer answer,
                     draft::ModelText text) {
    model::Question asked = question;
    for (int more = 0;; ++more) {
      if (answer.end == model::End::kRefused)
        ExplainSilence(s, 0, "the model declined to write it");
      const bool is_cut = answer.end == model::End::kLength;
      const std::optional<std::size_t> last = text.last_point;
      const std::optional<ModelUnit> tail = is_cut ? draft::TakeLastUnit(text) : std::nullopt;
      std::vector<std::string> head;
      if (tail && tail->kind == WrittenKind::kRow) {
        head = text.points[*last].table_heads[tail->group];
      }
      more == 0 ? manuscript_.Keep(s, std::move(text)) : manuscript_.KeepRest(s, std::move(text));
      if (!is_cut) return {};
      if (!last || more == kMostContinuations) {
        if (tail) NoteCut(s, *last, *tail);
        ExplainSilence(s, last.value_or(0),
                       "the answer of the model ended before it, at its limit");
        return {};
      }
      asker_.Report(fmt::format("continuing section {}", s + 1));
      asked = draft::ContinueQuestion(asked, answer.text, *last);
      answer = SIBYL_TRY(asker_.Ask(Stage::kWriting, asked));
      text = draft::ReadRest(answer.text, *last, head, manuscript_.points()[s].size());
      if (tail && !IsContinued(*tail, text.points[*last])) NoteCut(s, *last, *tail);
    }
  }

  static bool IsContinued(const ModelUnit& tail, const ModelPoint& rest) {
    // The end of a cut statement may be half a word, and an end that was put there.
    constexpr std::size_t kDoubtful = 8;
    const std::string_view begin = std::string_view(tail.text).substr(
        0, tail.text.size() - std::min(tail.text.size() / 2, kDoubtful));
    return std::any_of(rest.units.begin(), rest.units.end(),
                       [&](const ModelUnit& unit) { return unit.text.starts_with(begin); });
  }

  void NoteCut(std::size_t s, std::size_t point, const ModelUnit& tail) {
    manuscript_.Note(s, point, tail.text,
                     {.kind = LossKind::kForm, .reason = std::string(kCutOff)});
  }

  // Of points without statements, from one on.
  void ExplainSilence(std::size_t s, std::size_t from, const std::string& why) {
    for (std::size_t p = from; p < manuscript_.points()[s].size(); ++p) {
      const bool was_asked = !reading_.passages(s)[p].empty();
      if (was_asked && manuscript_.points()[s][p].units.empty()) {
        manuscript_.ExplainSilence(s, p, why);
      }
    }
  }

  bool WantsMore() const {
    for (const auto& section : manuscript_.points()) {
      for (const ModelPoint& point : section) {
        if (!point.asks.empty()) return true;
      }
    }
    return false;
  }

  Status Repair(const Failures& failing) {
    is_repaired_ = true;
    for (std::size_t s = 0; s < manuscript_.points().size(); ++s) {
      SectionRepair repair({.manuscript = manuscript_,
                            .reading = reading_,
                            .asker = asker_,
                            .failures = failing,
                            .section = s,
                            .lines = LinesOf(s)});
      SIBYL_TRY(repair.Run());
    }
    return {};
  }

  draft::WrittenPage Compose() {
    draft::WrittenPage page = ComposeOnce();
    while (is_repaired_ && RefuseOrphans()) {
      LeadIns(manuscript_, reading_.keys()).Settle();
      page = ComposeOnce();
    }
    page.draft.omissions =
        manuscript_.Losses(shown_, {.kind = LossKind::kLines, .reason = std::string(kNoLines)});
    return page;
  }

  draft::WrittenPage ComposeOnce() {
    draft::WrittenPage page = draft::WriteModelPage({.plan = inputs_.plan,
                                                     .part = part_,
                                                     .searcher = inputs_.searcher,
                                                     .gathered = gathered(),
                                                     .keys = reading_.keys(),
                                                     .written = manuscript_.points()},
                                                    {.program = inputs_.program,
                                                     .time = inputs_.time,
                                                     .model = models_.writer().server().model,
                                                     .left_out = manuscript_.refused(),
                                                     .find_words = inputs_.citations.words()});
    std::set<std::string> blocks;
    for (const draft::WrittenBlock& block : page.blocks) blocks.insert(block.key);
    shown_.clear();
    manuscript_.ForEachKept(
        [&](const UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
          const std::size_t id = manuscript_.UnitAt(place).id;
          if (blocks.contains(draft::UnitName(id))) shown_.insert(id);
        });
    return page;
  }

  // "It" after a statement that was cut or refused would be about another one.
  std::vector<UnitPlace> Orphans() const {
    std::vector<UnitPlace> orphans;
    manuscript_.ForEachKept(
        [&](const UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
          const bool is_shown = shown_.contains(manuscript_.UnitAt(place).id);
          if (is_shown && manuscript_.IsOrphan(place, shown_)) orphans.push_back(place);
        });
    return orphans;
  }

  void AddOrphans(Failures& failing) const {
    for (const UnitPlace& place : Orphans()) {
      failing.Add(manuscript_.UnitAt(place).id,
                  {.kind = LossKind::kReference,
                   .reason = fmt::format("{}; name what it is about", kOrphan)});
    }
  }

  bool RefuseOrphans() {
    const std::vector<UnitPlace> orphans = Orphans();
    for (const UnitPlace& place : orphans) {
      manuscript_.Refuse(place, {.kind = LossKind::kReference, .reason = std::string(kOrphan)});
    }
    return !orphans.empty();
  }

  // Extra rules for models: everything needs a citation, and its words must
  // occur in the cited lines; what leads in a list, a table or code has those of
  // what follows.
  Failures OwnObjections() {
    const LeadIns lead_ins(manuscript_, reading_.keys());
    Failures failing;
    manuscript_.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>& kept,
                                std::size_t i) {
      const ModelUnit& unit = manuscript_.UnitAt(place);
      const std::vector<draft::CitedLines> cited = draft::CitedBy(unit, reading_.keys());
      const bool leads_in = lead_ins.LeadsIn(place, kept, i);
      if (leads_in && (cited.empty() || unit.is_bound)) {
        const std::string why = lead_ins.WhyNot(place, kept, i, reader_, ContextOf(place));
        if (!why.empty()) failing.Add(unit.id, {.kind = LossKind::kKey, .reason = why});
      } else if (cited.empty()) {
        failing.Add(unit.id, {.kind = LossKind::kKey, .reason = WhyUncited(unit)});
      } else if (unit.kind != WrittenKind::kCode && !draft::HasWordSupport(reader_, unit, cited)) {
        failing.Add(unit.id,
                    {.kind = LossKind::kWords, .reason = "the cited lines do not mention this"});
      }
      if (const std::string filled = draft::PlaceholderIn(unit, cited); !filled.empty()) {
        failing.Add(unit.id,
                    {.kind = LossKind::kWords,
                     .reason = fmt::format("{} is filled in when the program runs; say what it is",
                                           filled)});
      }
    });
    return failing;
  }

  static std::string WhyUncited(const ModelUnit& unit) {
    if (!unit.marks.empty()) return "its key is not one of the passage keys you were given";
    if (unit.text.ends_with(':')) {
      return "it has no passage key, and nothing with a key follows that it leads in";
    }
    return "it has no passage key";
  }

  // What the plan calls it: the words of a lead-in may be those.
  std::string ContextOf(const UnitPlace& place) const {
    return reading_.title() + '\n' + manuscript_.TitleAt(place) + '\n' +
           gathered().sections[place.section].title;
  }

  // True if something was dropped at once: a table whose head claims too much after the
  // repair. Nothing for what is in none of the blocks.
  bool AddFailure(const statement::Judgement& failure,
                  const std::vector<draft::WrittenBlock>& blocks, Failures& failing) {
    const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& candidate) {
      return failure.place.line >= candidate.first_line &&
             failure.place.line <= candidate.last_line;
    });
    if (block == blocks.end()) return false;
    std::string reason = failure.message;
    if (!failure.nearest.empty()) reason += fmt::format("; the source has {}", failure.nearest);
    std::vector<UnitPlace> rows;
    manuscript_.ForEachKept(
        [&](const UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
          const ModelUnit& unit = manuscript_.UnitAt(place);
          if (draft::UnitName(unit.id) == block->key) {
            failing.Add(unit.id, {.kind = LossKind::kGate, .reason = reason});
          }
          if (draft::TableName(place.section, place.point, unit.group) == block->key) {
            rows.push_back(place);
          }
        });
    if (!rows.empty() && !is_repaired_) {
      const ModelUnit& row = manuscript_.UnitAt(rows.front());
      failing.AddHead({rows.front().section, rows.front().point, row.group},
                      {.kind = LossKind::kGate, .reason = std::move(reason)});
      return false;
    }
    for (const UnitPlace& row : rows) {
      manuscript_.Refuse(row,
                         {.kind = LossKind::kGate, .reason = "the head of its table: " + reason});
    }
    return !rows.empty();
  }

  // What leads in cited lines and claims too much by itself gets their citations
  // first; the gate then decides by these.
  bool BindRefused(const Failures& failing) {
    const LeadIns lead_ins(manuscript_, reading_.keys());
    bool has_bound = false;
    manuscript_.ForEachKept([&](const UnitPlace& place, const std::vector<std::size_t>& kept,
                                std::size_t i) {
      const auto reasons = failing.statements.find(manuscript_.UnitAt(place).id);
      const bool is_gate =
          reasons != failing.statements.end() && reasons->second.front().kind == LossKind::kGate;
      if (is_gate && lead_ins.LeadsIn(place, kept, i)) {
        has_bound = lead_ins.Bind(place, kept, i) || has_bound;
      }
    });
    return has_bound;
  }

  void RefuseAll(const Failures& failing) {
    for (std::size_t s = 0; s < manuscript_.points().size(); ++s) {
      for (const UnitPlace& place : PlacesOf(failing, manuscript_, s)) {
        manuscript_.Refuse(place, Merged(failing.statements.at(manuscript_.UnitAt(place).id)));
      }
    }
  }

  // What did not fit stays out from now on: it was not judged.
  void RefuseUnseen(Failures& failing) const {
    manuscript_.ForEachKept(
        [&](const UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
          const std::size_t id = manuscript_.UnitAt(place).id;
          if (!shown_.contains(id)) {
            failing.Add(id, {.kind = LossKind::kLines, .reason = std::string(kNoLines)});
          }
        });
  }

  // About what is on the page and was not judged before; only to take away.
  Status AskTheJudge(Failures& failing) {
    if (models_.judge() == nullptr || !is_judge_useful_) return {};
    std::set<std::size_t> asked;
    for (const std::size_t id : shown_) {
      if (!failing.statements.contains(id) && judged_.insert(id).second) asked.insert(id);
    }
    const PageObjections judged = SIBYL_TRY(JudgePage({.manuscript = manuscript_,
                                                       .keys = reading_.keys(),
                                                       .gathered = gathered(),
                                                       .shown = asked},
                                                      asker_));
    if (!judged.useless.empty()) {
      is_judge_useful_ = false;
      manuscript_.NoteOfPage(
          "the verdicts of the judge",
          {.kind = LossKind::kJudge, .reason = judged.useless + ", so none of them was used"});
    }
    for (const auto& [id, objection] : judged.objections) {
      failing.Add(id, {.kind = LossKind::kJudge, .reason = objection});
    }
    return {};
  }

  const plan::Part& part_;
  const PartInputs& inputs_;
  const draft::Gathered& found_;
  ModelAccess& models_;
  ModelAsker asker_;
  mutable ModelReading reading_;
  draft::TermReader reader_;
  draft::Manuscript manuscript_;
  std::set<std::size_t> shown_;  // identities on the page that was written last
  Failures objections_;          // to the page that was written last
  bool is_asked_ = false;
  bool is_repaired_ = false;
  int reviews_ = 0;
  bool is_judge_useful_ = true;
  std::set<std::size_t> judged_;  // identities
};

}  // namespace

std::unique_ptr<Writer> MakeModelWriter(const plan::Part& part, const PartInputs& inputs,
                                        const draft::Gathered& found, ModelAccess& models,
                                        runner::JobContext& context) {
  return std::make_unique<ModelWriter>(part, inputs, found, models, context);
}

}  // namespace sibyl::expansion
