// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_asker.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>

#include "base/parallel.h"
#include "base/telemetry/activity.h"

namespace sibyl::expansion {

void ModelAsker::Add(Stage stage, const model::Answer& answer) {
  StageUse& use = stages_[static_cast<std::size_t>(stage)];
  ++use.requests;
  use.usage.input += answer.usage.input;
  use.usage.output += answer.usage.output;
  if (answer.is_remembered) return;
  usage_.input += answer.usage.input;
  usage_.output += answer.usage.output;
}

void ModelAsker::Report(std::string step) {
  step_ = std::move(step);
  context_.Report({.step = step_, .figures = Spent()});
}

void ModelAsker::WaitFor(const std::string& what) {
  context_.Report({.step = what.empty() ? step_ : what, .figures = Spent()});
}

Result<model::Answer> ModelAsker::Ask(Stage stage, const model::Question& question) {
  Result<model::Answer> answer = models_.writer().Ask(question, context_.stop(), this);
  if (!answer.ok()) {
    kept_.SaveNow();
    return answer;
  }
  kept_.Save();
  Add(stage, *answer);
  return answer;
}

Result<std::vector<model::Answer>> ModelAsker::AskJudge(
    const std::vector<model::Question>& questions) {
  const Error not_asked{.kind = ErrorKind::kUnavailable,
                        .message = "not confirmed: no model was asked"};
  std::vector<Result<model::Answer>> results(questions.size(), not_asked);
  std::stop_source failed;
  const Activity& activity = CurrentActivity();
  ForEachInParallel(questions.size(),
                    {.threads = std::max<std::size_t>(models_.judge()->server().at_once, 1),
                     .stop = failed.get_token()},
                    [&](std::size_t i) {
                      const ActivityScope scope(activity);
                      results[i] = models_.judge()->Ask(questions[i], context_.stop(), this);
                      if (!results[i].ok()) failed.request_stop();
                    });
  std::vector<model::Answer> answers;
  if (failed.stop_requested()) kept_.SaveNow();
  for (Result<model::Answer>& result : results) {
    if (!result.ok() && result.error().message != not_asked.message) return result.error();
  }
  for (Result<model::Answer>& result : results) {
    if (!result.ok()) return result.error();
    Add(Stage::kJudging, *result);
    answers.push_back(std::move(result).value());
  }
  kept_.Save();
  return answers;
}

std::vector<runner::Figure> ModelAsker::Spent() const {
  constexpr double kMillion = 1e6;
  const std::uint64_t tokens = usage_.input + usage_.output;
  if (tokens == 0) return {};
  std::vector<runner::Figure> spent{{.name = "tokens", .value = static_cast<std::int64_t>(tokens)}};
  const double cost = model::CostOf(usage_, models_.price());
  if (cost > 0) {
    spent.push_back(
        {.name = "cost_millionths", .value = static_cast<std::int64_t>(cost * kMillion)});
  }
  return spent;
}

}  // namespace sibyl::expansion
