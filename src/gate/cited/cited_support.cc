// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/strings.h"
#include "gate/cited/absence.h"
#include "gate/cited/nearest_lines.h"
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
  std::vector<std::string_view> files;
  bool is_too_long = false;
  bool has_words = false;  // of a source or a page, not of an artifact or a lab run
  std::optional<support::PreparedLines> lines;
  // Where a citation points at words, these alone, and the lines as their context.
  std::string words_text;
  std::string words_context;
  std::optional<support::PreparedLines> words;
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

// As answers name it.
std::string_view NameOfGround(support::Ground ground) {
  switch (ground) {
    case support::Ground::kNone:
      return "none";
    case support::Ground::kContext:
      return "context";
    case support::Ground::kShortened:
      return "shortened";
    case support::Ground::kSynonym:
      return "synonym";
    case support::Ground::kForm:
      return "form";
    case support::Ground::kWord:
      return "word";
  }
  return "none";
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
    if (const auto absence = JudgeAbsence(statement, own)) {
      judgement.verdict = absence->verdict;
      judgement.code = absence->code;
      judgement.message = absence->message;
      judgement.where = Where(*own.front());
      judgements_.push_back(std::move(judgement));
      return;
    }
    const support::Grounding grounding = Ground(statement, cited, own, paragraph);
    if (is_refused && !IsSpecific(grounding)) return;
    judgement.verdict = grounding.verdict;
    judgement.code = grounding.code;
    judgement.message = grounding.message;
    judgement.nearest = grounding.nearest;
    judgement.where = Where(*own.front());
    judgement.reason = support::ExplainWords(grounding);
    judgement.words = WordsOf(grounding);
    const bool has_no_place = judgement.nearest.empty() && judgement.Fails();
    if (has_no_place) judgement.nearest = Nearest(statement, own);
    const bool is_about_lines = grounding.message.starts_with("the cited lines");
    if (grounding.code == "support/ungrounded" && judgement.Fails() && is_about_lines) {
      judgement.message += Beginning(own);
    }
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

  static std::shared_ptr<const std::vector<statement::JudgedWord>> WordsOf(
      const support::Grounding& grounding) {
    std::vector<statement::JudgedWord> words;
    words.reserve(grounding.words.size());
    for (const support::GroundedWord& word : grounding.words) {
      words.push_back(
          {.text = word.text, .ground = std::string(NameOfGround(word.ground)), .by = word.by});
    }
    return std::make_shared<const std::vector<statement::JudgedWord>>(std::move(words));
  }

  // `: "The cache holds …"`: the first words of the cited lines, for a reader who
  // does not have them at hand.
  static std::string Beginning(const ReceiptList& own) {
    constexpr std::size_t kMost = 100;
    std::string words;
    const std::string_view lines = own.front()->Span().value_or("");
    std::size_t at = 0;
    while (at < lines.size()) {
      const std::size_t begin = lines.find_first_not_of(" \t\r\n", at);
      if (begin == std::string_view::npos) break;
      at = std::min(lines.find_first_of(" \t\r\n", begin), lines.size());
      if (words.size() + at - begin > kMost) {
        words += " …";
        break;
      }
      words.append(words.empty() ? "" : " ").append(lines.substr(begin, at - begin));
    }
    return words.size() < 4 ? "" : fmt::format(": \"{}\"", words);
  }

  static bool IsSpecific(const support::Grounding& grounding) {
    return grounding.code == "number/ungrounded" || grounding.code == "support/contradicted";
  }

  support::Grounding Ground(const Statement& statement, const Cited& cited, const ReceiptList& own,
                            const ReceiptList& paragraph) {
    support::Grounding grounding = grounder_.Judge(statement, *cited.lines);
    if (cited.words) {
      grounding =
          support::WithWords(std::move(grounding), grounder_.Judge(statement, *cited.words));
    }
    const bool has_words = cited.has_words;
    // A number of another sentence is not the number of this one.
    if (grounding.verdict != Verdict::kSupported && !IsSpecific(grounding) &&
        paragraph.size() > own.size()) {
      const Cited& wider = CitedOf(paragraph);  // may drop `cited`
      if (wider.lines) {
        support::Grounding again = grounder_.Judge(statement, *wider.lines);
        if (again.verdict == Verdict::kSupported) {
          again.message += ", cited for another sentence of the paragraph";
          return again;
        }
      }
    }
    // What an artifact holds is a record, not prose: few words of it return.
    if (!has_words && grounding.code == "support/ungrounded") {
      grounding.verdict = Verdict::kUndecidable;
      grounding.code = "support/undecided";
      grounding.message = "not decided: " + grounding.message;
    }
    return grounding;
  }

  // "src/queue.h:12-14": where the file of a citation carries it.
  std::string Nearest(const Statement& statement, const ReceiptList& own) {
    constexpr std::size_t kMostSearches = 50;
    for (const Receipt* receipt : own) {
      if (receipt->resolution.file == nullptr || ++searches_ > kMostSearches) continue;
      const auto lines = NearestLines(statement, *receipt->resolution.file, grounder_);
      if (lines) {
        return fmt::format("{}:{}", receipt->source()->path, evidence::FormatLineRange(*lines));
      }
    }
    return {};
  }

  const Cited& CitedOf(const ReceiptList& receipts) {
    constexpr std::size_t kMostKept = 64;
    if (cited_.size() >= kMostKept && !cited_.contains(receipts)) cited_.clear();
    const auto [at, is_new] = cited_.try_emplace(receipts);
    if (!is_new) return *at->second;
    at->second = std::make_unique<Cited>();
    Cited& cited = *at->second;
    bool was_read = false;
    bool points_at_words = false;
    for (const Receipt* receipt : receipts) {
      const auto span = receipt->Span();
      cited.is_too_long =
          cited.is_too_long || (span && cited.text.size() + span->size() > kLongest);
      if (cited.is_too_long) break;
      if (!budget_.Spend(kPerReceipt + (span ? kPerByte * span->size() : 0)) || !span) continue;
      was_read = true;
      cited.text += *span;
      cited.text += "\n\n";
      const std::string_view words = receipt->resolution.words_view;
      points_at_words = points_at_words || !words.empty();
      cited.words_text += words.empty() ? *span : words;
      cited.words_text += "\n\n";
      cited.context += receipt->context;
      if (receipt->resolution.file != nullptr) cited.files.push_back(*receipt->resolution.file);
      if (const evidence::SourceCitation* source = receipt->source()) {
        cited.context += fmt::format("line {}\nline {}\n", source->lines.first, source->lines.last);
      }
      cited.has_words =
          cited.has_words || receipt->source() != nullptr || receipt->page() != nullptr;
    }
    if (!was_read || cited.is_too_long) return cited;
    cited.lines =
        grounder_.Prepare({.text = cited.text, .context = cited.context, .files = cited.files});
    if (points_at_words) {
      cited.words_context = cited.text + cited.context;
      cited.words = grounder_.Prepare({.text = cited.words_text, .context = cited.words_context});
    }
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
  std::size_t searches_ = 0;
  std::map<ReceiptList, std::unique_ptr<Cited>> cited_;
};

// A mark in the header of a table is one of its rows as well.
ReceiptList WithHeader(const std::vector<Statement>& all, const StatementReceipts& receipts,
                       std::size_t cell) {
  constexpr std::size_t kMost = 256;
  ReceiptList list(receipts[cell].begin(), receipts[cell].end());
  std::size_t at = cell;
  while (at > 0 && cell - at < kMost && all[at - 1].kind == StatementKind::kCell) --at;
  while (at > 0 && all[at - 1].kind == StatementKind::kColumn) {
    for (const Receipt* receipt : receipts[--at]) {
      if (std::find(list.begin(), list.end(), receipt) == list.end()) list.push_back(receipt);
    }
  }
  return list;
}

// "…; Gloo mode does so as well.[^2]" with what it repeats: its own lines must have that, too.
Statement WithAntecedent(const Statement& before, const Statement& clause) {
  Statement joined = before;
  while (!joined.text.empty() &&
         std::string_view("; ").find(joined.text.back()) != std::string::npos)
    joined.text.pop_back();
  joined.text += "; ";
  const std::size_t offset = joined.text.size();
  joined.text += clause.text;
  for (statement::TextRun run : clause.runs) {
    run.begin += offset;
    run.end += offset;
    joined.runs.push_back(run);
  }
  joined.span = clause.span;
  return joined;
}

// "does so as well", "do too", "likewise": says what was said before of something else.
bool IsProForm(const Statement& clause) {
  std::string_view text = Trim(clause.text);
  while (text.ends_with('.')) text.remove_suffix(1);
  for (const std::string_view end :
       {" does so as well", " do so as well", " does as well", " do as well", " does too",
        " do too", " likewise", " does so too", " do so too", " does the same", " do the same"}) {
    if (text.ends_with(end)) return true;
  }
  return false;
}

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
    const Exemption exemption = ExemptionOf(file.statements, i);
    const bool is_short = exemption == Exemption::kLabel && !all[i].citations.empty();
    if (exemption != Exemption::kNone && !is_short) continue;
    const bool is_refused = refused.contains({all[i].span.first_line, all[i].span.first_column});
    if (kind == StatementKind::kCell) {
      if (rows.insert(all[i].group).second) {
        judge.Judge(RowOf(all, i), WithHeader(all, receipts, i), paragraphs[all[i].group],
                    is_refused);
      }
      continue;
    }
    const bool repeats =
        all[i].is_clause && i > 0 && all[i - 1].group == all[i].group && IsProForm(all[i]);
    judge.Judge(repeats ? WithAntecedent(all[i - 1], all[i]) : all[i], receipts[i],
                paragraphs[all[i].group], is_refused);
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
  // The rules of two versions differ about a few statements; a page does not fail for that.
  constexpr std::size_t kOneOf = 20;
  const bool is_close = count.refused == 0 && count.all() == said->whole &&
                        said->part - count.grounded <= 1 + said->whole / kOneOf;
  return statement::Judgement{
      .verdict = is_close ? Verdict::kUndecidable : Verdict::kContradicted,
      .code = "struct/stamp",
      .kind = "form",
      .text = fmt::format("{} of {} {}", said->part, said->whole, kStampCount),
      .message = fmt::format("the stamp says that {} are grounded, but {} are", said->part,
                             count.grounded),
      .place = {.file = file.name, .line = stamp->span.first_line, .column = 1}};
}

}  // namespace sibyl::gate
