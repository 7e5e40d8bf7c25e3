// SPDX-License-Identifier: Apache-2.0
#include "audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "audit/acronym.h"
#include "audit/facts/field_judge.h"
#include "audit/facts/format_judge.h"
#include "audit/facts/image_judge.h"
#include "audit/owners/closed_text.h"
#include "audit/owners/cmake_code.h"
#include "audit/owners/member_claim.h"
#include "audit/owners/name_group.h"
#include "audit/owners/path_group.h"
#include "audit/quotes/attribution.h"
#include "audit/standing.h"
#include "audit/topic.h"
#include "base/markdown/markdown_lines.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::audit {

namespace {

// Whether a sentence is about the writer's own things before the byte: "our fork
// adds `X`".
bool SaysOwn(const statement::Statement& statement, std::size_t offset) {
  if (!statement.IsProse()) return false;
  constexpr std::size_t kNear = 200;
  const std::size_t first = offset > kNear ? offset - kNear : 0;
  const std::string_view before = std::string_view(statement.text).substr(first, offset - first);
  for (const std::string_view word : {"our", "Our", "my", "My", "mine", "ours"}) {
    if (FindWholeWord(before, word)) return true;
  }
  return false;
}

// "`__cudaRegister*`": what is before the mark is the start of several names.
bool IsPattern(std::string_view text, std::size_t end) {
  return end < text.size() && (text[end] == '*' || (text[end] == '<' && text[end - 1] == '_'));
}

// "it warns that", "it says:"
bool SaysIt(std::string_view text) {
  const std::string lower = " " + LowerCase(text);
  for (const std::string_view verb :
       {"says", "warns", "states", "adds", "reads", "notes", "explains", "puts", "writes"}) {
    if (lower.find(" it " + std::string(verb)) != lower.npos) return true;
  }
  return false;
}

}  // namespace

class Auditor::Run {
 public:
  Run(const Auditor& auditor, const AuditedText& text, const statement::Statements& statements)
      : auditor_(auditor),
        text_(text),
        statements_(statements),
        lines_(text.text),
        topics_(auditor.witness_, statements, text.file),
        own_(statement::CollectOwnNames(statements)),
        claims_(statements, own_),
        tools_(statements),
        standing_(statements),
        closed_(statements, auditor.witness_, own_,
                [this](const statement::Atom& atom, std::size_t number) {
                  return VerdictOf(atom, number);
                }),
        groups_(FindNameGroups(statements)) {
    std::size_t first = statements.all.size();
    first_of_rest_.resize(groups_.size());
    for (std::size_t i = groups_.size(); i-- > 0;) {
      first = std::min(first, groups_[i].names.front().statement);
      first_of_rest_[i] = first;
    }
  }

