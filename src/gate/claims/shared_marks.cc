// SPDX-License-Identifier: Apache-2.0
// Texts without a mark that share the one of their neighbours: the sentences of
// a paragraph before its last mark, the items of a list, the rows of a table.
// Writers mark the end of what a citation carries, not every sentence.
#include <algorithm>
#include <set>
#include <string>

#include "base/strings.h"
#include "gate/claims/claim_scopes.h"

namespace sibyl::gate {
namespace {

using statement::StatementKind;

constexpr std::size_t kLongestShared = 4096;  // bytes
constexpr std::size_t kSharedReach = 32;      // statements

bool IsCellOrColumn(const statement::Statement& statement) {
  return statement.kind == StatementKind::kCell || statement.kind == StatementKind::kColumn;
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

// Of the header, of other rows, and of the sentence before or after the table.
std::vector<std::size_t> ClaimScopes::MarksOfTable(std::size_t index) const {
  const auto& all = file_.statements.all;
  std::vector<std::size_t> marks;
  std::size_t begin = index;
  while (begin > 0 && index - begin < kSharedReach && IsCellOrColumn(all[begin - 1])) --begin;
  std::size_t end = index;
  while (end < all.size() && end - index < kSharedReach && IsCellOrColumn(all[end])) ++end;
  if (begin > 0 && all[begin - 1].heading == all[index].heading) --begin;
  if (end < all.size() && all[end].heading == all[index].heading) ++end;
  for (std::size_t i = begin; i < end; ++i) {
    if (IsCited(i)) marks.push_back(i);
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

std::optional<support::Grounding> ClaimScopes::JudgeShared(std::size_t index) {
  const statement::Statement& text = file_.statements.all[index];
  const bool is_row = text.kind == StatementKind::kCell;
  const bool is_sentence =
      text.kind == StatementKind::kSentence || text.kind == StatementKind::kItem;
  if (text.text.size() > kLongestShared) return std::nullopt;
  std::vector<std::size_t> marks;
  if (is_sentence && !text.is_clause && !IsLabelLike(index)) marks = MarksOfParagraph(index);
  if (is_row) marks = MarksOfTable(index);
  if (marks.empty()) return std::nullopt;
  const std::optional<ClaimTexts> texts = TextsOf(marks);
  if (!texts || texts->lines.empty()) return std::nullopt;
  support::Grounding grounding =
      grounder_.Judge(is_row ? JoinedRow(index) : text,
                      support::CitedLines{.text = texts->lines, .context = texts->context});
  // A doubt that much of it is there is one that a mark of its own would leave, too.
  constexpr double kMuchOfSentence = 0.4;
  constexpr double kMuchOfRow = 0.9;
  if (grounding.verdict == statement::Verdict::kUndecidable &&
      grounding.measures.coverage < (is_row ? kMuchOfRow : kMuchOfSentence)) {
    grounding.verdict = statement::Verdict::kAbsent;
  }
  return grounding;
}

}  // namespace sibyl::gate
