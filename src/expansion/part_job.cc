// SPDX-License-Identifier: Apache-2.0
#include "expansion/part_job.h"

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "base/strings.h"
#include "expansion/draft_payload.h"
#include "expansion/extract_writer.h"
#include "expansion/model/model_writer.h"
#include "expansion/writer.h"

namespace sibyl::expansion {
namespace {

draft::Gathered GatherFor(const plan::Part& part, const PartInputs& inputs,
                          runner::JobContext& context) {
  std::size_t points = 0;
  const auto next = [&] {
    context.Report({.step = "gathering", .figures = {{"points", runner::FigureValue(points++)}}});
    return context.stop().stop_requested();
  };
  const draft::GatherInputs from{.plan = inputs.plan,
                                 .part = part,
                                 .searcher = inputs.searcher,
                                 .knowledge = inputs.knowledge};
  const draft::GatherOptions options{.lock = inputs.lock,
                                     .attempt = context.attempt(),
                                     .cancelled = next,
                                     .records = inputs.records};
  // A model reads passages; the offline writer quotes what answers.
  return inputs.models != nullptr ? draft::Gather(from, options)
                                  : draft::GatherAnswers(from, options);
}

void ReportDraft(std::string_view step, const draft::Draft& draft,
                 const std::vector<runner::Figure>& more, runner::JobContext& context) {
  std::size_t citations = 0;
  for (const draft::UsedSource& source : draft.sources) citations += source.citations;
  runner::Progress progress{
      .step = std::string(step),
      .figures = {{"points", runner::FigureValue(draft::PointCount(draft))},
                  {"covered", runner::FigureValue(draft::CoveredCount(draft))},
                  {"citations", runner::FigureValue(citations)},
                  {"lines", runner::FigureValue(SplitLines(draft.text).size())}}};
  progress.figures.insert(progress.figures.end(), more.begin(), more.end());
  context.Report(std::move(progress));
}

// Adds to every report of a writer what the gate has refused so far, and reports it at once: a
// writer may then work for minutes.
class WithFindings : public runner::JobContext {
 public:
  explicit WithFindings(runner::JobContext& job) : job_(job) {}

  int attempt() const override { return job_.attempt(); }
  std::stop_token stop() const override { return job_.stop(); }
  void Report(runner::Progress progress) override {
    const MutexLock lock(mutex_);
    last_ = std::move(progress);
    Send();
  }
  void Keep(std::string payload) override { job_.Keep(std::move(payload)); }
  std::string_view kept_before() const override { return job_.kept_before(); }

  void Refuse(const std::vector<statement::Judgement>& failures) {
    const MutexLock lock(mutex_);
    refused_ += failures.size();
    if (!failures.empty()) findings_ = NewestFindings(failures);
    Send();
  }

 private:
  void Send() SIBYL_REQUIRES(mutex_) {
    runner::Progress progress = last_;
    if (refused_ > 0) {
      progress.figures.push_back({.name = "refused", .value = runner::FigureValue(refused_)});
    }
    progress.findings = findings_;
    job_.Report(std::move(progress));
  }

  runner::JobContext& job_;
  Mutex mutex_;
  runner::Progress last_ SIBYL_GUARDED_BY(mutex_);
  std::size_t refused_ SIBYL_GUARDED_BY(mutex_) = 0;
  std::vector<std::string> findings_ SIBYL_GUARDED_BY(mutex_);
};

std::unique_ptr<Writer> WriterFor(const plan::Part& part, const PartInputs& inputs,
                                  const draft::Gathered& gathered, runner::JobContext& context) {
  if (inputs.models != nullptr) {
    return MakeModelWriter(part, inputs, gathered, *inputs.models, context);
  }
  return std::make_unique<ExtractWriter>(part, inputs, gathered);
}

}  // namespace

Result<draft::Draft> WritePart(const plan::Part& part, const PartInputs& inputs,
                               runner::JobContext& context) {
  const draft::Gathered gathered = GatherFor(part, inputs, context);
  const auto is_stopped = [&] { return context.stop().stop_requested(); };
  if (is_stopped()) return Error{.kind = ErrorKind::kCancelled, .message = "stopped"};
  std::size_t points = 0;
  for (const draft::GatheredSection& section : gathered.sections) points += section.points.size();
  WithFindings watched(context);
  watched.Report({.step = "writing", .figures = {{"points", runner::FigureValue(points)}}});
  const std::unique_ptr<Writer> writer = WriterFor(part, inputs, gathered, watched);
  const auto report = [&](std::string_view step, const draft::Draft& draft) {
    std::vector<runner::Figure> more = writer->Spent();
    if (step == "checked") {
      for (runner::Figure& figure : writer->Used()) more.push_back(std::move(figure));
    }
    ReportDraft(step, draft, more, watched);
  };
  const CheckOptions options{.progress = report,
                             .refused = [&](const auto& failures) { watched.Refuse(failures); },
                             .cancelled = is_stopped};
  Result<CheckedPage> page = WriteUntilItHolds(*writer, inputs.citations, options);
  if (page.ok() && page->verified) return page->verified->draft();
  Error error = page.ok() ? RefusedByGate(page->failures) : page.error();
  // What was written is in the report even if no page comes of it.
  std::vector<draft::Omission> losses = writer->Losses(error.message);
  if (!losses.empty() && error.kind != ErrorKind::kCancelled) {
    context.Keep(FormatDraft({.path = part.target, .omissions = std::move(losses)}));
  }
  return error;
}

Result<gate::Verified> PassGate(draft::Draft draft, const PartInputs& inputs,
                                const oracle::CitationSources::Linkable& linkable) {
  const std::string path = draft.path;
  gate::GateResult result = SIBYL_TRY(inputs.citations.Check(std::move(draft), linkable));
  if (result.passed()) return *std::move(result.verified);
  const statement::Judgement& first = result.failures.front();
  return Error{
      .kind = ErrorKind::kCorrupt,
      .message = fmt::format("{}:{}: {} [{}]", path, first.place.line, first.message, first.code)};
}

}  // namespace sibyl::expansion
