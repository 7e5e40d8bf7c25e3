// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/asked_row.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::draft {
namespace {

constexpr double kWholeQuestion = 0.95;  // of the first cell, or of it and its place
constexpr double kOwnShare = 0.7;        // of the question, in the first cell
constexpr double kOwnCoverage = 0.6;     // of the first cell, in the question

bool IsRuler(std::string_view row) {
  return row.find_first_not_of("|+-=: ") == std::string_view::npos;
}

struct Row {
  std::string_view first;  ///< Cell.
  std::string_view rest;
};

std::optional<Row> ReadRow(std::string_view line) {
  line = Trim(line);
  if (!line.starts_with('|') || IsRuler(line)) return std::nullopt;
  const std::size_t end = line.find('|', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return Row{.first = Trim(line.substr(1, end - 1)), .rest = line.substr(end)};
}

// The share of what the question is about; "how many" and "have" are not.
double ShareOfSubject(const Matcher& matcher, TermMask mask) {
  double all = 0;
  double found = 0;
  for (std::size_t i = 0; i < matcher.terms().size(); ++i) {
    const AskedTerm& term = matcher.terms()[i];
    if (term.is_frame || term.is_everyday) continue;
    all += term.weight;
    if ((mask >> i & 1U) != 0) found += term.weight;
  }
  return all > 0 ? found / all : 0;
}

// "threads per block" is what "how many threads can a block have" asks for.
std::string WithoutPer(std::string_view cell) {
  constexpr std::string_view kPer = " per ";
  std::string text(cell);
  for (std::size_t at = text.find(kPer); at != std::string::npos; at = text.find(kPer, at)) {
    text.replace(at, kPer.size(), " ");
  }
  return text;
}

// "`BLOCK_LOAD_VECTORIZE`" in a cell is not asked for by "block".
bool NamesAreAsked(std::string_view cell, std::string_view asked) {
  bool has_names = false;
  for (std::size_t begin = cell.find('`'); begin != std::string_view::npos;) {
    const std::size_t end = cell.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    has_names = true;
    if (Contains(asked, LowerCase(cell.substr(begin + 1, end - begin - 1)))) return true;
    begin = cell.find('`', end + 1);
  }
  return !has_names;
}

// What the question wants, if that is easy to see.
bool HasWanted(const Row& row, const Question& question) {
  if (question.want != Want::kAmount && question.want != Want::kSince) return true;
  return std::any_of(row.rest.begin(), row.rest.end(), IsDigit);
}

}  // namespace

std::optional<AskedRow> FindAskedRow(const Unit& unit, std::string_view place,
                                     const Question& question, Matcher& matcher) {
  if (unit.kind != UnitKind::kTable) return std::nullopt;
  const std::vector<std::string_view> lines = SplitLines(unit.text);
  TermMask around = matcher.MaskOf(place) | matcher.MaskOf(unit.lead);
  const std::string asked = LowerCase(question.text);
  std::optional<AskedRow> best;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::optional<Row> row = ReadRow(lines[i]);
    if (!row) continue;
    if (i + 1 < lines.size() && IsRuler(Trim(lines[i + 1]))) {  // the table's head
      around |= matcher.MaskOf(lines[i]);
      continue;
    }
    const TermMask own = matcher.MaskOf(row->first);
    const double share = ShareOfSubject(matcher, own);
    const double coverage = matcher.Coverage(WithoutPer(row->first));
    const bool is_asked = share >= kOwnShare && coverage >= kOwnCoverage &&
                          ShareOfSubject(matcher, own | around) >= kWholeQuestion;
    if (!is_asked || !HasWanted(*row, question)) continue;
    if (!NamesAreAsked(row->first, asked)) continue;
    if (best && share * coverage <= best->fit) continue;
    best = {.row = unit, .fit = share * coverage};
    best->row.text = std::string(lines[i]);
    best->row.first_line = best->row.last_line = unit.first_line + i;
  }
  return best;
}

}  // namespace sibyl::draft
