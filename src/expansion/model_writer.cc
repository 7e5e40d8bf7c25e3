// SPDX-License-Identifier: Apache-2.0
#include "expansion/model_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stop_token>
#include <utility>

#include "base/parallel.h"
#include "base/strings.h"
#include "base/telemetry/activity.h"
#include "draft/model/model_page.h"
#include "draft/model/model_prompt.h"
#include "draft/model/model_text.h"
#include "draft/title.h"

namespace sibyl::expansion {
namespace {

using draft::ModelPoint;
using draft::ModelUnit;
using draft::WrittenKind;

std::string Purpose(const plan::Part& part, const PartInputs& inputs) {
  return inputs.plan.title + '\n' + part.target;
}

bool HasPassages(const std::vector<draft::PointPassages>& section) {
  return std::any_of(section.begin(), section.end(),
                     [](const draft::PointPassages& point) { return !point.empty(); });
}

// Failed statements, by the name of their unit.
struct Failing {
  std::string unit;
  std::size_t section = 0;
  draft::Objection objection;
};

class ModelWriter : public Writer {
 public:
  ModelWriter(const plan::Part& part, const PartInputs& inputs, const draft::Gathered& gathered,
              ModelAccess& models, runner::JobContext& context)
      : part_(part),
        inputs_(inputs),
        gathered_(gathered),
        models_(models),
        context_(context),
        keys_(Purpose(part, inputs)),
        reader_(inputs.searcher),
        title_(draft::TitleOf(inputs.plan, part)) {}

  Result<draft::WrittenPage> Write() override {
    if (!is_asked_) SIBYL_TRY(AskForSections());
    is_asked_ = true;
    objections_ = OwnObjections();
    draft::WrittenPage page = Compose();
    if (draft::CoveredCount(page.draft) == 0 && objections_.empty()) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = "nothing that the model wrote passed the gate"};
    }
    return page;
  }

  bool HasObjections() const override { return !objections_.empty(); }

  // The first time failures are sent back to the model, section by section;
  // after that they are dropped.
  Result<bool> Revise(const draft::WrittenPage& page,
                      const std::vector<statement::Judgement>& failures) override {
    std::vector<Failing> failing = objections_;
    for (const statement::Judgement& failure : failures) AddFailure(failure, page.blocks, failing);
    if (failing.empty()) return false;
    if (!is_repaired_) {
      is_repaired_ = true;
      SIBYL_TRY(Repair(failing));
      return true;
    }
    for (const Failing& one : failing) left_out_.insert(one.unit);
    return true;
  }

  Result<bool> ReviewOnce() override {
    if (models_.judge() == nullptr || is_judged_) return false;
    is_judged_ = true;
    const std::size_t before = left_out_.size();
    SIBYL_TRY(Judge());
    return left_out_.size() > before;
  }

  std::vector<runner::Figure> Spent() const override {
    constexpr double kMillion = 1e6;
    const std::uint64_t tokens = usage_.input + usage_.output;
    if (tokens == 0) return {};
    std::vector<runner::Figure> spent{
        {.name = "tokens", .value = static_cast<std::int64_t>(tokens)}};
    const double cost = model::CostOf(usage_, models_.price());
    if (cost > 0) {
      spent.push_back(
          {.name = "cost_millionths", .value = static_cast<std::int64_t>(cost * kMillion)});
    }
    return spent;
  }

 private:
  void Report(std::string step) { context_.Report({.step = std::move(step), .figures = Spent()}); }

  // Answers from the cache cost nothing.
  void AddUsage(const model::Answer& answer) {
    if (answer.is_remembered) return;
    usage_.input += answer.usage.input;
    usage_.output += answer.usage.output;
  }

  Status AskForSections() {
    SIBYL_TRY(Outline());
    for (std::size_t s = 0; s < gathered_.sections.size(); ++s) SIBYL_TRY(WriteSection(s));
    return {};
  }

  Status Outline() {
    passages_ = draft::BestPassages(gathered_);
    written_.resize(passages_.size());
    for (std::size_t s = 0; s < passages_.size(); ++s) written_[s].resize(passages_[s].size());
    if (std::none_of(passages_.begin(), passages_.end(), HasPassages)) return {};
    Report("outlining");
    const model::Question question = draft::OutlineQuestion(title_, gathered_, keys_);
    const model::Answer answer = SIBYL_TRY(models_.writer().Ask(question, context_.stop()));
    AddUsage(answer);
    passages_ = draft::ReadOutline(answer.text, gathered_, keys_);
    return {};
  }

  Status WriteSection(std::size_t s) {
    questions_.emplace_back();
    answers_.emplace_back();
    if (!HasPassages(passages_[s])) return {};
    Report(fmt::format("writing section {} of {}", s + 1, passages_.size()));
    const draft::GatheredSection& section = gathered_.sections[s];
    const draft::PageFrame frame(inputs_.plan, part_, {});
    questions_[s] = draft::SectionQuestion({.title = title_,
                                            .section = section,
                                            .passages = passages_[s],
                                            .lines = frame.Budget(gathered_, section)},
                                           keys_);
    return TakeAnswer(s, questions_[s]);
  }

  Status TakeAnswer(std::size_t s, const model::Question& question) {
    const model::Answer answer = SIBYL_TRY(models_.writer().Ask(question, context_.stop()));
    AddUsage(answer);
    answers_[s] = answer.text;
    const bool is_refused = answer.end == model::End::kRefused;
    written_[s] = is_refused ? std::vector<ModelPoint>(written_[s].size())
                             : draft::ReadModelText(answer.text, written_[s].size());
    return {};
  }

