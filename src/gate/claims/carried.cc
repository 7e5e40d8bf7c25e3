// SPDX-License-Identifier: Apache-2.0
// Statements without a mark that the citation of a neighbour carries: sentences
// of a paragraph, items of a list, rows of a table, examples.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "gate/claims/claim_scopes.h"
#include "gate/claims/example_code.h"
#include "gate/claims/table_rows.h"
#include "support/read_statement.h"

namespace sibyl::gate {
namespace {

using statement::StatementKind;

// A longer one is not a sentence that could be compared.
constexpr std::size_t kLongestSentence = 4096;
// Neighbours that are looked at.
constexpr std::size_t kNearby = 32;

}  // namespace

// A row as one statement: its cells, with commas between them.
statement::Statement ClaimScopes::JoinedRow(std::size_t first) const {
  const auto& all = file_.statements.all;
  statement::Statement row;
  row.kind = StatementKind::kItem;
  for (std::size_t i = first; i < all.size() && all[i].group == all[first].group; ++i) {
    if (i > first) row.text += ", ";
    for (statement::TextRun run : all[i].runs) {
      run.begin += row.text.size();
      run.end += row.text.size();
      row.runs.push_back(run);
    }
    row.text += all[i].text;
  }
  return row;
}

// What a paragraph without marks leads to: the cited statements after it, up to
// the next heading.
std::vector<std::size_t> ClaimScopes::Following(std::size_t index) const {
  constexpr std::size_t kMost = 64;
  const auto& all = file_.statements.all;
  std::vector<std::size_t> following;
  for (std::size_t i = index + 1; i < all.size() && i < index + kMost; ++i) {
    if (all[i].kind == statement::StatementKind::kHeading) break;
    if (IsCited(i)) following.push_back(i);
  }
  return following;
}

// "Layout of the cache. Every entry has a folder.[^1]": the label of a paragraph,
// which names its subject.
bool ClaimScopes::IsLabelled(std::size_t index) {
  constexpr std::size_t kMostWords = 6;
  const auto& all = file_.statements.all;
  const statement::Statement& label = all[index];
  const bool is_first = index == 0 || all[index - 1].group != label.group;
  const bool is_followed =
      index + 1 < all.size() && all[index + 1].group == label.group && IsCited(index + 1);
  if (!is_first || !is_followed || IsAssertion(label, tokenizer_) ||
      CountContent(label, tokenizer_) > kMostWords) {
    return false;
  }
  const ClaimGround* ground = Section(label.heading);
  return ground != nullptr && !ground->empty() &&
         ClaimBeyond(label, *ground, ClaimRule::kCaption, tokenizer_).empty();
}

// "- it is optional": by the lines of the nearest cited item before or after it,
// or of the sentence that introduces the list.
bool ClaimScopes::IsItemCarried(std::size_t index) {
  const auto& all = file_.statements.all;
  for (std::size_t i = index; i-- > 0 && index - i < kNearby;) {
    if (IsCited(i)) {
      if (IsSupported(all[index], {i}, Carrying::kNeighbour)) return true;
      break;
    }
    if (all[i].kind != StatementKind::kItem) break;
  }
  bool is_list_cited = false;
  for (std::size_t i = index; i-- > 0 && index - i < kNearby;) {
    if (all[i].kind != StatementKind::kItem) break;
    is_list_cited = is_list_cited || IsCited(i);
  }
  for (std::size_t i = index + 1; i < all.size() && i - index < kNearby; ++i) {
    if (all[i].kind != StatementKind::kItem) {
      // "They are described beside the options.[^1]" below a list without marks.
      return !is_list_cited && all[i].kind == StatementKind::kSentence && IsCited(i) &&
             all[i].heading == all[index].heading &&
             IsSupported(all[index], {i}, Carrying::kNeighbour);
    }
    if (!IsCited(i)) continue;
    return IsSupported(all[index], {i}, Carrying::kNeighbour);
  }
  return false;
}

// The value of another row, or another one than the definition of its name.
bool ClaimScopes::HasOtherValue(const TableRow& row, std::string_view lines) const {
  const auto& all = file_.statements.all;
  for (std::size_t i = row.first + 1; i < row.end; ++i) {
    const CellClaim claim = {.row_name = all[row.first].text,
                             .value = all[i].text,
                             .column = all[i].context.empty()
                                           ? std::string_view()
                                           : std::string_view(all[i].context[0])};
    if (!RowWithAnotherValue(claim, lines).empty() ||
        !DefinitionWithAnotherValue(claim, lines).empty()) {
      return true;
    }
  }
  return false;
}

// The lines have each value near the name of the row, and nearer to it than to the
// name of another one.
bool ClaimScopes::IsNearItsName(const TableRow& row, const support::PreparedLines& lines,
                                double reach) {
  const auto& all = file_.statements.all;
  const support::EvidenceText& evidence = lines.evidence;
  const auto positions_of = [&](std::size_t cell) {
    std::set<std::uint32_t> places;
    const support::ReadStatement read = support::Read(all[cell], evidence, tokenizer_);
    for (const support::Quantity& number : read.numbers) {
      for (const std::uint32_t place : evidence.PositionsOf(number)) places.insert(place);
    }
    // The unit of a number is in other rows, too.
    const bool is_number = !places.empty() && read.numbers[0].begin == 0;
    for (std::size_t i = 0; i < read.tokens.size() && !is_number; ++i) {
      if (support::WeightOf(read.tokens[i]) < 1) continue;
      places.insert(read.grounds[i].positions.begin(), read.grounds[i].positions.end());
    }
    return std::vector<std::uint32_t>(places.begin(), places.end());
  };
  const std::vector<std::uint32_t> name = positions_of(row.first);
  std::vector<std::vector<std::uint32_t>> others;
  for (const std::size_t other : row.names) others.push_back(positions_of(other));
  for (std::size_t i = row.first + 1; i < row.end; ++i) {
    const std::vector<std::uint32_t> value = positions_of(i);
    const double own = evidence.layout().Distance(name, value);
    if (own > reach) return false;
    // "`cdylib`s and `bin`s are linked by …" says it of both.
    constexpr double kListed = 4;
    if (std::any_of(others.begin(), others.end(), [&](const std::vector<std::uint32_t>& other) {
          return evidence.layout().Distance(other, value) < own &&
                 evidence.layout().Distance(other, name) > kListed;
        })) {
      return false;
    }
  }
  return !name.empty();
}

bool ClaimScopes::IsRowIn(const TableRow& row) {
  constexpr double kNearly = 0.9;
  constexpr double kReach = 25;
  const std::optional<ClaimTexts> texts = TextsOf(row.by);
  if (!texts || texts->lines.empty()) return false;
  const support::PreparedLines lines =
      grounder_.Prepare({.text = texts->lines, .context = texts->context});
  const support::Grounding grounding = grounder_.Judge(JoinedRow(row.first), lines);
  return grounding.verdict == statement::Verdict::kSupported &&
         grounding.measures.coverage >= kNearly && !HasOtherValue(row, texts->lines) &&
         IsNearItsName(row, lines, kReach);
}

// The row of a cell, and the statements whose marks it may share: the header, other
// rows, the sentence before the table, a caption or a sentence below it.
ClaimScopes::TableRow ClaimScopes::RowAt(std::size_t index) const {
  const auto& all = file_.statements.all;
  const auto is_cell = [&](std::size_t i) { return all[i].kind == StatementKind::kCell; };
  TableRow row = {.first = index, .end = index};
  while (row.end < all.size() && row.end - index < kNearby &&
         all[row.end].group == all[index].group) {
    ++row.end;
  }
  std::set<const Receipt*> seen;
  const auto add = [&](std::size_t i) {
    for (const Receipt* receipt : receipts_[i]) {
      if (seen.insert(receipt).second && (row.by.empty() || row.by.back() != i)) {
        row.by.push_back(i);
      }
    }
    if (is_cell(i) && all[i].context.size() > 1 && all[i].text == all[i].context[1]) {
      row.names.push_back(i);
    }
  };
  std::size_t before = index;
  while (before > 0 && index - before < kNearby && is_cell(before - 1)) add(--before);
  while (before > 0 && all[before - 1].kind == StatementKind::kColumn) add(--before);
  if (before > 0 && index - before < kNearby && !is_cell(before - 1)) add(before - 1);
  std::size_t after = row.end;
  while (after < all.size() && after - index < kNearby && is_cell(after)) add(after++);
  // A caption ("Table 2. The sizes.[^1]"), or a sentence below the table.
  constexpr std::size_t kCaption = 4;
  for (std::size_t i = after; i < std::min(after + kCaption, all.size()); ++i) {
    const bool is_below = all[i].kind == StatementKind::kSentence &&
                          all[i].group == all[after].group && all[i].heading == all[index].heading;
    if (!is_below) break;
    if (!IsCited(i)) continue;
    add(i);
    break;
  }
  return row;
}

// By the lines that other rows of its table cite, or the sentence before the table.
bool ClaimScopes::IsRowCarried(std::size_t index) {
  const auto& all = file_.statements.all;
  if (index > 0 && all[index - 1].group == all[index].group) return false;  // the first decides
  const TableRow row = RowAt(index);
  return !row.by.empty() && row.end > row.first + 1 && IsRowIn(row);
}

// An example in the writer's own words: what it calls and sets is in the lines
// that its section cites.
bool ClaimScopes::IsExampleCarried(std::size_t index) {
  const statement::Statement& code = file_.statements.all[index];
  constexpr std::size_t kLongest = std::size_t{16} << 10;
  if (code.text.size() > kLongest) return false;
  const ClaimGround* ground = Section(code.heading);
  return ground != nullptr && !ground->texts().lines.empty() &&
         IsExampleOf(code, *ground, tokenizer_);
}

bool ClaimScopes::IsCarried(std::size_t index) {
  const auto& all = file_.statements.all;
  const statement::Statement& statement = all[index];
  if (statement.kind == StatementKind::kCode) return IsExampleCarried(index);
  if (statement.kind == StatementKind::kCell) return IsRowCarried(index);
  if (statement.kind == StatementKind::kQuote || statement.text.size() > kLongestSentence) {
    return false;
  }
  if (IsLabelled(index)) return true;
  if (statement.kind == StatementKind::kSentence) {
    const ClaimGround* ground = Section(statement.heading);
    if (ground != nullptr && !ground->empty() && IsTransition(statement, *ground, tokenizer_)) {
      return true;
    }
  }
  bool has_marks = false;
  for (std::size_t i = index; i-- > 0 && index - i < kNearby && all[i].group == statement.group;) {
    if (!IsCited(i)) continue;
    has_marks = true;
    if (IsSupported(statement, {i}, Carrying::kNeighbour)) return true;
    break;
  }
  if (statement.is_clause) return false;
  for (std::size_t i = index + 1;
       i < all.size() && i - index < kNearby && all[i].group == statement.group; ++i) {
    if (!IsCited(i)) continue;
    has_marks = true;
    if (IsSupported(statement, {i}, Carrying::kNeighbour)) return true;
    break;
  }
  if (has_marks) return false;
  const std::string_view text = Trim(statement.text);
  const bool is_formula = text.starts_with("$$") && text.ends_with("$$");
  if (is_formula && index > 0 && IsCited(index - 1)) {
    const ClaimGround* ground = Section(statement.heading);
    return ground != nullptr && !ground->empty() &&
           ClaimBeyond(statement, *ground, ClaimRule::kAssertion, tokenizer_).empty();
  }
  if (statement.kind == StatementKind::kItem) return IsItemCarried(index);
  if (statement.kind != StatementKind::kSentence) return false;
  return IsSupported(statement, Following(index));
}

}  // namespace sibyl::gate
