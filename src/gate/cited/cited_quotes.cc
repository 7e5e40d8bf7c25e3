// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_quotes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "gate/claims/example_code.h"
#include "gate/uncited.h"
#include "statement/folded_text.h"
#include "statement/quote.h"
#include "support/command.h"

namespace sibyl::gate {
namespace {

using Fit = statement::QuoteMatch::Fit;

// Whole files are searched for at most this many quotations, so that a page of
// wrong ones does not take minutes.
constexpr std::size_t kMaxFileSearches = 200;

struct Quotation {
  const statement::Statement& statement;
  std::string_view text;
  std::size_t offset = 0;  // in the statement's text
  bool is_code = false;
  bool is_command = false;
};

// "barrier.cluster.arrive", "kernels/relu.cu": nobody says that with a wink.
bool IsOneToken(std::string_view text) {
  constexpr std::size_t kFewestLetters = 6;
  const auto letters = std::count_if(text.begin(), text.end(), IsLetter);
  return static_cast<std::size_t>(letters) >= kFewestLetters &&
         text.find_first_of("._/:[]=") < text.size() - 1;
}

// The quotations inside a sentence, without their marks.
std::vector<std::pair<std::size_t, std::size_t>> InlineQuotes(
    const statement::Statement& statement) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMarks = {
      {{"“", "”"}, {"«", "»"}, {"\"", "\""}}};
  constexpr std::size_t kFewestWords = 2;  // one may be called so with a wink
  std::vector<std::pair<std::size_t, std::size_t>> quotes;
  const std::string_view text = statement.text;
  for (const auto& [open, close] : kMarks) {
    for (std::size_t at = text.find(open); at != std::string_view::npos;) {
      const std::size_t begin = at + open.size();
      const std::size_t end = text.find(close, begin);
      if (end == std::string_view::npos) break;
      const std::string_view inside = text.substr(begin, end - begin);
      const auto words = 1 + std::count(inside.begin(), inside.end(), ' ');
      const bool is_long = static_cast<std::size_t>(words) >= kFewestWords || IsOneToken(inside);
      if (!statement::IsCodeAt(statement, begin) && is_long) {
        quotes.emplace_back(begin, end);
      }
      at = text.find(open, end + close.size());
    }
  }
  return quotes;
}

// Code in a sentence that is more than a name: "`a = b + c`", "`make X=1 all`".
std::vector<std::pair<std::size_t, std::size_t>> InlineCode(const statement::Statement& statement) {
  std::vector<std::pair<std::size_t, std::size_t>> spans;
  for (const statement::TextRun& run : statement.runs) {
    if (!run.is_code) continue;
    const std::string_view text =
        Trim(std::string_view(statement.text).substr(run.begin, run.end - run.begin));
    if (text.find(' ') != std::string_view::npos) spans.emplace_back(run.begin, run.end);
  }
  return spans;
}

// A path with blanks: where it is, not what it says.
bool IsCitedPath(std::string_view text, const std::vector<const Receipt*>& receipts) {
  return std::any_of(receipts.begin(), receipts.end(), [&](const Receipt* receipt) {
    return receipt->source() != nullptr && receipt->source()->path == Trim(text);
  });
}

statement::QuoteMatch Compare(const Quotation& quote, const statement::QuoteSource& source) {
  return quote.is_code ? source.CompareCode(quote.text) : source.CompareQuote(quote.text);
}

// "line 3" or "lines 3, 5 and 2 more"
std::string Numbers(std::string_view one, const std::vector<std::size_t>& numbers) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(numbers.size(), kShown); ++i) {
    shown.push_back(std::to_string(numbers[i]));
  }
  std::string text = fmt::format("{}{} {}", one, numbers.size() > 1 ? "s" : "", Join(shown, ", "));
  if (numbers.size() > kShown) text += fmt::format(" and {} more", numbers.size() - kShown);
  return text;
}

std::string LineOf(std::string_view text, std::size_t line) {
  const std::vector<std::string_view> lines = SplitLines(text);
  return line >= 1 && line <= lines.size() ? std::string(Trim(lines[line - 1])) : std::string();
}

