// SPDX-License-Identifier: Apache-2.0
#include "engine/model_part.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <utility>

#include "base/strings.h"
#include "draft/model_page.h"
#include "draft/model_prompt.h"
#include "draft/model_text.h"
#include "draft/title.h"

namespace sibyl::engine {
namespace {

using draft::ModelPoint;
using draft::ModelUnit;
using draft::UnitKind;

// Each round leaves something out, so a page that keeps being refused grows
// shorter.
constexpr int kMostModelRounds = 12;

std::string Purpose(const plan::Part& part, const PartWorld& world) {
  return world.plan.title + '\n' + part.target;
}

bool HasPassages(const std::vector<draft::PointPassages>& section) {
  return std::any_of(section.begin(), section.end(),
                     [](const draft::PointPassages& point) { return !point.empty(); });
}

// A statement that does not hold, by the name of its unit.
struct Failing {
  std::string unit;
  std::size_t section = 0;
  draft::Objection objection;
};

struct Checked {
  std::optional<draft::Draft> draft;  // it passed
  std::vector<Failing> failing;
  std::optional<verify::Judgement> unplaced;  // of nothing that could be left out
};

class ModelPartWriter {
 public:
  ModelPartWriter(const plan::Part& part, const PartWorld& world, const draft::Gathered& gathered,
                  ModelAccess& models, runner::JobContext& context)
      : part_(part),
        world_(world),
        gathered_(gathered),
        models_(models),
        context_(context),
        keys_(Purpose(part, world)),
        reader_(world.searcher),
        title_(draft::TitleOf(world.plan, part)) {}

  Result<draft::Draft> Go() {
    SIBYL_TRY(Outline());
    for (std::size_t s = 0; s < gathered_.sections.size(); ++s) SIBYL_TRY(WriteSection(s));
    SIBYL_TRY(RepairOnce());
    bool is_judged = models_.judge() == nullptr;
    for (int round = 0; round < kMostModelRounds; ++round) {
      Checked checked = SIBYL_TRY(Check());
      if (checked.draft && is_judged) return *std::move(checked.draft);
      if (checked.draft) {
        SIBYL_TRY(Judge());
        is_judged = true;
        continue;
      }
      if (checked.failing.empty()) return Refused(checked);
      for (const Failing& failing : checked.failing) left_out_.insert(failing.unit);
    }
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = "the gate refused every version of the page"};
  }

 private:
  void Report(std::string step) { context_.Report({.step = std::move(step)}); }

  Status Outline() {
    passages_ = draft::BestPassages(gathered_);
    written_.resize(passages_.size());
    for (std::size_t s = 0; s < passages_.size(); ++s) written_[s].resize(passages_[s].size());
    if (std::none_of(passages_.begin(), passages_.end(), HasPassages)) return {};
    Report("outlining");
    const model::Question question = draft::OutlineQuestion(title_, gathered_, keys_);
    const model::Answer answer = SIBYL_TRY(models_.writer().Ask(question, context_.stop()));
    passages_ = draft::ReadOutline(answer.text, gathered_, keys_);
    return {};
  }

  Status WriteSection(std::size_t s) {
    questions_.emplace_back();
    answers_.emplace_back();
    if (!HasPassages(passages_[s])) return {};
    Report(fmt::format("writing section {} of {}", s + 1, passages_.size()));
    const draft::GatheredSection& section = gathered_.sections[s];
    const draft::PageFrame frame(world_.plan, part_, {});
    questions_[s] = draft::SectionQuestion({.title = title_,
                                            .section = section,
                                            .passages = passages_[s],
                                            .lines = frame.Budget(gathered_, section)},
                                           keys_);
    return TakeAnswer(s, questions_[s]);
  }

  Status TakeAnswer(std::size_t s, const model::Question& question) {
    const model::Answer answer = SIBYL_TRY(models_.writer().Ask(question, context_.stop()));
    answers_[s] = answer.text;
    const bool is_refused = answer.end == model::End::kRefused;
    written_[s] = is_refused ? std::vector<ModelPoint>(written_[s].size())
                             : draft::ReadModelText(answer.text, written_[s].size());
    return {};
  }

