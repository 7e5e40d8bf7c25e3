// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_judging.h"

#include <fmt/format.h>

#include <utility>

#include "base/strings.h"
#include "draft/model/model_page.h"
#include "draft/model/prompt_text.h"

namespace sibyl::expansion {
namespace {

using draft::Entailment;

struct Verdicts {
  std::vector<std::optional<Entailment>> of_statements;
  draft::ControlCount controls;
};

Result<Verdicts> AskVerdicts(const std::vector<draft::JudgedStatement>& statements,
                             ModelAsker& asker) {
  const std::vector<draft::JudgeBatch> batches = draft::JudgeBatches(statements);
  std::vector<model::Question> questions;
  questions.reserve(batches.size());
  for (const draft::JudgeBatch& batch : batches) questions.push_back(batch.question);
  const std::vector<model::Answer> answers = SIBYL_TRY(asker.AskJudge(questions));
  Verdicts verdicts;
  verdicts.of_statements.resize(statements.size());
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const auto read = draft::ReadVerdicts(answers[b].text, batches[b].entries.size());
    verdicts.controls.Add(batches[b], read);
    for (std::size_t i = 0; i < read.size(); ++i) {
      const std::optional<std::size_t> statement = batches[b].entries[i].statement;
      if (statement) verdicts.of_statements[*statement] = read[i];
    }
  }
  return verdicts;
}

// Those without an answer once more, alone.
Status AskAgain(const std::vector<draft::JudgedStatement>& statements, ModelAsker& asker,
                Verdicts& verdicts) {
  std::vector<std::size_t> open;
  std::vector<draft::JudgedStatement> again;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (verdicts.of_statements[i]) continue;
    open.push_back(i);
    again.push_back(statements[i]);
  }
  // None at all is not an oversight.
  if (again.empty() || again.size() == statements.size()) return {};
  const Verdicts more = SIBYL_TRY(AskVerdicts(again, asker));
  for (std::size_t i = 0; i < open.size(); ++i) {
    verdicts.of_statements[open[i]] = more.of_statements[i];
  }
  return {};
}

draft::JudgedStatement StatementOf(const JudgedPageInputs& inputs, const draft::UnitPlace& place,
                                   const std::vector<draft::CitedLines>& cited) {
  draft::JudgedStatement statement{
      .text = inputs.manuscript.UnitAt(place).text,
      .place = draft::PlaceInPrompt(*cited.front().excerpt),
      .lines = {},
      .point = fmt::format("{} > {}", inputs.gathered.sections[place.section].title,
                           inputs.manuscript.TitleAt(place)),
      .before = inputs.manuscript.Before(place)};
  for (const draft::CitedLines& lines : cited) {
    if (&lines != &cited.front()) {
      statement.lines += fmt::format("and of {}:\n", draft::PlaceInPrompt(*lines.excerpt));
    }
    statement.lines += draft::LinesForJudge(lines);
  }
  return statement;
}

}  // namespace

Result<Judged> JudgeStatements(const std::vector<draft::JudgedStatement>& statements,
                               ModelAsker& asker) {
  Judged judged;
  judged.objections.resize(statements.size());
  if (statements.empty()) return judged;
  asker.Report(fmt::format("confirming {}", Count(statements.size(), "statement")));
  Verdicts verdicts = SIBYL_TRY(AskVerdicts(statements, asker));
  if (verdicts.controls.IsUseless()) {
    judged.useless = draft::WhyUseless(verdicts.controls);
    return judged;
  }
  SIBYL_TRY(AskAgain(statements, asker, verdicts));
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const std::optional<Entailment>& verdict = verdicts.of_statements[i];
    if (verdict == Entailment::kSupported) continue;
    judged.objections[i] = !verdict ? "the judge gave no answer"
                           : verdict == Entailment::kContradicted
                               ? "the judge: the cited lines contradict it"
                               : "the judge: the cited lines do not say all of it";
  }
  return judged;
}

Result<PageObjections> JudgePage(const JudgedPageInputs& inputs, ModelAsker& asker) {
  std::vector<std::size_t> ids;
  std::vector<draft::JudgedStatement> statements;
  inputs.manuscript.ForEachKept(
      [&](const draft::UnitPlace& place, const std::vector<std::size_t>&, std::size_t) {
        const draft::ModelUnit& unit = inputs.manuscript.UnitAt(place);
        const std::vector<draft::CitedLines> cited = draft::CitedBy(unit, inputs.keys);
        const bool is_literal =
            unit.kind == draft::WrittenKind::kCode || unit.kind == draft::WrittenKind::kQuote;
        if (!inputs.shown.contains(unit.id) || is_literal || cited.empty()) return;
        ids.push_back(unit.id);
        statements.push_back(StatementOf(inputs, place, cited));
      });
  Judged judged = SIBYL_TRY(JudgeStatements(statements, asker));
  PageObjections page{.objections = {}, .useless = std::move(judged.useless)};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (judged.objections[i]) page.objections.emplace(ids[i], *std::move(judged.objections[i]));
  }
  return page;
}

}  // namespace sibyl::expansion
