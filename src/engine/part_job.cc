// SPDX-License-Identifier: Apache-2.0
#include "engine/part_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.h"
#include "draft/extract.h"
#include "engine/model_part.h"

namespace sibyl::engine {
namespace {

// Each round leaves out at least one block, so a page that keeps being refused
// grows shorter; one that needs more rounds than this has another trouble.
constexpr int kMostRounds = 12;

class PartWriter {
 public:
  PartWriter(const plan::Part& part, const PartWorld& world, runner::JobContext& context)
      : part_(part), world_(world), context_(context) {}

  Result<draft::Draft> Go() {
    const draft::Gathered gathered = Gather();
    if (IsStopped()) return Stopped();
    if (world_.models != nullptr) {
      return WriteModelPart(part_, world_, gathered, *world_.models, context_);
    }
    for (int round = 0; round < kMostRounds; ++round) {
      draft::WrittenPage extracted = Write(gathered);
      const draft::Draft& draft = extracted.draft;
      if (draft::CoveredCount(draft) == 0) return NothingFound(draft);
      Report("checking", draft);
      verify::OraclePages pages(world_.oracle);
      verify::GateResult result = SIBYL_TRY(verify::Gate::Check(
          std::move(extracted.draft), {.resolver = world_.resolver, .oracle = pages}));
      if (result.passed()) {
        Report("checked", result.verified->draft());
        return result.verified->draft();
      }
      if (IsStopped()) return Stopped();
      if (!LeaveOut(extracted.blocks, result.failures)) return Refused(result.failures);
    }
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = "the gate refused every version of the page"};
  }

 private:
  bool IsStopped() const { return context_.stop().stop_requested(); }
  static Error Stopped() { return {.kind = ErrorKind::kCancelled, .message = "stopped"}; }

  draft::Gathered Gather() {
    std::size_t points = 0;
    const auto next = [&] {
      context_.Report(
          {.step = "gathering", .figures = {{"points", runner::FigureValue(points++)}}});
      return IsStopped();
    };
    const draft::GatherInputs inputs{.plan = world_.plan,
                                     .part = part_,
                                     .searcher = world_.searcher,
                                     .knowledge = world_.knowledge};
    draft::Gathered gathered = draft::Gather(
        inputs, {.lock = world_.lock, .attempt = context_.attempt(), .cancelled = next});
    for (const draft::GatheredSection& section : gathered.sections)
      points_ += section.points.size();
    return gathered;
  }

  draft::WrittenPage Write(const draft::Gathered& gathered) {
    context_.Report({.step = "writing", .figures = {{"points", runner::FigureValue(points_)}}});
    return draft::Extract(
        {.plan = world_.plan, .part = part_, .searcher = world_.searcher, .gathered = gathered},
        {.program = world_.program, .time = world_.time, .left_out = left_out_});
  }

  void Report(std::string step, const draft::Draft& draft) {
    std::size_t citations = 0;
    for (const draft::UsedSource& source : draft.sources) citations += source.citations;
    context_.Report({.step = std::move(step),
                     .figures = {{"points", runner::FigureValue(points_)},
                                 {"covered", runner::FigureValue(draft::CoveredCount(draft))},
                                 {"citations", runner::FigureValue(citations)},
                                 {"lines", runner::FigureValue(SplitLines(draft.text).size())}}});
  }

  static Error NothingFound(const draft::Draft& draft) {
    const std::size_t points = draft::PointCount(draft);
    std::string nearest;
    for (const draft::DraftSection& section : draft.sections) {
      for (const draft::Coverage& point : section.points) {
        if (nearest.empty()) nearest = point.nearest;
      }
    }
    return {.kind = ErrorKind::kNotFound,
            .message = fmt::format(
                "the pinned sources have nothing on {}{}",
                points == 1 ? "its only point" : fmt::format("any of its {} points", points),
                nearest.empty() ? "" : "; " + nearest)};
  }

  /// False when nothing that could be left out was refused.
  bool LeaveOut(const std::vector<draft::WrittenBlock>& blocks,
                const std::vector<verify::Judgement>& failures) {
    const std::size_t before = left_out_.size();
    for (const verify::Judgement& failure : failures) {
      const std::size_t line = failure.place.line;
      for (const draft::WrittenBlock& block : blocks) {
        if (line >= block.first_line && line <= block.last_line) left_out_.insert(block.key);
      }
    }
    return left_out_.size() > before;
  }

  static Error Refused(const std::vector<verify::Judgement>& failures) {
    const verify::Judgement& first = failures.front();
    return {.kind = ErrorKind::kCorrupt,
            .message = fmt::format("the gate refused line {}: {} [{}]", first.place.line,
                                   first.message, first.code)};
  }

  const plan::Part& part_;
  const PartWorld& world_;
  runner::JobContext& context_;
  std::size_t points_ = 0;
  std::set<std::string> left_out_;
};

}  // namespace

Result<draft::Draft> WritePart(const plan::Part& part, const PartWorld& world,
                               runner::JobContext& context) {
  return PartWriter(part, world, context).Go();
}

Result<verify::Verified> PassGate(draft::Draft draft, const PartWorld& world) {
  verify::OraclePages pages(world.oracle);
  const std::string path = draft.path;
  verify::GateResult result = SIBYL_TRY(
      verify::Gate::Check(std::move(draft), {.resolver = world.resolver, .oracle = pages}));
  if (result.passed()) return *std::move(result.verified);
  const verify::Judgement& first = result.failures.front();
  return Error{
      .kind = ErrorKind::kCorrupt,
      .message = fmt::format("{}:{}: {} [{}]", path, first.place.line, first.message, first.code)};
}

}  // namespace sibyl::engine