  // What does not hold goes back once, section by section.
  Status RepairOnce() {
    const Checked checked = SIBYL_TRY(Check());
    std::map<std::size_t, std::vector<draft::Objection>> objections;
    for (const Failing& failing : checked.failing) {
      objections[failing.section].push_back(failing.objection);
    }
    for (const auto& [s, list] : objections) {
      Report(fmt::format("repairing section {}", s + 1));
      SIBYL_TRY(TakeAnswer(s, draft::RepairQuestion(questions_[s], answers_[s], list)));
    }
    return {};
  }

  draft::WrittenPage Compose() const {
    return draft::WriteModelPage({.plan = world_.plan,
                                  .part = part_,
                                  .searcher = world_.searcher,
                                  .gathered = gathered_,
                                  .keys = keys_,
                                  .written = written_},
                                 {.program = world_.program,
                                  .time = world_.time,
                                  .model = models_.writer().server().model,
                                  .left_out = left_out_});
  }

  template <typename Take>
  void ForEachUnit(const Take& take) const {
    for (std::size_t s = 0; s < written_.size(); ++s) {
      for (std::size_t p = 0; p < written_[s].size(); ++p) {
        for (std::size_t u = 0; u < written_[s][p].units.size(); ++u) {
          const std::string name = draft::UnitName(s, p, u);
          if (!left_out_.contains(name)) take(s, name, written_[s][p].units[u]);
        }
      }
    }
  }

  // What the gate does not ask of people's pages: a receipt behind everything,
  // and words that the cited lines have too.
  std::vector<Failing> OwnObjections() {
    std::vector<Failing> failing;
    ForEachUnit([&](std::size_t s, const std::string& name, const ModelUnit& unit) {
      const std::vector<draft::CitedLines> cited = draft::CitedBy(unit, keys_);
      std::string reason;
      if (cited.empty()) {
        reason = unit.marks.empty() ? "it has no key" : "its key is none of those you were shown";
      } else if (unit.kind != UnitKind::kCode &&
                 draft::WordSupport(reader_, unit, cited) < draft::kWordSupport) {
        reason = "the cited lines do not speak of this";
      } else {
        return;
      }
      failing.push_back({.unit = name, .section = s, .objection = {unit.text, reason}});
    });
    return failing;
  }

  Result<Checked> Check() {
    Checked checked{.failing = OwnObjections()};
    draft::WrittenPage page = Compose();
    if (draft::CoveredCount(page.draft) == 0 && checked.failing.empty()) {
      return Error{.kind = ErrorKind::kNotFound, .message = "nothing that the model wrote holds"};
    }
    context_.Report(
        {.step = "checking",
         .figures = {{"points", runner::FigureValue(draft::PointCount(page.draft))},
                     {"covered", runner::FigureValue(draft::CoveredCount(page.draft))},
                     {"lines", runner::FigureValue(SplitLines(page.draft.text).size())}}});
    verify::OraclePages pages(world_.oracle);
    const std::vector<draft::WrittenBlock> blocks = std::move(page.blocks);
    verify::GateResult result = SIBYL_TRY(
        verify::Gate::Check(std::move(page.draft), {.resolver = world_.resolver, .oracle = pages}));
    if (result.passed()) {
      if (checked.failing.empty()) checked.draft = result.verified->draft();
      return checked;
    }
    for (const verify::Judgement& failure : result.failures) AddFailure(failure, blocks, checked);
    return checked;
  }