  std::vector<statement::Judgement> Take() {
    for (std::size_t i = 0; i < statements_.all.size(); ++i) {
      if (!JudgeGroupsUpTo(i)) {
        AddUnfinished(i);
        break;
      }
      JudgeStatement(i);
    }
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
      } else if (statement.kind == statement::StatementKind::kQuote) {
        for (JudgedQuote& judged :
             JudgeUnfiledBlock(statement, WordsBefore(number), auditor_.witness_, topic)) {
          Push(statement, judged.offset, std::move(judged.judgement));
        }
      }
    }
    for (JudgedQuote& judged :
         JudgeQuotations(statement, WordsBefore(number), auditor_.witness_, topic)) {
      Push(statement, judged.offset, std::move(judged.judgement));
    }
    for (JudgedQuote& judged : JudgeInlineCode(statement, auditor_.witness_, topic)) {
      Push(statement, judged.offset, std::move(judged.judgement));
    }
    const std::set<std::size_t> wrong = JudgeFacts(number);
    JudgeNames(number, topic, wrong);
    for (JudgedNumber& judged : auditor_.defaults_.Judge(statements_, number, topic)) {
      PushUnlessPast(number, judged);
    }
    for (JudgedNumber& judged : auditor_.versions_.Judge(statement, topic)) {
      PushUnlessPast(number, judged);
    }
    for (JudgedNumber& judged : auditor_.numbers_.Judge(statement)) PushUnlessPast(number, judged);
    if (statement.kind == statement::StatementKind::kCode) JudgeCode(statement);
    if (!statement.IsProse()) return;
    for (const SpelledOut& claim : FindSpelledOut(statement.text)) {
      Push(statement, claim.offset,
           ++abbreviations_ > kMaxAbbreviations ? TooManyAbbreviations(claim)
                                                : JudgeSpelledOut(claim, auditor_.witness_));
    }
  }

  // Those that a statement is in, and in the order of the groups those before them. As late as
  // possible: a text that is ended early has its first lines checked. False: it is over.
  bool JudgeGroupsUpTo(std::size_t number) {
    const auto is_over = [this] { return text_.is_over && text_.is_over(); };
    while (next_group_ < groups_.size() && first_of_rest_[next_group_] <= number && !is_over()) {
      JudgeGroup(groups_[next_group_++],
                 {auditor_.witness_, auditor_.names_.members(), topics_, own_}, in_groups_);
    }
    return !is_over();
  }

  void AddUnfinished(std::size_t number) {
    const std::size_t lines =
        static_cast<std::size_t>(std::count(text_.text.begin(), text_.text.end(), '\n'));
    const statement::Statement& next = statements_.all[number];
    Push(next, 0,
         {.code = "audit/unfinished",
          .message = fmt::format("not checked: the time was up at line {} of {}",
                                 next.span.first_line, std::max(lines, next.span.first_line)),
          .reason = "checking a long text takes long"});
  }

  // The sentence before, in the same section; for "it says", what "it" is may be further above.
  std::string WordsBefore(std::size_t number) const {
    constexpr std::size_t kFurthest = 8;
    const statement::Statement& here = statements_.all[number];
    const bool is_pronoun = SaysIt(here.text);
    std::string words;
    for (std::size_t i = number; i-- > 0 && number - i <= (is_pronoun ? kFurthest : 1);) {
      const statement::Statement& before = statements_.all[i];
      if (before.heading != here.heading || !before.IsProse()) break;
      words.insert(0, " ").insert(0, before.text);
    }
    return words;
  }

  // Returns where wrong facts are.
  std::set<std::size_t> JudgeFacts(std::size_t number) {
    std::set<std::size_t> wrong;
    const statement::Statement& statement = statements_.all[number];
    std::vector<JudgedFact> facts = JudgeFieldFacts(statements_, number);
    if (statement.IsProse()) {
      for (JudgedFact& judged : JudgeFormats(statement.text)) facts.push_back(std::move(judged));
    }
    for (JudgedFact& judged : facts) {
      if (judged.judgement.Fails()) wrong.insert(judged.offset);
      Push(statement, judged.offset, std::move(judged.judgement));
    }
    return wrong;
  }

  statement::Verdict VerdictOf(const statement::Atom& atom, std::size_t number) const {
    const Topic topic = topics_.Of(number);
    if (atom.kind == statement::AtomKind::kFlag) {
      return auditor_.flags_.Judge(atom, tools_.Of(number), topic).verdict;
    }
    return auditor_.names_.Judge(atom, topic, own_).verdict;
  }

  statement::Judgement JudgeAtom(const statement::Atom& atom, std::size_t number,
                                 const Topic& topic) const {
    if (atom.kind == statement::AtomKind::kPackage) {
      if (auto image = JudgeImage(statements_.all[number], atom, auditor_.witness_)) {
        image->code = "ident/unknown";
        image->kind = statement::AtomKindName(atom.kind);
        image->text = atom.text;
        return *std::move(image);
      }
    }
    if (atom.kind != statement::AtomKind::kFlag) {
      statement::Judgement judged = auditor_.names_.Judge(atom, topic, own_);
      if (judged.verdict != statement::Verdict::kUndecidable) return judged;
      std::optional<statement::Judgement> decided =
          atom.kind == statement::AtomKind::kPath && statements_.all[number].IsProse()
              ? JudgeBesideFiles(statements_, number, atom, auditor_.witness_)
              : closed_.Judge(atom, number, topic);
      if (decided) {
        decided->code = judged.code;
        decided->kind = judged.kind;
        decided->text = judged.text;
        return *std::move(decided);
      }
      return judged;
    }
    statement::Judgement judged = auditor_.flags_.Judge(atom, tools_.Of(number), topic);
    judged.code = "ident/unknown";
    judged.kind = statement::AtomKindName(atom.kind);
    judged.text = atom.text;
    return judged;
  }

  // What the definition of its owner says about a name counts more than whether
  // the name occurs somewhere.
  void JudgeNames(std::size_t number, const Topic& topic,
                  const std::set<std::size_t>& wrong_facts) {
    const statement::Statement& statement = statements_.all[number];
    std::map<std::size_t, statement::Judgement> members;
    for (const MemberClaim& claim : claims_.Of(number)) {
      std::optional<statement::Judgement> judged = auditor_.names_.members().Judge(claim, topic);
      if (judged) members.emplace(claim.offset, *std::move(judged));
    }
    for (auto at = in_groups_.lower_bound({number, 0});
         at != in_groups_.end() && at->first.first == number; ++at) {
      if (!SaysOwn(statement, at->first.second)) members.emplace(at->first.second, at->second);
    }
    members.merge(JudgeCMakeCode(statement, auditor_.witness_, own_));
    for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
      // "The L4 is sm_86" is not found because sm_86 is.
      if (members.contains(atom.offset) || wrong_facts.contains(atom.offset)) continue;
      statement::Judgement judged = JudgeAtom(atom, number, topic);
      if (judged.Fails() && SaysOwn(statement, atom.offset)) {
        judged = statement::Undecidable("the sentence is about the writer's own things");
        judged.code = "ident/unknown";
        judged.kind = statement::AtomKindName(atom.kind);
        judged.text = atom.text;
      }
      if (judged.Fails() && IsPattern(statement.text, atom.offset + atom.text.size())) {
        Excuse("a pattern of names", judged);
      }
      PushUnlessDenied(number, atom.offset, std::move(judged));
    }
    for (auto& [offset, judgement] : members) {
      PushUnlessDenied(number, offset, std::move(judgement));
    }
  }

  static void Excuse(std::string_view why, statement::Judgement& judgement) {
    statement::Judgement excused = statement::Undecidable(std::string(why));
    excused.code = std::move(judgement.code);
    excused.kind = std::move(judgement.kind);
    excused.text = std::move(judgement.text);
    judgement = std::move(excused);
  }

  void PushUnlessDenied(std::size_t number, std::size_t offset, statement::Judgement judgement) {
    if (judgement.Fails()) {
      const std::string_view why = standing_.WhyAbsent(number, offset);
      if (!why.empty()) Excuse(why, judgement);
    }
    Push(statements_.all[number], offset, std::move(judgement));
  }

  void PushUnlessPast(std::size_t number, JudgedNumber& judged) {
    if (judged.judgement.Fails()) {
      const std::string_view why = standing_.WhyPast(number, judged.offset);
      if (!why.empty()) Excuse(why, judged.judgement);
    }
    Push(statements_.all[number], judged.offset, std::move(judged.judgement));
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
  MemberClaims claims_;
  ToolReader tools_;
  StandingReader standing_;
  ClosedText closed_;
  std::vector<NameGroup> groups_;
  std::vector<std::size_t> first_of_rest_;  // the first statement of a group and of those after it
  std::size_t next_group_ = 0;
  GroupJudgements in_groups_;
  std::vector<statement::Judgement> judgements_;
  std::size_t abbreviations_ = 0;
};

Result<std::vector<statement::Judgement>> Auditor::Audit(const AuditedText& text) const {
  const statement::Statements statements = SIBYL_TRY(statement::ReadStatements(text.text));
  return Run(*this, text, statements).Take();
}

}  // namespace sibyl::audit
