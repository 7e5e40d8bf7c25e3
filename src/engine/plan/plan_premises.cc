// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/plan_premises.h"

#include <string>

#include "audit/audit.h"
#include "base/strings.h"
#include "engine/audit_sources.h"
#include "engine/judgement_json.h"
#include "index/rank/searcher.h"

namespace sibyl::engine {
namespace {

// The plan's claims as a separate text: plans hide them in lists, in fenced
// blocks and in check boxes, where Markdown would read them as something else.
class Premises {
 public:
  void Add(std::string_view mark, std::string_view text, std::size_t line) {
    if (Trim(text).empty()) return;
    std::string flat(mark);
    for (const char c : text) flat += c == '\n' ? ' ' : c;
    text_ += flat + "\n\n";
    lines_.push_back({.line = line, .mark_bytes = mark.size()});
    lines_.push_back({});
  }

  const std::string& text() const { return text_; }

  /// Moves a judgement from here to the plan's line.
  void Place(std::string_view plan_text, statement::Judgement& judgement) const {
    const std::size_t here = judgement.place.line;
    if (here == 0 || here > lines_.size()) return;
    judgement.place.line = lines_[here - 1].line;
    judgement.place.column = 0;
    const std::vector<std::string_view> lines = SplitLines(plan_text);
    if (judgement.place.line == 0 || judgement.place.line > lines.size()) return;
    const std::string_view words = judgement.text;
    const std::size_t at = lines[judgement.place.line - 1].find(words.substr(0, words.find(" (")));
    if (at != std::string_view::npos) judgement.place.column = at + 1;
  }

 private:
  struct Origin {
    std::size_t line = 0;
    std::size_t mark_bytes = 0;
  };
  std::string text_;
  std::vector<Origin> lines_;  // of each line here, the plan's
};

Premises Collect(const plan::Plan& plan) {
  Premises premises;
  premises.Add("# ", plan.title.empty() ? plan.topic : plan.title, 1);
  for (const plan::Part& part : plan.parts) {
    premises.Add("## ", part.title, part.line);
    premises.Add("", part.goal, part.line);
    for (const plan::Section& section : part.sections) {
      premises.Add("### ", section.title, section.line);
      for (const plan::Text& point : section.points) premises.Add("- ", point.text, point.line);
    }
  }
  return premises;
}

}  // namespace

Result<std::vector<statement::Judgement>> JudgePremises(const oracle::PlanFile& file,
                                                        const plan::Plan& plan,
                                                        const oracle::SourceIndexes& indexes,
                                                        const evidence::Surroundings& around) {
  const Premises premises = Collect(plan);
  const index::Searcher searcher(indexes.Borrow());
  const audit::Witness witness(searcher, SIBYL_TRY(WitnessSources(indexes, around)));
  std::vector<statement::Judgement> judgements =
      SIBYL_TRY(audit::Auditor(witness).Audit({.file = file.name, .text = premises.text()}));
  for (statement::Judgement& judgement : judgements) premises.Place(file.text, judgement);
  AddLineTexts(file.text, judgements);
  return judgements;
}

}  // namespace sibyl::engine