  void AddFailure(const verify::Judgement& failure, const std::vector<draft::WrittenBlock>& blocks,
                  Checked& checked) const {
    const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& candidate) {
      return failure.place.line >= candidate.first_line &&
             failure.place.line <= candidate.last_line;
    });
    if (block == blocks.end()) {
      if (!checked.unplaced) checked.unplaced = failure;
      return;
    }
    std::string reason = failure.message;
    if (!failure.nearest.empty()) reason += fmt::format("; the source has {}", failure.nearest);
    ForEachUnit([&](std::size_t s, const std::string& name, const ModelUnit& unit) {
      if (name != block->key) return;
      checked.failing.push_back({.unit = name, .section = s, .objection = {unit.text, reason}});
    });
  }

  // Only lowers: what the judge does not confirm is left out, and what the gate
  // refused does not come to it.
  Status Judge() {
    std::vector<std::pair<std::string, model::Question>> asked;
    ForEachUnit([&](std::size_t, const std::string& name, const ModelUnit& unit) {
      if (unit.kind == UnitKind::kCode || unit.kind == UnitKind::kQuote) return;
      std::vector<std::string> lines;
      for (const draft::CitedLines& cited : draft::CitedBy(unit, keys_)) {
        lines.push_back(draft::TextOf(cited));
      }
      asked.emplace_back(name, draft::JudgeQuestion(unit.text, lines));
    });
    Report(fmt::format("judging {}", Count(asked.size(), "statement")));
    const std::vector<Result<model::Answer>> answers = AskJudge(asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (!answers[i].ok()) return answers[i].error();
      if (draft::ReadEntailment(answers[i]->text) != draft::Entailment::kSupported) {
        left_out_.insert(asked[i].first);
      }
    }
    return {};
  }

  // Side by side, as many as the server takes at once; none after one that
  // failed. Answers in the order of the questions.
  std::vector<Result<model::Answer>> AskJudge(
      const std::vector<std::pair<std::string, model::Question>>& asked) {
    const Error not_asked{.kind = ErrorKind::kUnavailable, .message = "the judge was not asked"};
    std::vector<Result<model::Answer>> answers(asked.size(), not_asked);
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> has_failed = false;
    const auto ask = [&] {
      for (std::size_t i = next++; i < asked.size() && !has_failed; i = next++) {
        answers[i] = models_.judge()->Ask(asked[i].second, context_.stop());
        if (!answers[i].ok()) has_failed = true;
      }
    };
    std::vector<std::jthread> threads;
    const std::size_t places = std::min(models_.judge()->server().at_once, asked.size());
    for (std::size_t i = 1; i < places; ++i) threads.emplace_back(ask);
    ask();
    threads.clear();  // waits for them
    return answers;
  }

  static Error Refused(const Checked& checked) {
    if (!checked.unplaced) return {.kind = ErrorKind::kCorrupt, .message = "the gate refused it"};
    return {
        .kind = ErrorKind::kCorrupt,
        .message = fmt::format("the gate refused line {}: {} [{}]", checked.unplaced->place.line,
                               checked.unplaced->message, checked.unplaced->code)};
  }

  const plan::Part& part_;
  const PartWorld& world_;
  const draft::Gathered& gathered_;
  ModelAccess& models_;
  runner::JobContext& context_;
  draft::PassageKeys keys_;
  draft::TermReader reader_;
  std::string title_;
  draft::PagePassages passages_;
  std::vector<model::Question> questions_;        // by section
  std::vector<std::string> answers_;              // by section
  std::vector<std::vector<ModelPoint>> written_;  // by section and point
  std::set<std::string> left_out_;
};

}  // namespace

Result<draft::Draft> WriteModelPart(const plan::Part& part, const PartWorld& world,
                                    const draft::Gathered& gathered, ModelAccess& models,
                                    runner::JobContext& context) {
  return ModelPartWriter(part, world, gathered, models, context).Go();
}

std::vector<model::Question> FirstQuestions(const plan::Part& part, const PartWorld& world,
                                            const draft::Gathered& gathered) {
  const draft::PagePassages passages = draft::BestPassages(gathered);
  if (std::none_of(passages.begin(), passages.end(), HasPassages)) return {};
  draft::PassageKeys keys(Purpose(part, world));
  const std::string title = draft::TitleOf(world.plan, part);
  const draft::PageFrame frame(world.plan, part, {});
  std::vector<model::Question> questions = {draft::OutlineQuestion(title, gathered, keys)};
  for (std::size_t s = 0; s < passages.size(); ++s) {
    if (!HasPassages(passages[s])) continue;
    const draft::GatheredSection& section = gathered.sections[s];
    questions.push_back(draft::SectionQuestion({.title = title,
                                                .section = section,
                                                .passages = passages[s],
                                                .lines = frame.Budget(gathered, section)},
                                               keys));
  }
  return questions;
}

}  // namespace sibyl::engine
