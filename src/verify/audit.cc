// SPDX-License-Identifier: Apache-2.0
#include "verify/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/markdown_lines.h"
#include "verify/acronym.h"
#include "verify/attribution.h"
#include "verify/topic.h"

namespace sibyl::verify {

class Auditor::Run {
 public:
  Run(const Auditor& auditor, const AuditedText& text, const Statements& statements)
      : auditor_(auditor),
        text_(text),
        statements_(statements),
        lines_(text.text),
        topics_(auditor.witness_, statements, text.file),
        own_(CollectOwnNames(statements)) {}

  std::vector<Judgement> Take() {
    for (std::size_t i = 0; i < statements_.all.size(); ++i) JudgeStatement(i);
    return std::move(judgements_);
  }

 private:
  void JudgeStatement(std::size_t number) {
    const Statement& statement = statements_.all[number];
    const Topic topic = topics_.Of(number);
    if (statement.kind == StatementKind::kCode || statement.kind == StatementKind::kQuote) {
      if (const std::optional<Attribution> from = AttributionOf(statements_, number)) {
        for (JudgedQuote& judged : JudgeAttributed(statement, *from, auditor_.witness_, topic)) {
          Push(statement, judged.offset, std::move(judged.judgement));
        }
      }
    }
    for (JudgedQuote& judged : JudgeQuotations(statement, auditor_.witness_, topic)) {
      Push(statement, judged.offset, std::move(judged.judgement));
    }
    for (const Atom& atom : ExtractAtoms(statement)) {
      Push(statement, atom.offset, auditor_.names_.Judge(atom, topic, own_));
    }
    for (JudgedNumber& judged : auditor_.numbers_.Judge(statement)) {
      Push(statement, judged.offset, std::move(judged.judgement));
    }
    if (statement.kind == StatementKind::kCode) JudgeCode(statement);
    if (!statement.IsProse()) return;
    for (const SpelledOut& claim : FindSpelledOut(statement.text)) {
      Push(statement, claim.offset,
           ++abbreviations_ > kMaxAbbreviations ? TooManyAbbreviations(claim)
                                                : JudgeSpelledOut(claim, auditor_.witness_));
    }
  }

  // Each is looked up in thousands of passages.
  static constexpr std::size_t kMaxAbbreviations = 500;

  static Judgement TooManyAbbreviations(const SpelledOut& claim) {
    return {
        .code = "ident/unknown",
        .kind = "abbreviation",
        .text = fmt::format("{} ({})", claim.acronym, claim.words),
        .message = "not checked",
        .reason = fmt::format("the text spells out more than {} abbreviations", kMaxAbbreviations)};
  }

  void JudgeCode(const Statement& statement) {
    const CodeChecker& code = auditor_.code_ != nullptr ? *auditor_.code_ : auditor_.reading_;
    if (auto judgement = code.JudgeBlock(text_.file, statement)) {
      judgements_.push_back(*std::move(judgement));
    }
  }

  void Push(const Statement& statement, std::size_t offset, Judgement judgement) {
    const std::size_t at = SourceOffset(statement, offset);
    const std::size_t line = lines_.LineOf(at);
    judgement.place = {
        .file = std::string(text_.file), .line = line, .column = at - lines_.Start(line) + 1};
    judgements_.push_back(std::move(judgement));
  }

  const Auditor& auditor_;
  const AuditedText& text_;
  const Statements& statements_;
  MarkdownLines lines_;
  TopicReader topics_;
  OwnNames own_;
  std::vector<Judgement> judgements_;
  std::size_t abbreviations_ = 0;
};

Result<std::vector<Judgement>> Auditor::Audit(const AuditedText& text) const {
  const Statements statements = SIBYL_TRY(ReadStatements(text.text));
  return Run(*this, text, statements).Take();
}

}  // namespace sibyl::verify
