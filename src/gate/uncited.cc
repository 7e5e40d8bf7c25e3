// SPDX-License-Identifier: Apache-2.0
#include "gate/uncited.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/strings.h"
#include "base/work.h"
#include "statement/folded_text.h"

namespace sibyl::gate {
namespace {

// The words of a heading without its number: "3.1 See also:" is "see also".
std::string PlainHeading(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("0123456789. ");
  text = begin == std::string_view::npos ? std::string_view() : Trim(text.substr(begin));
  while (text.ends_with(':')) text.remove_suffix(1);
  // Longer than any name it is compared with, and asked for every statement.
  constexpr std::size_t kLongest = 64;
  if (text.size() > kLongest) return {};
  return LowerCase(text);
}

// A section that is about the file and not about its subject. Sections below it
// are too.
Exemption ExemptionBelow(const statement::Statements& statements, std::uint32_t heading) {
  constexpr std::array<std::string_view, 9> kNavigation = {
      "see also",   "contents",        "table of contents", "related",         "related files",
      "navigation", "further reading", "cross-links",       "cross-references"};
  for (; heading != 0; heading = statements.headings[heading].parent) {
    const std::string name = PlainHeading(statements.headings[heading].text);
    if (name == "not found" || name == "open points") return Exemption::kOpenPoint;
    if (name == "sources" || name == "references") return Exemption::kSources;
    if (std::find(kNavigation.begin(), kNavigation.end(), name) != kNavigation.end()) {
      return Exemption::kNavigation;
    }
  }
  return Exemption::kNone;
}

std::size_t CountWords(std::string_view text) {
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    words += statement::IsWordByte(text[at]) && (at == 0 || !statement::IsWordByte(text[at - 1]))
                 ? 1
                 : 0;
  }
  return words;
}

bool HasDigitOrCode(const statement::Statement& statement) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::any_of(statement.text.begin(), statement.text.end(), is_digit) ||
         std::any_of(statement.runs.begin(), statement.runs.end(),
                     [](const statement::TextRun& run) { return run.is_code; });
}

bool IsNavigation(const statement::Statement& statement) {
  const std::string_view text = Trim(statement.text);
  for (const std::string_view start :
       {"see also", "related:", "continue with", "next:", "back to"}) {
    if (StartsWithIgnoringCase(text, start)) return true;
  }
  if (statement.links.empty()) return false;
  // "See [x](y)." and "[x](y), [z](w)": hardly a word that is no link.
  // Links come in the order of the text, so each is looked for after the last,
  // and not far: what is not found stays and counts as words.
  constexpr std::size_t kBetween = 4096;
  std::string rest;
  std::size_t from = 0;
  for (const statement::StatementLink& link : statement.links) {
    if (link.text.empty()) continue;
    const std::size_t found = text.substr(from, link.text.size() + kBetween).find(link.text);
    Work::Add(1 + std::min(found, kBetween));
    if (found == std::string_view::npos) continue;
    rest += text.substr(from, found);
    rest += ' ';
    from += found + link.text.size();
  }
  rest += text.substr(from);
  // "Reading order: to understand, [1.1](#..); to see it in code, [1.2](#..)."
  if (StartsWithIgnoringCase(text, "reading order:")) return CountWords(rest) <= 12;
  return CountWords(rest) <= (StartsWithIgnoringCase(text, "see ") ? 6 : 1);
}

// "> sibyl 0.1 · 2026-11-15 · …" below the title.
bool IsStamp(const statement::Statements& statements, std::size_t index) {
  const statement::Statement& statement = statements.all[index];
  return statement.kind == statement::StatementKind::kQuote && index <= 2 &&
         Trim(statement.text).starts_with("sibyl ");
}

bool IsCoverageRow(const statement::Statement& statement) {
  if (statement.kind != statement::StatementKind::kCell || statement.context.empty()) return false;
  const std::string column = LowerCase(Trim(statement.context[0]));
  return column == "planned" || column == "covered by";
}

