// SPDX-License-Identifier: Apache-2.0
#include "gate/cited_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/strings.h"
#include "gate/structure.h"
#include "gate/uncited.h"
#include "support/grounding.h"

namespace sibyl::gate {
namespace {

using statement::Statement;
using statement::StatementKind;
using statement::Verdict;
using ReceiptList = std::vector<const Receipt*>;

constexpr std::string_view kStampCount = "statements grounded";

// The cited text of several receipts, read once for all statements that have
// the same.
struct Cited {
  std::string text;
  std::string context;
  bool is_too_long = false;
  bool has_words = false;  // of a source or a page, not of an artifact or a lab run
  std::optional<support::PreparedLines> lines;
};

// A row of a table as one statement: its cells, one after the other.
Statement RowOf(const std::vector<Statement>& all, std::size_t first) {
  Statement row = all[first];
  for (std::size_t i = first + 1; i < all.size() && all[i].group == row.group; ++i) {
    if (all[i].kind != StatementKind::kCell) continue;
    row.text += "; ";
    const std::size_t offset = row.text.size();
    row.text += all[i].text;
    for (statement::TextRun run : all[i].runs) {
      run.begin += offset;
      run.end += offset;
      row.runs.push_back(run);
    }
  }
  return row;
}

class SupportJudge {
 public:
  explicit SupportJudge(const CitedFile& file) : file_(file) {}

