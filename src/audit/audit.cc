// SPDX-License-Identifier: Apache-2.0
#include "audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "audit/acronym.h"
#include "audit/attribution.h"
#include "audit/topic.h"
#include "base/markdown/markdown_lines.h"

namespace sibyl::audit {

class Auditor::Run {
 public:
  Run(const Auditor& auditor, const AuditedText& text, const statement::Statements& statements)
      : auditor_(auditor),
        text_(text),
        statements_(statements),
        lines_(text.text),
        topics_(auditor.witness_, statements, text.file),
        own_(statement::CollectOwnNames(statements)) {}

  std::vector<statement::Judgement> Take() {
    for (std::size_t i = 0; i < statements_.all.size(); ++i) JudgeStatement(i);
    // Each kind of thing was judged for itself.
    std::ranges::stable_sort(judgements_, {}, [](const statement::Judgement& judgement) {
      return std::pair(judgement.place.line, judgement.place.column);
    });
    return std::move(judgements_);
  }

 private:
  void JudgeStatement(std::size_t number) {
    const statement::Statement& statement = statements_.all[number];
    const Topic topic = topics_.Of(number);
    if (statement.kind == statement::StatementKind::kCode ||
        statement.kind == statement::StatementKind::kQuote) {
      if (const std::optional<Attribution> from = AttributionOf(statements_, number)) {
        for (JudgedQuote& judged : JudgeAttributed(statement, *from, auditor_.witness_, topic)) {
          Push(statement, judged.offset, std::move(judged.judgement));
        }
      }
    }
    for (JudgedQuote& judged : JudgeQuotations(statement, auditor_.witness_, topic)) {
      Push(statement, judged.offset, std::move(judged.judgement));
    }
    for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
      Push(statement, atom.offset, auditor_.names_.Judge(atom, topic, own_));
    }
    for (JudgedNumber& judged : auditor_.numbers_.Judge(statement)) {
      Push(statement, judged.offset, std::move(judged.judgement));
    }
    if (statement.kind == statement::StatementKind::kCode) JudgeCode(statement);
    if (!statement.IsProse()) return;
    for (const SpelledOut& claim : FindSpelledOut(statement.text)) {
      Push(statement, claim.offset,
           ++abbreviations_ > kMaxAbbreviations ? TooManyAbbreviations(claim)
                                                : JudgeSpelledOut(claim, auditor_.witness_));
    }
  }

  // Each is looked up in thousands of passages.
  static constexpr std::size_t kMaxAbbreviations = 500;

  static statement::Judgement TooManyAbbreviations(const SpelledOut& claim) {
    return {
        .code = "ident/unknown",
        .kind = "abbreviation",
        .text = fmt::format("{} ({})", claim.acronym, claim.words),
        .message = "not checked",
        .reason = fmt::format("the text expands more than {} abbreviations", kMaxAbbreviations)};
  }

  void JudgeCode(const statement::Statement& statement) {
    const code::CodeChecker& code = auditor_.code_ != nullptr ? *auditor_.code_ : auditor_.reading_;
    if (auto judgement = code.JudgeBlock(text_.file, statement)) {
      judgements_.push_back(*std::move(judgement));
    }
  }

  void Push(const statement::Statement& statement, std::size_t offset,
            statement::Judgement judgement) {
    const std::size_t at = statement::SourceOffset(statement, offset);
    const std::size_t line = lines_.LineOf(at);
    judgement.place = {
        .file = std::string(text_.file), .line = line, .column = at - lines_.Start(line) + 1};
    judgements_.push_back(std::move(judgement));
  }

  const Auditor& auditor_;
  const AuditedText& text_;
  const statement::Statements& statements_;
  MarkdownLines lines_;
  TopicReader topics_;
  statement::OwnNames own_;
  std::vector<statement::Judgement> judgements_;
  std::size_t abbreviations_ = 0;
};

Result<std::vector<statement::Judgement>> Auditor::Audit(const AuditedText& text) const {
  const statement::Statements statements = SIBYL_TRY(statement::ReadStatements(text.text));
  return Run(*this, text, statements).Take();
}

}  // namespace sibyl::audit