// "It is optional." has three words but makes a claim.
bool HasVerb(std::string_view text) {
  constexpr std::array<std::string_view, 20> kVerbs = {
      "is", "are",  "was", "were", "has",   "have", "can",   "must",  "may",      "does",
      "do", "will", "did", "be",   "needs", "uses", "works", "fails", "requires", "supports"};
  std::string word;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && statement::IsWordByte(text[at])) {
      word += text[at];
      continue;
    }
    if (std::find(kVerbs.begin(), kVerbs.end(), LowerCase(word)) != kVerbs.end()) return true;
    word.clear();
  }
  return false;
}

bool IsLabel(const statement::Statement& statement) {
  constexpr std::size_t kMostWords = 3;
  if (statement.kind == statement::StatementKind::kCode ||
      statement.kind == statement::StatementKind::kQuote) {
    return false;
  }
  const std::string_view text = Trim(statement.text);
  if (text.ends_with('?')) return true;
  return CountWords(text) <= kMostWords && !HasDigitOrCode(statement) && !HasVerb(text);
}

// One entry for each statement, or for each table row.
struct Need {
  std::size_t index = 0;
  bool is_cited = false;
};

std::vector<Need> Needs(const CitedFile& file) {
  const std::vector<statement::Statement>& all = file.statements.all;
  const auto receipts = ReceiptsOfStatements(file);
  std::vector<Need> needs;
  std::map<std::uint32_t, std::size_t> rows;  // group to entry
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (ExemptionOf(file.statements, i) != Exemption::kNone) continue;
    const bool is_cited = !receipts[i].empty() || !all[i].citations.empty();
    if (all[i].kind == statement::StatementKind::kCell) {
      const auto [row, is_new] = rows.try_emplace(all[i].group, needs.size());
      if (!is_new) {
        needs[row->second].is_cited = needs[row->second].is_cited || is_cited;
        continue;
      }
    }
    needs.push_back({.index = i, .is_cited = is_cited});
  }
  return needs;
}

}  // namespace

std::string_view ExemptionName(Exemption exemption) {
  constexpr std::array<std::string_view, 9> kNames = {"none",         "heading",    "stamp",
                                                      "navigation",   "open point", "sources",
                                                      "introduction", "label",      "coverage"};
  return kNames[static_cast<std::size_t>(exemption)];
}

Exemption ExemptionOf(const statement::Statements& statements, std::size_t index) {
  const statement::Statement& statement = statements.all[index];
  if (statement.kind == statement::StatementKind::kHeading) return Exemption::kHeading;
  if (IsStamp(statements, index)) return Exemption::kStamp;
  if (IsCoverageRow(statement)) return Exemption::kCoverage;
  const Exemption below = ExemptionBelow(statements, statement.heading);
  if (below != Exemption::kNone) return below;
  const std::string_view text = Trim(statement.text);
  if (CountWords(text) == 0) return Exemption::kLabel;
  if (statement.kind == statement::StatementKind::kCode) return Exemption::kNone;
  if (text.ends_with(':')) return Exemption::kIntroduction;
  if (IsNavigation(statement)) return Exemption::kNavigation;
  // A cell is short by nature: its row decides.
  if (statement.kind != statement::StatementKind::kCell && IsLabel(statement))
    return Exemption::kLabel;
  return Exemption::kNone;
}

std::vector<statement::Judgement> FindUncited(const CitedFile& file) {
  std::vector<statement::Judgement> judgements;
  for (const Need& need : Needs(file)) {
    if (need.is_cited) continue;
    const statement::Statement& statement = file.statements.all[need.index];
    statement::Judgement judgement = JudgementAt(file, statement, 0);
    judgement.place.line = statement.span.first_line;  // of a block, the fence
    judgement.place.column = statement.span.first_column;
    judgement.verdict = statement::Verdict::kAbsent;
    judgement.code = "cite/missing";
    judgement.text = statement::Excerpt(statement.text);
    const bool is_row = statement.kind == statement::StatementKind::kCell;
    const bool is_code = statement.kind == statement::StatementKind::kCode;
    judgement.kind = is_row ? "row" : is_code ? "code" : "statement";
    judgement.message = fmt::format("this {} has no citation", judgement.kind);
    judgement.reason = "it is not a heading, introduction, label, link or open point";
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

CitationCover CountCited(const CitedFile& file) {
  CitationCover cover;
  for (const Need& need : Needs(file)) {
    ++cover.needed;
    cover.cited += need.is_cited ? 1 : 0;
  }
  return cover;
}

}  // namespace sibyl::gate