  /// `is_refused`: another check has refused it; only what is specific is added.
  void Judge(const Statement& statement, const ReceiptList& own, const ReceiptList& paragraph,
             bool is_refused) {
    statement::Judgement judgement = JudgementAt(file_, statement, 0);
    judgement.place.line = statement.span.first_line;
    judgement.place.column = statement.span.first_column;
    judgement.kind = "statement";
    judgement.code = "support/undecided";
    judgement.text = statement::Excerpt(Trim(statement.text));
    const Cited& cited = CitedOf(own);
    if (cited.is_too_long) {
      judgement.message =
          "not decided: its citations cover more than 128 KiB; cite the lines that carry it";
      judgements_.push_back(std::move(judgement));
      return;
    }
    if (!cited.lines) {
      judgement.message = budget_.is_spent()
                              ? "not checked: the page cites more than the limit for one page"
                              : "not checked: the cited source could not be read";
      judgements_.push_back(std::move(judgement));
      return;
    }
    support::Grounding grounding = grounder_.Judge(statement, *cited.lines);
    const bool is_specific =
        grounding.code == "number/ungrounded" || grounding.code == "support/contradicted";
    if (is_refused && !is_specific) return;
    std::string how;
    if (grounding.verdict != Verdict::kSupported && paragraph.size() > own.size()) {
      const Cited& wider = CitedOf(paragraph);
      if (wider.lines) {
        support::Grounding again = grounder_.Judge(statement, *wider.lines);
        if (again.verdict == Verdict::kSupported) {
          grounding = std::move(again);
          how = ", cited for another sentence of the paragraph";
        }
      }
    }
    // What an artifact holds is a record, not prose: few words of it return.
    if (!cited.has_words && grounding.code == "support/ungrounded") {
      grounding.verdict = Verdict::kUndecidable;
      grounding.code = "support/undecided";
      grounding.message = "not decided: " + grounding.message;
    }
    judgement.verdict = grounding.verdict;
    judgement.code = grounding.code;
    judgement.message = grounding.message + how;
    judgement.nearest = grounding.nearest;
    judgement.where = Where(*own.front());
    judgement.reason = support::ExplainWords(grounding);
    if (!grounding.text.empty()) {
      const std::size_t at = statement.text.find(grounding.text);
      if (at != std::string::npos) judgement.place = JudgementAt(file_, statement, at).place;
      judgement.text = grounding.text;
      judgement.kind = grounding.code.starts_with("number") ? "number" : "name";
    }
    judgements_.push_back(std::move(judgement));
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  static std::string Where(const Receipt& receipt) {
    return receipt.source() != nullptr ? DescribeSource(*receipt.source(), receipt.resolution.pin)
                                       : "[^" + receipt.label + "]";
  }

  const Cited& CitedOf(const ReceiptList& receipts) {
    constexpr std::size_t kMostKept = 64;
    if (cited_.size() >= kMostKept && !cited_.contains(receipts)) cited_.clear();
    const auto [at, is_new] = cited_.try_emplace(receipts);
    if (!is_new) return *at->second;
    at->second = std::make_unique<Cited>();
    Cited& cited = *at->second;
    bool was_read = false;
    for (const Receipt* receipt : receipts) {
      const auto span = receipt->Span();
      cited.is_too_long =
          cited.is_too_long || (span && cited.text.size() + span->size() > kLongest);
      if (cited.is_too_long) break;
      if (!budget_.Spend(kPerReceipt + (span ? kPerByte * span->size() : 0)) || !span) continue;
      was_read = true;
      cited.text += *span;
      cited.text += "\n\n";
      cited.context += receipt->context;
      if (const evidence::SourceCitation* source = receipt->source()) {
        cited.context += fmt::format("line {}\nline {}\n", source->lines.first, source->lines.last);
      }
      cited.has_words =
          cited.has_words || receipt->source() != nullptr || receipt->page() != nullptr;
    }
    if (was_read && !cited.is_too_long)
      cited.lines = grounder_.Prepare({.text = cited.text, .context = cited.context});
    return cited;
  }

  static constexpr std::size_t kLongest = std::size_t{128} << 10;
  // Reading words costs more than finding a name.
  static constexpr std::size_t kPerByte = 64;
  static constexpr std::size_t kPerReceipt = 64;

  const CitedFile& file_;
  support::Grounder grounder_;
  std::vector<statement::Judgement> judgements_;
  ReadingBudget budget_;
  std::map<ReceiptList, std::unique_ptr<Cited>> cited_;
};

bool IsSupport(const statement::Judgement& judgement) {
  return judgement.code.starts_with("support/") ||
         (judgement.code == "number/ungrounded" && judgement.Fails());
}

}  // namespace

std::vector<statement::Judgement> JudgeSupport(const CitedFile& file,
                                               const StatementPlaces& refused) {
  SupportJudge judge(file);
  const std::vector<Statement>& all = file.statements.all;
  const auto receipts = ReceiptsOfStatements(file);
  auto paragraphs = ReceiptsOfParagraphs(file.statements, receipts);
  std::set<std::uint32_t> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const StatementKind kind = all[i].kind;
    const bool is_own_words = kind == StatementKind::kSentence || kind == StatementKind::kItem ||
                              kind == StatementKind::kCell;
    if (!is_own_words || receipts[i].empty()) continue;
    if (ExemptionOf(file.statements, i) != Exemption::kNone) continue;
    const bool is_refused = refused.contains({all[i].span.first_line, all[i].span.first_column});
    if (kind == StatementKind::kCell) {
      if (rows.insert(all[i].group).second) {
        judge.Judge(RowOf(all, i), receipts[i], paragraphs[all[i].group], is_refused);
      }
      continue;
    }
    judge.Judge(all[i], receipts[i], paragraphs[all[i].group], is_refused);
  }
  return judge.Take();
}

SupportCount CountSupport(const std::vector<statement::Judgement>& judgements) {
  SupportCount count;
  for (const statement::Judgement& judgement : judgements) {
    if (!IsSupport(judgement)) continue;
    if (judgement.Fails()) {
      ++count.refused;
    } else if (judgement.verdict == Verdict::kSupported) {
      ++count.grounded;
    } else {
      ++count.undecided;
    }
  }
  return count;
}

std::string WithSupportInStamp(std::string_view text, const SupportCount& count) {
  constexpr std::string_view kBefore = " citations hold";
  std::string result(text);
  const std::size_t line = result.find("\n> sibyl ");
  if (line == std::string::npos) return result;
  const std::size_t end = std::min(result.find('\n', line + 1), result.size());
  const std::size_t at = result.find(kBefore, line);
  if (at == std::string::npos || at >= end || count.all() == 0) return result;
  if (result.find(kStampCount, line) < end) return result;
  result.insert(at + kBefore.size(),
                fmt::format(" · {} of {} {}", count.grounded, count.all(), kStampCount));
  return result;
}

std::optional<statement::Judgement> JudgeSupportInStamp(
    const CitedFile& file, const std::vector<statement::Judgement>& judgements) {
  const Statement* stamp = FindStamp(file.statements);
  if (stamp == nullptr) return std::nullopt;
  const auto said = ReadStampCount(stamp->text, kStampCount);
  const SupportCount count = CountSupport(judgements);
  if (!said || said->part <= count.grounded) return std::nullopt;
  return statement::Judgement{
      .verdict = Verdict::kContradicted,
      .code = "struct/stamp",
      .kind = "form",
      .text = fmt::format("{} of {} {}", said->part, said->whole, kStampCount),
      .message = fmt::format("the stamp says that {} are grounded, but {} are", said->part,
                             count.grounded),
      .place = {.file = file.name, .line = stamp->span.first_line, .column = 1}};
}

}  // namespace sibyl::gate
