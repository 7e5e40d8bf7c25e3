// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_answer.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/one_line.h"
#include "expansion/expansion_inputs.h"

namespace sibyl::expansion {
namespace {

constexpr std::size_t kAnswerLines = 25;

class Asking : public runner::JobContext {
 public:
  explicit Asking(const oracle::Context& context)
      : context_(context),
        stop_(context.catch_interrupt ? context.catch_interrupt() : std::stop_token()) {}

  int attempt() const override { return 1; }
  std::stop_token stop() const override { return stop_; }
  void Report(runner::Progress progress) override {
    if (context_.progress) context_.progress(progress.step);
  }

 private:
  const oracle::Context& context_;
  std::stop_token stop_;
};

// It becomes a heading of a page; a footnote in it would lead nowhere.
std::string HeadingOf(std::string_view question) {
  std::string text = OneLine(question);
  for (std::size_t at = text.find("[^"); at != std::string::npos; at = text.find("[^", at)) {
    text.erase(at + 1, 1);
  }
  return text;
}

plan::Plan PlanFor(const ModelQuestion& question) {
  plan::Part part;
  part.number = 1;
  part.title = "Answer";
  part.target = "answer.md";
  plan::Section section;
  section.title = "Answer";
  section.line_budget = kAnswerLines;
  section.points.push_back({.text = HeadingOf(question.text)});
  part.sections.push_back(std::move(section));
  plan::Plan plan;
  plan.topic = OneLine(question.topic);
  plan.parts.push_back(std::move(part));
  return plan;
}

}  // namespace

Result<draft::Draft> AnswerWithModel(const ModelQuestion& question,
                                     const ModelAnswerInputs& inputs) {
  const plan::Plan plan = PlanFor(question);
  // The oracle's pages are quoted beside it: what they cover is answered again from sources.
  const std::vector<draft::KnowledgeFile> no_pages;
  Asking asking(inputs.context);
  return WritePart(plan.parts.front(),
                   {.plan = plan,
                    .searcher = inputs.searcher,
                    .lock = inputs.lock,
                    .knowledge = no_pages,
                    .citations = inputs.citations,
                    .program = ProgramName(),
                    .time = inputs.context.clock.WrittenNow(),
                    .models = &inputs.models},
                   asking);
}

}  // namespace sibyl::expansion
