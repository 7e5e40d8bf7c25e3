// SPDX-License-Identifier: Apache-2.0
// Texts without a mark that share the one of their neighbours: the sentences of
// a paragraph before its last mark, the items of a list, the rows of a table.
// Writers mark the end of what a citation carries, not every sentence.
#include <string>
#include <utility>

#include "base/strings.h"
#include "gate/claims/claim_scopes.h"
#include "gate/claims/claim_words.h"

namespace sibyl::gate {
namespace {

using statement::StatementKind;

constexpr std::size_t kLongestShared = 4096;  // bytes
constexpr std::size_t kSharedReach = 32;      // statements

using support::Grounding;

// What less of it than this share would leave undecided with a mark of its own is
// refused without one.
Grounding WithLeast(Grounding grounding, double share) {
  if (grounding.verdict == statement::Verdict::kUndecidable &&
      grounding.measures.coverage < share) {
    grounding.verdict = statement::Verdict::kAbsent;
  }
  return grounding;
}

// All of the cell is a name in code font.
bool IsOneName(const statement::Statement& cell) {
  const std::string_view text = Trim(cell.text);
  return cell.runs.size() == 1 && cell.runs[0].is_code &&
         cell.runs[0].end - cell.runs[0].begin == text.size() &&
         text.find(' ') == std::string_view::npos;
}

}  // namespace

// The marks of the paragraph, if one of them comes after the sentence.
std::vector<std::size_t> ClaimScopes::MarksOfParagraph(std::size_t index) const {
  const auto& all = file_.statements.all;
  std::vector<std::size_t> marks;
  std::size_t end = index + 1;
  bool comes_after = false;
  for (; end < all.size() && end - index < kSharedReach && all[end].group == all[index].group;
       ++end) {
    comes_after = comes_after || IsCited(end);
  }
  if (!comes_after) return marks;
  std::size_t begin = index;
  while (begin > 0 && index - begin < kSharedReach && all[begin - 1].group == all[index].group) {
    --begin;
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (i != index && IsCited(i)) marks.push_back(i);
  }
  return marks;
}

// "Auto-generated public interface.": a label says something without a verb, and
// what it names may be all that the lines have of it.
bool ClaimScopes::IsLabelLike(std::size_t index) {
  constexpr std::size_t kMostWords = 6;
  const auto& all = file_.statements.all;
  const bool is_first = index == 0 || all[index - 1].group != all[index].group;
  return is_first && !IsAssertion(all[index], tokenizer_) &&
         CountContent(all[index], tokenizer_) <= kMostWords;
}

std::optional<Grounding> ClaimScopes::JudgeSharedRow(std::size_t index) {
  constexpr double kMuch = 0.9;
  constexpr double kAnywhere = 1e9;
  const auto& all = file_.statements.all;
  const TableRow row = RowAt(index);
  const std::optional<ClaimTexts> texts = TextsOf(row.by);
  if (row.by.empty() || !texts || texts->lines.empty()) return std::nullopt;
  const support::PreparedLines lines =
      grounder_.Prepare({.text = texts->lines, .context = texts->context});
  Grounding grounding = grounder_.Judge(JoinedRow(index), lines);
  bool has_names = true;  // in every cell
  for (std::size_t i = row.first; i < row.end; ++i) {
    has_names = has_names && IsOneName(all[i]);
    for (const support::Token& token : tokenizer_.OfSource(all[i].text)) {
      const bool is_superlative = token.lower.ends_with("est") && IsComparison(token.lower);
      if (is_superlative && !lines.evidence.HasWord(token.lower)) return std::nullopt;
    }
  }
  // Where a plain word or a number stands in the lines says little.
  const bool is_elsewhere = has_names && !IsNearItsName(row, lines, kAnywhere);
  if (HasOtherValue(row, texts->lines) || is_elsewhere) {
    grounding.verdict = statement::Verdict::kAbsent;
    grounding.message = "the cited lines have the values of the row elsewhere";
  }
  return WithLeast(std::move(grounding), kMuch);
}

std::optional<Grounding> ClaimScopes::JudgeShared(std::size_t index) {
  constexpr double kMuch = 0.4;
  const statement::Statement& text = file_.statements.all[index];
  if (text.text.size() > kLongestShared) return std::nullopt;
  if (text.kind == StatementKind::kCell) return JudgeSharedRow(index);
  const bool is_sentence =
      text.kind == StatementKind::kSentence || text.kind == StatementKind::kItem;
  if (!is_sentence || text.is_clause || IsLabelLike(index)) return std::nullopt;
  const std::vector<std::size_t> marks = MarksOfParagraph(index);
  if (marks.empty()) return std::nullopt;
  const std::optional<ClaimTexts> texts = TextsOf(marks);
  if (!texts || texts->lines.empty()) return std::nullopt;
  const support::PreparedLines lines =
      grounder_.Prepare({.text = texts->lines, .context = texts->context});
  Grounding grounding = WithLeast(grounder_.Judge(text, lines), kMuch);
  // "The cache is encrypted.": half of its words are there, and not what it says.
  constexpr double kFewWords = 4;
  const bool is_undecided = grounding.verdict == statement::Verdict::kUndecidable &&
                            grounding.measures.content < kFewWords;
  for (const support::Token& token : tokenizer_.OfSource(text.text)) {
    if (!is_undecided) break;
    const bool is_new = lines.evidence.Find(token).ground == support::Ground::kNone;
    if (is_new && IsQuality(token.lower)) grounding.verdict = statement::Verdict::kAbsent;
  }
  return grounding;
}

}  // namespace sibyl::gate
