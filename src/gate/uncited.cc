// SPDX-License-Identifier: Apache-2.0
#include "gate/uncited.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"
#include "draft/page_parts.h"
#include "gate/claims/claim_scopes.h"
#include "gate/claims/claim_words.h"
#include "gate/claims/unmarked.h"
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
  constexpr int kOfPage = 2;  // a writer's own headings are below it
  for (; heading != 0; heading = statements.headings[heading].parent) {
    const std::string name = PlainHeading(statements.headings[heading].text);
    const bool is_of_page = statements.headings[heading].level == kOfPage;
    if (is_of_page && (name == "not found" || name == "open points")) return Exemption::kOpenPoint;
    if (is_of_page && (name == "sources" || name == "references")) return Exemption::kSources;
    if (std::find(kNavigation.begin(), kNavigation.end(), name) != kNavigation.end()) {
      return Exemption::kNavigation;
    }
  }
  return Exemption::kNone;
}

// Chinese and Japanese have no blanks: there, a character counts as a word.
std::size_t CountWords(std::string_view text) {
  constexpr unsigned char kFirstOfThree = 0xE3;  // U+3000 and above, but not emoji
  constexpr unsigned char kLastOfThree = 0xED;
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const bool begins =
        statement::IsWordByte(text[at]) && (at == 0 || !statement::IsWordByte(text[at - 1]));
    words += begins || (byte >= kFirstOfThree && byte <= kLastOfThree) ? 1 : 0;
  }
  return words;
}

bool HasDigitOrCode(const statement::Statement& statement) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::any_of(statement.text.begin(), statement.text.end(), is_digit) ||
         std::any_of(statement.runs.begin(), statement.runs.end(),
                     [](const statement::TextRun& run) { return run.is_code; });
}

// "Read these lines before anything else.": tells the reader where to go on.
bool IsReadingAdvice(const statement::Statement& statement) {
  constexpr std::array<std::string_view, 5> kVerbs = {"read", "start", "begin", "continue", "skip"};
  constexpr std::array<std::string_view, 34> kWords = {
      "these", "this",    "the",  "lines", "line",      "section", "sections", "page",  "pages",
      "table", "list",    "with", "at",    "in",        "from",    "before",   "after", "anything",
      "else",  "first",   "next", "last",  "below",     "above",   "part",     "rest",  "chapter",
      "if",    "reading", "on",   "to",    "following", "here",    "there"};
  if (HasDigitOrCode(statement)) return false;
  const std::string text = LowerCase(Trim(statement.text));
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && statement::IsWordByte(text[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string_view word = std::string_view(text).substr(at, end - at);
    if (!(words == 0 ? IsOneOf(word, kVerbs) : IsOneOf(word, kWords))) return false;
    ++words;
    at = end;
  }
  return words > 1;
}

bool IsNavigation(const statement::Statement& statement) {
  const std::string_view text = Trim(statement.text);
  if (IsReadingAdvice(statement)) return true;
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

// "The sources contradict this point of the plan: …" in the words of the heading above
// it, which is judged by itself.
bool IsContradictedPoint(const statement::Statements& statements,
                         const statement::Statement& statement) {
  if (statement.kind != statement::StatementKind::kSentence) return false;
  std::string_view heading = statements.headings[statement.heading].text;
  const std::size_t number = heading.find_first_not_of("0123456789.");
  if (number != std::string_view::npos && heading[number] == ' ') heading.remove_prefix(number);
  heading = Trim(heading);
  return Trim(statement.text) == draft::ContradictedLine(heading);
}

// The table of planned points is above the first section.
bool IsCoverageRow(const statement::Statements& statements, const statement::Statement& statement) {
  if (statement.kind != statement::StatementKind::kCell || statement.context.empty()) return false;
  if (statements.headings[statement.heading].level > 1) return false;
  const std::string column = LowerCase(Trim(statement.context[0]));
  return column == "planned" || column == "covered by";
}

// "It is optional." has three words but makes a claim.
bool HasVerb(std::string_view text) {
  constexpr std::array<std::string_view, 20> kVerbs = {
      "is", "are",  "was", "were", "has",   "have", "can",   "must",  "may",      "does",
      "do", "will", "did", "be",   "needs", "uses", "works", "fails", "requires", "supports"};
  constexpr std::size_t kLongest = 4096;
  if (text.size() > kLongest) return true;
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && statement::IsWordByte(text[end])) ++end;
    if (end > at) words.push_back(LowerCase(text.substr(at, end - at)));
    at = end + 1;
  }
  const bool is_sentence = text.ends_with('.');
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (std::find(kVerbs.begin(), kVerbs.end(), words[i]) != kVerbs.end()) return true;
    // "It leaks memory", "Deallocation crashes."; not "Memory leaks" and "the limits".
    const bool is_inside = i > 0 && (i + 1 < words.size() || is_sentence);
    const bool is_noun = i > 0 && (words[i - 1] == "the" || words[i - 1] == "of");
    if (is_inside && !is_noun && words[i].ends_with('s') && IsVerbForm(words[i])) return true;
  }
  return false;
}