  Status Repair(const std::vector<Failing>& failing) {
    std::map<std::size_t, std::vector<draft::Objection>> objections;
    for (const Failing& one : failing) objections[one.section].push_back(one.objection);
    for (const auto& [s, list] : objections) {
      Report(fmt::format("repairing section {}", s + 1));
      SIBYL_TRY(TakeAnswer(s, draft::RepairQuestion(questions_[s], answers_[s], list)));
    }
    return {};
  }

  draft::WrittenPage Compose() const {
    return draft::WriteModelPage({.plan = inputs_.plan,
                                  .part = part_,
                                  .searcher = inputs_.searcher,
                                  .gathered = gathered_,
                                  .keys = keys_,
                                  .written = written_},
                                 {.program = inputs_.program,
                                  .time = inputs_.time,
                                  .model = models_.writer().server().model,
                                  .left_out = left_out_,
                                  .find_words = inputs_.citations.words()});
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

  // Extra rules for models: everything needs a citation, and its words must
  // occur in the cited lines.
  std::vector<Failing> OwnObjections() {
    std::vector<Failing> failing;
    ForEachUnit([&](std::size_t s, const std::string& name, const ModelUnit& unit) {
      const std::vector<draft::CitedLines> cited = draft::CitedBy(unit, keys_);
      std::string reason;
      if (cited.empty()) {
        reason = unit.marks.empty() ? "it has no passage key"
                                    : "its key is not one of the passage keys you were given";
      } else if (unit.kind != WrittenKind::kCode &&
                 draft::WordSupport(reader_, unit, cited) < draft::kWordSupport) {
        reason = "the cited lines do not mention this";
      } else {
        return;
      }
      failing.push_back({.unit = name, .section = s, .objection = {unit.text, reason}});
    });
    return failing;
  }

  // Nothing for what is in none of the blocks.
  void AddFailure(const statement::Judgement& failure,
                  const std::vector<draft::WrittenBlock>& blocks,
                  std::vector<Failing>& failing) const {
    const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& candidate) {
      return failure.place.line >= candidate.first_line &&
             failure.place.line <= candidate.last_line;
    });
    if (block == blocks.end()) return;
    std::string reason = failure.message;
    if (!failure.nearest.empty()) reason += fmt::format("; the source has {}", failure.nearest);
    ForEachUnit([&](std::size_t s, const std::string& name, const ModelUnit& unit) {
      if (name != block->key) return;
      failing.push_back({.unit = name, .section = s, .objection = {unit.text, reason}});
    });
  }

  // Only removes: statements that the judge does not confirm are dropped, and
  // it never sees what the gate refused.
  Status Judge() {
    std::vector<std::pair<std::string, model::Question>> asked;
    ForEachUnit([&](std::size_t, const std::string& name, const ModelUnit& unit) {
      if (unit.kind == WrittenKind::kCode || unit.kind == WrittenKind::kQuote) return;
      std::vector<std::string> lines;
      for (const draft::CitedLines& cited : draft::CitedBy(unit, keys_)) {
        lines.push_back(draft::TextOf(cited));
      }
      asked.emplace_back(name, draft::JudgeQuestion(unit.text, lines));
    });
    Report(fmt::format("confirming {}", Count(asked.size(), "statement")));
    const std::vector<Result<model::Answer>> answers = AskJudge(asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (!answers[i].ok()) return answers[i].error();
      AddUsage(*answers[i]);
      if (draft::ReadEntailment(answers[i]->text) != draft::Entailment::kSupported) {
        left_out_.insert(asked[i].first);
      }
    }
    return {};
  }

  // In parallel, up to the server's limit; none after a failure. Answers in the
  // order of the requests.
  std::vector<Result<model::Answer>> AskJudge(
      const std::vector<std::pair<std::string, model::Question>>& asked) {
    const Error not_asked{.kind = ErrorKind::kUnavailable,
                          .message = "not confirmed: no model was asked"};
    std::vector<Result<model::Answer>> answers(asked.size(), not_asked);
    std::stop_source failed;
    const Activity activity = CurrentActivity();
    ForEachInParallel(asked.size(),
                      {.threads = std::max<std::size_t>(models_.judge()->server().at_once, 1),
                       .stop = failed.get_token()},
                      [&](std::size_t i) {
                        const ActivityScope scope(activity);
                        answers[i] = models_.judge()->Ask(asked[i].second, context_.stop());
                        if (!answers[i].ok()) failed.request_stop();
                      });
    return answers;
  }

  const plan::Part& part_;
  const PartInputs& inputs_;
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
  std::vector<Failing> objections_;  // to the page that was written last
  bool is_asked_ = false;
  bool is_repaired_ = false;
  bool is_judged_ = false;
  model::Usage usage_;
};

}  // namespace

std::unique_ptr<Writer> MakeModelWriter(const plan::Part& part, const PartInputs& inputs,
                                        const draft::Gathered& gathered, ModelAccess& models,
                                        runner::JobContext& context) {
  return std::make_unique<ModelWriter>(part, inputs, gathered, models, context);
}

std::vector<model::Question> FirstQuestions(const plan::Part& part, const PartInputs& inputs,
                                            const draft::Gathered& gathered) {
  const draft::PagePassages passages = draft::BestPassages(gathered);
  if (std::none_of(passages.begin(), passages.end(), HasPassages)) return {};
  draft::PassageKeys keys(Purpose(part, inputs));
  const std::string title = draft::TitleOf(inputs.plan, part);
  const draft::PageFrame frame(inputs.plan, part, {});
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

}  // namespace sibyl::expansion
