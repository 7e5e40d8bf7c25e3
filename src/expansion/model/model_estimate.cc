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

// A line of a page has no more tokens on the average, with its keys.
constexpr double kMostOfLine = 40;

// A job that nobody watches.
class Unwatched : public runner::JobContext {
 public:
  int attempt() const override { return 1; }
  std::stop_token stop() const override { return {}; }
  void Report(runner::Progress /*progress*/) override {}
};

std::uint64_t Tokens(double tokens) { return static_cast<std::uint64_t>(std::llround(tokens)); }

void Add(const model::Usage& usage, model::Usage& sum) {
  sum.input += usage.input;
  sum.output += usage.output;
}

class Sizer {
 public:
  Sizer(const plan::Part& part, const PartInputs& inputs)
      : part_(part), inputs_(inputs), reading_(part, inputs, job_) {}

  PartSize Make() {
    const draft::Gathered found = draft::Gather({.plan = inputs_.plan,
                                                 .part = part_,
                                                 .searcher = inputs_.searcher,
                                                 .knowledge = inputs_.knowledge},
                                                {.lock = inputs_.lock});
    PartSize size;
    for (const auto& section : found.sections) size.points += CountOpen(section);
    if (size.points == 0) return size;
    for (const model::Question& question : reading_.SearchQuestions(found)) {
      ++size.search_requests;
      Add(model::LikelyUsage(question), size.search);
      Add(model::MostUsage(question), size.search_most);
    }
    reading_.SearchFor(draft::NoSearches(found));
    for (std::size_t s = 0; s < reading_.gathered().sections.size(); ++s) {
      if (CountOpen(reading_.gathered().sections[s]) == 0 || !reading_.HasHits(s)) continue;
      size.sections.push_back(SizeOfSection(s));
      size.lines += size.sections.back().lines;
    }
    size.lines = part_.line_budget.value_or(size.lines);
    return size;
  }

 private:
  static std::size_t CountOpen(const draft::GatheredSection& section) {
    return static_cast<std::size_t>(
        std::count_if(section.points.begin(), section.points.end(),
                      [](const draft::GatheredPoint& point) { return !point.covered; }));
  }

  SectionSize SizeOfSection(std::size_t s) {
    const draft::GatheredSection& section = reading_.gathered().sections[s];
    SectionSize size{.points = CountOpen(section)};
    const model::Question question = reading_.ReadingQuestion(s);
    size.reading = model::LikelyUsage(question);
    size.reading_most = model::MostUsage(question);
    for (const draft::GatheredPoint& point : section.points) {
      if (!point.covered) size.hits.push_back(point.excerpts.size());
    }
    const draft::PageFrame frame(inputs_.plan, part_, {});
    size.lines = frame.Budget(reading_.gathered(), section);
    reading_.ReadBest(s);
    const std::vector<draft::PointPassages>& best = reading_.passages(s);
    const std::vector<draft::PointPassages> none(best.size());
    std::size_t shown = 0;
    for (const draft::PointPassages& passages : best) shown += passages.size();
    const model::Question writing = Writing(section, best, size.lines);
    size.writing_most = model::MostUsage(writing);
    size.rules = static_cast<double>(model::LikelyUsage(Writing(section, none, size.lines)).input);
    const double all = static_cast<double>(model::LikelyUsage(writing).input);
    if (shown > 0) size.passage = (all - size.rules) / static_cast<double>(shown);
    return size;
  }

  model::Question Writing(const draft::GatheredSection& section,
                          const std::vector<draft::PointPassages>& passages, std::size_t lines) {
    return draft::SectionQuestion(
        {.title = reading_.title(), .section = section, .passages = passages, .lines = lines},
        reading_.keys());
  }

  const plan::Part& part_;
  const PartInputs& inputs_;
  Unwatched job_;
  ModelReading reading_;
};

ExpectedRequests ExpectedJudging(const PartSize& size, const Rates& rates, double written) {
  ExpectedRequests judging{.stage = Stage::kJudging};
  judging.count = static_cast<std::size_t>(std::ceil(rates.judge_requests * written));
  judging.likely = {.input = Tokens(rates.judged_input * written),
                    .output = Tokens(rates.judged_output * written)};
  // Each statement has a line of the page, and may be asked about twice.
  constexpr std::uint64_t kMostOfOne = draft::kMostJudgedBytes + 1'000;
  judging.most = {.input = 2 * size.lines * kMostOfOne, .output = 2 * size.lines * 12};
  return judging;
}

}  // namespace

PartSize SizeOf(const plan::Part& part, const PartInputs& inputs) {
  return Sizer(part, inputs).Make();
}

std::vector<ExpectedRequests> ExpectRequests(const PartSize& size, const Rates& rates,
                                             Judging judging) {
  if (size.points == 0) return {};
  ExpectedRequests search{.stage = Stage::kSearch,
                          .count = size.search_requests,
                          .likely = size.search,
                          .most = size.search_most};
  search.likely.output = Tokens(rates.search_answer * static_cast<double>(size.points));
  ExpectedRequests reading{.stage = Stage::kReading, .count = size.sections.size()};
  ExpectedRequests writing{.stage = Stage::kWriting, .count = size.sections.size()};
  ExpectedRequests repair{.stage = Stage::kRepair, .count = size.sections.size()};
  double read = 0;
  double written = 0;
  for (const SectionSize& section : size.sections) {
    const auto points = static_cast<double>(section.points);
    reading.likely.input += section.reading.input;
    reading.likely.output += Tokens(rates.reading_answer * points);
    Add(section.reading_most, reading.most);
    double passages = 0;
    for (const std::size_t hits : section.hits) {
      passages += std::min(rates.passages, static_cast<double>(hits));
    }
    read += section.rules + passages * section.passage;
    written += std::min(rates.written * points, kMostOfLine * static_cast<double>(section.lines));
    Add(section.writing_most, writing.most);
    repair.most.input += section.writing_most.input + section.writing_most.output;
    repair.most.output += section.writing_most.output;
  }
  writing.likely = {.input = Tokens(read), .output = Tokens(written)};
  repair.likely = {.input = Tokens(rates.repair_input * read),
                   .output = Tokens(rates.repair_output * written)};
  std::vector<ExpectedRequests> all = {search, reading, writing, repair};
  if (judging == Judging::kWithModel) all.push_back(ExpectedJudging(size, rates, written));
  return all;
}

}  // namespace sibyl::expansion
