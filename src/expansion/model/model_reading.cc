// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "draft/model/search_prompt.h"
#include "draft/title.h"

namespace sibyl::expansion {
namespace {

// The last line of an answer that ended at its limit may be half of one.
std::string_view WholeLinesOf(const model::Answer& answer) {
  const std::string_view text = answer.text;
  if (answer.end != model::End::kLength) return text;
  const std::size_t end = text.rfind('\n');
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

}  // namespace

ModelReading::ModelReading(const plan::Part& part, const PartInputs& inputs,
                           runner::JobContext& context)
    : part_(part),
      inputs_(inputs),
      context_(context),
      title_(draft::TitleOf(inputs.plan, part)),
      keys_(inputs.plan.title + '\n' + part.target),
      reader_(inputs.searcher),
      files_(inputs.searcher) {}

std::vector<model::Question> ModelReading::SearchQuestions(const draft::Gathered& found) const {
  return draft::SearchQuestions(
      {.title = title_, .goal = part_.goal, .gathered = found, .lock = inputs_.lock});
}

Status ModelReading::Search(const draft::Gathered& found, ModelAsker& asker) {
  draft::PageSearches searches = draft::NoSearches(found);
  for (const model::Question& question : SearchQuestions(found)) {
    asker.Report("asking what to search for");
    const model::Answer answer = SIBYL_TRY(asker.Ask(Stage::kSearch, question));
    draft::ReadSearches(WholeLinesOf(answer), searches);
  }
  asker.Report("searching");
  SearchFor(std::move(searches));
  return {};
}

void ModelReading::SearchFor(draft::PageSearches searches) {
  searches_ = std::move(searches);
  gathered_ = draft::Gather({.plan = inputs_.plan,
                             .part = part_,
                             .searcher = inputs_.searcher,
                             .knowledge = inputs_.knowledge},
                            {.lock = inputs_.lock,
                             .attempt = context_.attempt(),
                             .cancelled = [this] { return context_.stop().stop_requested(); },
                             .records = inputs_.records,
                             .searches = &searches_});
  // A job that was stopped gathers less than it has points.
  gathered_.sections.resize(searches_.size());
  for (std::size_t s = 0; s < searches_.size(); ++s) {
    gathered_.sections[s].points.resize(searches_[s].size());
  }
  passages_.assign(gathered_.sections.size(), {});
  for (std::size_t s = 0; s < passages_.size(); ++s) {
    passages_[s].resize(gathered_.sections[s].points.size());
  }
  lines_left_.assign(gathered_.sections.size(), draft::kMoreLines);
}

draft::ReadingRequest ModelReading::RequestOf(std::size_t section) const {
  return {.title = title_, .section = gathered_.sections[section], .searches = searches_[section]};
}

bool ModelReading::HasHits(std::size_t section) const {
  const auto& points = gathered_.sections[section].points;
  return std::any_of(points.begin(), points.end(), [](const draft::GatheredPoint& point) {
    return !point.covered && !point.excerpts.empty();
  });
}

model::Question ModelReading::ReadingQuestion(std::size_t section) {
  return draft::ReadingQuestion(RequestOf(section), keys_, reader_);
}

Status ModelReading::Read(std::size_t section, ModelAsker& asker) {
  if (!HasHits(section)) return {};
  asker.Report(fmt::format("reading for section {} of {}", section + 1, passages_.size()));
  const model::Question question = ReadingQuestion(section);
  const model::Answer answer = SIBYL_TRY(asker.Ask(Stage::kReading, question));
  passages_[section] = draft::ReadReading(WholeLinesOf(answer), RequestOf(section), keys_,
                                          {.reader = reader_, .files = files_, .shown = shown_});
  return {};
}

void ModelReading::ReadBest(std::size_t section) {
  passages_[section] =
      draft::BestHits(RequestOf(section), {.reader = reader_, .files = files_, .shown = shown_});
}

const draft::Excerpt* ModelReading::More(std::size_t section, const std::string& mark) {
  return draft::MoreLines(mark, keys_, files_, lines_left_[section], shown_);
}

}  // namespace sibyl::expansion