// "In code, the choice is the second argument:", "For example:"
bool SaysExample(const statement::Statement& introduction) {
  const std::string lower = LowerCase(introduction.text);
  const auto says = [&](std::string_view words) { return lower.find(words) != std::string::npos; };
  return says("example") || says("for instance") || says("e.g.") || lower.starts_with("in code") ||
         says(" like this") || says(" like so");
}

// What it calls is in the cited lines.
bool IsExampleOf(const statement::Statement& code, const std::vector<const Receipt*>& receipts) {
  constexpr std::size_t kLongest = std::size_t{16} << 10;
  ClaimTexts texts;
  for (const Receipt* receipt : receipts) {
    texts.lines.append(receipt->Span().value_or("")).append("\n");
    texts.context.append(receipt->context).append("\n");
  }
  if (code.text.size() > kLongest || texts.lines.size() > kLongest) return false;
  support::Tokenizer tokenizer;
  const ClaimGround ground(std::move(texts), tokenizer);
  return gate::IsExampleOf(code, ground, tokenizer);
}

class QuoteJudge {
 public:
  explicit QuoteJudge(const CitedFile& file) : file_(file) {}

  void Judge(const Quotation& quote, const std::vector<const Receipt*>& receipts) {
    statement::Judgement judgement = JudgementAt(file_, quote.statement, quote.offset);
    judgement.code = "quote/mismatch";
    judgement.kind = quote.is_code ? "code" : "quotation";
    judgement.text = statement::Excerpt(quote.text);
    const Receipt* best = nullptr;
    statement::QuoteMatch match;
    for (const Receipt* receipt : receipts) {
      const auto span = receipt->Span();
      const std::size_t bytes = span ? span->size() + quote.text.size() : kLook;
      if (!budget_.Spend(bytes) || !span) continue;
      statement::QuoteMatch here = Compare(quote, SourceOf(*receipt, *span));
      if (best != nullptr && here.fit >= match.fit) continue;
      match = std::move(here);
      best = receipt;
    }
    if (best == nullptr) {
      judgement.message = budget_.is_spent()
                              ? "not checked: the page cites more than the limit for one page"
                              : "not checked: the cited source could not be read";
    } else {
      Describe(quote, *best, match, judgement);
    }
    judgements_.push_back(std::move(judgement));
  }

  bool HasRefused() const { return !judgements_.empty() && judgements_.back().Fails(); }

