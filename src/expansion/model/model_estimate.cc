// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_estimate.h"

#include <algorithm>
#include <cmath>
#include <stop_token>

#include "draft/model/judge_prompt.h"
#include "draft/model/model_prompt.h"
#include "draft/model/search_prompt.h"
#include "draft/page_frame.h"
#include "expansion/model/model_reading.h"
#include "model/model_budget.h"

namespace sibyl::expansion {
namespace {

// Measured on the parts of bench/RESULTS.md, in tokens.
constexpr double kSearchAnswer = 75;      // for a point
constexpr double kReadingAnswer = 22;     // for a point
constexpr double kPassages = 0.88;        // of the best hits: what is chosen of them
constexpr double kPointWritten = 215;     // for a point with passages
constexpr double kLineWritten = 32;       // for a line, where the plan gives few
constexpr double kSentBack = 0.12;        // of what was written
constexpr double kRepairPassages = 0.12;  // of the passages of a section
constexpr double kRules = 700;            // of a repair
constexpr double kStatement = 44;         // that was written, on the average
constexpr double kJudgedInput = 190;      // a statement with its lines
constexpr double kJudgedOutput = 5;
constexpr double kStatementsOfBatch = 16;
constexpr double kJudgeRules = 330;

// A job that nobody watches.
class Unwatched : public runner::JobContext {
 public:
  int attempt() const override { return 1; }
  std::stop_token stop() const override { return {}; }
  void Report(runner::Progress /*progress*/) override {}
};

std::uint64_t Tokens(double tokens) { return static_cast<std::uint64_t>(std::llround(tokens)); }

class Estimate {
 public:
  Estimate(const plan::Part& part, const PartInputs& inputs, Judging judging)
      : part_(part), inputs_(inputs), judging_(judging), reading_(part, inputs, job_) {}

  std::vector<ExpectedRequests> Make() {
    const draft::Gathered found = draft::Gather({.plan = inputs_.plan,
                                                 .part = part_,
                                                 .searcher = inputs_.searcher,
                                                 .knowledge = inputs_.knowledge},
                                                {.lock = inputs_.lock});
    for (const auto& section : found.sections) points_ += CountOpen(section);
    if (points_ == 0) return {};
    const auto searches = reading_.SearchQuestions(found);
    for (const model::Question& question : searches) {
      Add(search_, question,
          kSearchAnswer * static_cast<double>(points_) / static_cast<double>(searches.size()));
    }
    reading_.SearchFor(draft::NoSearches(found));
    for (std::size_t s = 0; s < reading_.gathered().sections.size(); ++s) AddSection(s);
    AddJudging();
    std::vector<ExpectedRequests> all = {search_, read_, write_, repair_};
    if (judging_ == Judging::kWithModel) all.push_back(judge_);
    return all;
  }

 private:
  static std::size_t CountOpen(const draft::GatheredSection& section) {
    return static_cast<std::size_t>(
        std::count_if(section.points.begin(), section.points.end(),
                      [](const draft::GatheredPoint& point) { return !point.covered; }));
  }

  static void Add(ExpectedRequests& stage, const model::Question& question, double answer,
                  double share = 1) {
    const model::Usage likely = model::LikelyUsage(question);
    const model::Usage most = model::MostUsage(question);
    ++stage.count;
    stage.likely.input += Tokens(share * static_cast<double>(likely.input));
    stage.likely.output += Tokens(answer);
    stage.most.input += most.input;
    stage.most.output += most.output;
  }

  void AddSection(std::size_t s) {
    const draft::GatheredSection& section = reading_.gathered().sections[s];
    const auto open = static_cast<double>(CountOpen(section));
    if (open == 0 || !reading_.HasHits(s)) return;
    Add(read_, reading_.ReadingQuestion(s), kReadingAnswer * open);
    reading_.ReadBest(s);
    const draft::PageFrame frame(inputs_.plan, part_, {});
    const std::size_t lines = frame.Budget(reading_.gathered(), section);
    const model::Question question = draft::SectionQuestion({.title = reading_.title(),
                                                             .section = section,
                                                             .passages = reading_.passages(s),
                                                             .lines = lines},
                                                            reading_.keys());
    const double written =
        std::min(kPointWritten * open, kLineWritten * static_cast<double>(lines));
    Add(write_, question, written, kPassages);
    most_lines_ += lines;
    written_ += written;
    const auto passages = static_cast<double>(model::LikelyUsage(question).input);
    const double sent_back = kSentBack * written;
    ++repair_.count;
    repair_.likely.input += Tokens(kRules + kRepairPassages * passages + 2 * sent_back);
    repair_.likely.output += Tokens(sent_back);
    const model::Usage most = model::MostUsage(question);
    repair_.most.input += most.input + most.output;
    repair_.most.output += most.output;
  }

  void AddJudging() {
    const double statements = written_ / kStatement;
    const double batches = std::ceil(statements / kStatementsOfBatch);
    const double entries = statements + 2 * batches;
    judge_.count = static_cast<std::size_t>(batches);
    judge_.likely.input = Tokens(kJudgeRules * batches + kJudgedInput * entries);
    judge_.likely.output = Tokens(kJudgedOutput * entries);
    // Each statement has a line of the page, and may be asked about twice.
    constexpr std::uint64_t kMostOfOne = draft::kMostJudgedBytes + 1'000;
    const std::size_t most_statements = part_.line_budget.value_or(most_lines_);
    judge_.most.input = 2 * most_statements * kMostOfOne;
    judge_.most.output = 2 * most_statements * 12;
  }

  const plan::Part& part_;
  const PartInputs& inputs_;
  Judging judging_;
  Unwatched job_;
  ModelReading reading_;
  std::size_t points_ = 0;
  double written_ = 0;  // tokens
  std::size_t most_lines_ = 0;
  ExpectedRequests search_{.stage = "search"};
  ExpectedRequests read_{.stage = "reading"};
  ExpectedRequests write_{.stage = "writing"};
  ExpectedRequests repair_{.stage = "repair"};
  ExpectedRequests judge_{.stage = "judging"};
};

}  // namespace

std::vector<ExpectedRequests> ExpectRequests(const plan::Part& part, const PartInputs& inputs,
                                             Judging judging) {
  return Estimate(part, inputs, judging).Make();
}

}  // namespace sibyl::expansion