// "This page collects the limits of the pool.", "The table lists its options."
bool IsAboutPage(std::string_view text) {
  for (const std::string_view start :
       {"this page ", "this section ", "this file ", "this chapter ", "this table ", "this list ",
        "the table ", "the following ", "the list below "}) {
    if (StartsWithIgnoringCase(text, start)) return true;
  }
  return false;
}

// "Table 2. The flags and their values."
bool IsCaption(std::string_view text) {
  for (const std::string_view start : {"table ", "figure ", "listing "}) {
    if (StartsWithIgnoringCase(text, start) && text.size() > start.size() &&
        IsDigit(text[start.size()])) {
      return true;
    }
  }
  return false;
}

// "The memory flags and their values." after "Table 2."
bool ContinuesCaption(const statement::Statements& statements, std::size_t index) {
  if (index == 0) return false;
  const statement::Statement& before = statements.all[index - 1];
  return before.group == statements.all[index].group && IsCaption(Trim(before.text)) &&
         CountWords(before.text) <= 2;
}

// "The limit is" before a formula; "Three fields select a type." before a table,
// as a paragraph of its own.
bool LeadsIn(const statement::Statements& statements, std::size_t index) {
  const statement::Statement& statement = statements.all[index];
  if (statement.kind != statement::StatementKind::kSentence || !statement.citations.empty() ||
      index + 1 == statements.all.size()) {
    return false;
  }
  const statement::Statement& next = statements.all[index + 1];
  if (next.group == statement.group || next.heading != statement.heading) return false;
  if (Trim(next.text).starts_with("$$")) {
    return std::string_view(".!?;").find(Trim(statement.text).back()) == std::string_view::npos;
  }
  const bool is_alone = index == 0 || statements.all[index - 1].group != statement.group;
  return is_alone && next.kind == statement::StatementKind::kColumn;
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

std::vector<Need> Needs(const CitedFile& file, ClaimScopes& scopes) {
  const std::vector<statement::Statement>& all = file.statements.all;
  const StatementReceipts& receipts = scopes.receipts();
  std::vector<Need> needs;
  std::map<std::uint32_t, std::size_t> rows;  // group to entry
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (ExemptionOf(file.statements, i) != Exemption::kNone) continue;
    const bool is_cited = !receipts[i].empty() || !all[i].citations.empty() || scopes.IsCarried(i);
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

// What a citation beside it says of a statement without a mark.
void Share(const support::Grounding& shared, statement::Judgement& judgement) {
  judgement.reason = fmt::format("by the citation beside it: {}", shared.message);
  if (shared.verdict == statement::Verdict::kAbsent ||
      shared.verdict == statement::Verdict::kContradicted) {
    return;
  }
  judgement.verdict = shared.verdict;
  judgement.code = shared.code;
  judgement.message = shared.message + ", which are cited beside it";
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
  if (statement.kind == statement::StatementKind::kHeading ||
      statement.kind == statement::StatementKind::kColumn) {
    return Exemption::kHeading;
  }
  if (IsStamp(statements, index)) return Exemption::kStamp;
  if (IsCoverageRow(statements, statement)) return Exemption::kCoverage;
  if (IsContradictedPoint(statements, statement)) return Exemption::kStamp;
  const std::string_view text = Trim(statement.text);
  const Exemption below = ExemptionBelow(statements, statement.heading);
  if (below == Exemption::kNavigation && !statement.links.empty()) return below;
  // Among the sources a sentence is a claim, and so is one that is not in the
  // list of what was not found.
  const bool is_place = below == Exemption::kSources && !HasVerb(text);
  const bool is_point = below == Exemption::kOpenPoint &&
                        (statement.kind == statement::StatementKind::kItem || !HasVerb(text) ||
                         StartsWithIgnoringCase(text, "nothing "));
  if (is_place || is_point) return below;
  if (below == Exemption::kNavigation && !HasVerb(text)) return below;
  if (CountWords(text) == 0) return Exemption::kLabel;
  if (statement.kind == statement::StatementKind::kCode) return Exemption::kNone;
  if (text.ends_with(':') || IsAboutPage(text) || IsCaption(text)) return Exemption::kIntroduction;
  if (ContinuesCaption(statements, index)) return Exemption::kIntroduction;
  if (IsNavigation(statement)) return Exemption::kNavigation;
  if (LeadsIn(statements, index)) return Exemption::kIntroduction;
  // A cell is short by nature: its row decides.
  if (statement.kind != statement::StatementKind::kCell && IsLabel(statement))
    return Exemption::kLabel;
  return Exemption::kNone;
}

std::vector<statement::Judgement> FindUncited(const CitedFile& file) {
  ClaimScopes scopes(file);
  std::vector<statement::Judgement> judgements = JudgeUnmarked(file, scopes);
  for (const Need& need : Needs(file, scopes)) {
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
    judgement.reason = "the lines cited next to it do not carry it";
    if (const auto shared = scopes.JudgeShared(need.index)) Share(*shared, judgement);
    judgements.push_back(std::move(judgement));
  }
  return judgements;
}

CitationCover CountCited(const CitedFile& file) {
  CitationCover cover;
  ClaimScopes scopes(file);
  for (const Need& need : Needs(file, scopes)) {
    ++cover.needed;
    cover.cited += need.is_cited ? 1 : 0;
  }
  return cover;
}

}  // namespace sibyl::gate