  // The last one: it is not a quotation.
  void LeaveUndecided() {
    judgements_.back().verdict = statement::Verdict::kUndecidable;
    judgements_.back().message = "not decided: an example with names of the cited lines";
    judgements_.back().nearest.clear();
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  void Describe(const Quotation& quote, const Receipt& receipt, const statement::QuoteMatch& match,
                statement::Judgement& judgement) {
    judgement.where = receipt.source() != nullptr
                          ? DescribeSource(*receipt.source(), receipt.resolution.pin)
                          : "[^" + receipt.label + "]";
    if (receipt.resolution.pin != nullptr) judgement.source = receipt.resolution.pin->name;
    judgement.verdict = statement::Verdict::kSupported;
    switch (match.fit) {
      case Fit::kExact:
        judgement.message = "it is in the cited lines";
        return;
      case Fit::kFolded:
        judgement.message = match.added_comments.empty()
                                ? "it is in the cited lines, except for white space and punctuation"
                                : "it is in the cited lines, except for added comments";
        return;
      case Fit::kPartly:
        judgement.verdict = statement::Verdict::kContradicted;
        judgement.message =
            match.invented.empty()
                ? "text is omitted or reordered without an ellipsis"
                : fmt::format("{} {} not in the cited lines",
                              Numbers(quote.is_code ? "line" : "sentence", match.invented),
                              match.invented.size() == 1 ? "is" : "are");
        Point(quote, *receipt.Span(), match, judgement);
        return;
      case Fit::kAbsent:
        break;
    }
    judgement.verdict = statement::Verdict::kAbsent;
    judgement.message = "it is not in the cited lines";
    if (quote.is_command && support::IsCommandOf(quote.text, *receipt.Span())) {
      judgement.verdict = statement::Verdict::kUndecidable;
      judgement.message = "not decided: the cited lines do not name the program of this command";
      return;
    }
    judgement.nearest = statement::Excerpt(LineOf(*receipt.Span(), match.source_line));
    LookInFile(quote, receipt, judgement);
  }

  // At the first line that is invented, and what the source has instead.
  void Point(const Quotation& quote, std::string_view span, const statement::QuoteMatch& match,
             statement::Judgement& judgement) {
    std::string_view invented = quote.text;
    if (quote.is_code && !match.invented.empty()) {
      invented = SplitLines(quote.text)[match.invented.front() - 1];
      const auto offset = static_cast<std::size_t>(invented.data() - quote.text.data());
      judgement.place = JudgementAt(file_, quote.statement, quote.offset + offset).place;
      judgement.text = statement::Excerpt(invented);
    }
    const statement::QuoteMatch near = statement::CompareQuote(invented, span);
    judgement.nearest = statement::Excerpt(LineOf(span, near.source_line));
  }

  // Then its file.
  void LookInFile(const Quotation& quote, const Receipt& receipt, statement::Judgement& judgement) {
    if (receipt.resolution.file == nullptr || ++file_searches_ > kMaxFileSearches) return;
    if (!budget_.Spend(receipt.resolution.file->size())) return;
    const statement::QuoteMatch match =
        Compare(quote, statement::QuoteSource(*receipt.resolution.file));
    if (!match.Holds()) {
      judgement.reason = "it is not elsewhere in the file either";
      return;
    }
    judgement.message =
        fmt::format("it is not in the cited lines, but on line {} of the file", match.source_line);
    if (quote.is_command) judgement.verdict = statement::Verdict::kUndecidable;
    judgement.nearest = fmt::format("{}:{}", receipt.source()->path, match.source_line);
  }

  // The cited lines, folded once for all quotations that cite them. Few are
  // kept: they are several times as large as the lines.
  const statement::QuoteSource& SourceOf(const Receipt& receipt, std::string_view span) {
    constexpr std::size_t kMostKept = 64;
    if (sources_.size() >= kMostKept && !sources_.contains(&receipt)) sources_.clear();
    return sources_.try_emplace(&receipt, span).first->second;
  }

  // The cost of a citation that cannot be read.
  static constexpr std::size_t kLook = 64;

  const CitedFile& file_;
  std::vector<statement::Judgement> judgements_;
  ReadingBudget budget_;
  std::map<const Receipt*, statement::QuoteSource> sources_;
  std::size_t file_searches_ = 0;
};

}  // namespace

std::vector<statement::Judgement> JudgeQuotes(const CitedFile& file) {
  QuoteJudge judge(file);
  const auto receipts = ReceiptsOfStatements(file);
  for (std::size_t i = 0; i < file.statements.all.size(); ++i) {
    const statement::Statement& statement = file.statements.all[i];
    if (receipts[i].empty()) continue;
    if (statement.kind == statement::StatementKind::kCode) {
      if (IsMarkedExample(statement)) continue;
      judge.Judge({.statement = statement, .text = statement.text, .is_code = true}, receipts[i]);
      const bool is_own = judge.HasRefused() && i > 0 && SaysExample(file.statements.all[i - 1]);
      if (is_own && IsExampleOf(statement, receipts[i])) judge.LeaveUndecided();
    } else if (statement.kind == statement::StatementKind::kQuote) {
      if (ExemptionOf(file.statements, i) == Exemption::kStamp) continue;
      judge.Judge({.statement = statement, .text = statement.text}, receipts[i]);
    } else {
      for (const auto& [begin, end] : InlineQuotes(statement)) {
        judge.Judge({.statement = statement,
                     .text = std::string_view(statement.text).substr(begin, end - begin),
                     .offset = begin},
                    receipts[i]);
      }
      for (const auto& [begin, end] : InlineCode(statement)) {
        if (IsCitedPath(std::string_view(statement.text).substr(begin, end - begin), receipts[i])) {
          continue;
        }
        judge.Judge({.statement = statement,
                     .text = std::string_view(statement.text).substr(begin, end - begin),
                     .offset = begin,
                     .is_code = true,
                     .is_command = support::IsCommand(
                         std::string_view(statement.text).substr(begin, end - begin))},
                    receipts[i]);
      }
    }
  }
  return judge.Take();
}

}  // namespace sibyl::gate
