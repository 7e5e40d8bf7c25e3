// SPDX-License-Identifier: Apache-2.0
#include "gate/knowledge.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/parallel.h"
#include "gate/cited/cited_atoms.h"
#include "gate/cited/cited_quotes.h"
#include "gate/cited/cited_support.h"
#include "gate/draft_markup.h"
#include "gate/index_pages.h"
#include "gate/links.h"
#include "gate/source_search.h"
#include "gate/structure.h"
#include "gate/uncited.h"

namespace sibyl::gate {
namespace {

std::size_t ThreadsFor(std::size_t wanted) {
  constexpr std::size_t kMostThreads = 8;
  return wanted == 0 ? std::min<std::size_t>(MachineThreads(), kMostThreads) : wanted;
}

void Append(std::vector<statement::Judgement> more, std::vector<statement::Judgement>& all) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// Where the statements begin that have failed: one finding is enough for each.
StatementPlaces RefusedPlaces(const Page& page,
                              const std::vector<statement::Judgement>& judgements) {
  StatementPlaces starts;
  for (const statement::Statement& statement : page.statements.all) {
    starts.insert({statement.span.first_line, statement.span.first_column});
  }
  StatementPlaces places;
  for (const statement::Judgement& judgement : judgements) {
    if (!judgement.Fails()) continue;
    const auto after = starts.upper_bound({judgement.place.line, judgement.place.column});
    if (after != starts.begin()) places.insert(*std::prev(after));
  }
  return places;
}

}  // namespace

bool Page::IsKnowledge() const {
  if (IsIndexPath(source.path)) return false;
  if (IsKnowledgePath(source.path)) return true;
  return std::any_of(receipts.begin(), receipts.end(),
                     [](const auto& entry) { return entry.second.citation.has_value(); });
}

std::size_t Page::CountCitations() const {
  return static_cast<std::size_t>(std::count_if(
      receipts.begin(), receipts.end(), [](const auto& entry) { return entry.second.uses > 0; }));
}

Pages ReadPages(std::vector<PageText> texts, std::size_t threads) {
  Pages pages(texts.size());
  ForEachInParallel(texts.size(), {.threads = ThreadsFor(threads)}, [&](std::size_t i) {
    auto page = std::make_unique<Page>();
    page->source = std::move(texts[i]);
    Result<statement::Statements> read = statement::ReadStatements(page->source.text);
    if (read.ok()) {
      page->statements = *std::move(read);
      page->receipts = ReadReceipts(page->statements);
    } else {
      page->problem = std::move(read).error();
    }
    pages[i] = std::move(page);
  });
  return pages;
}

void ResolvePages(Pages& pages, const PageChecks& checks) {
  std::vector<Receipts*> receipts;
  for (const auto& page : pages) receipts.push_back(&page->receipts);
  ResolveReceipts(receipts, checks.resolver, checks.other);
  RefindStale(receipts, checks.resolver);
  for (const auto& page : pages) {
    if (!page->problem) {
      checks.oracle.Put(page->source.path, page->statements, page->source.text);
    }
  }
}

namespace {

// In a clone of an oracle, before its sources are fetched, or on a machine without the
// artifacts whose facts it cites.
bool WaitsForEvidence(const Page& page) {
  return std::any_of(page.receipts.begin(), page.receipts.end(), [](const auto& entry) {
    return entry.second.uses > 0 && entry.second.IsNotHere();
  });
}

// The lines of paragraphs and rows that cite something that is not here: it may have what the
// other lines that they cite lack.
std::set<std::size_t> WaitingLines(const Page& page) {
  std::set<std::uint32_t> groups;
  for (const statement::Statement& statement : page.statements.all) {
    for (const std::string& label : statement.citations) {
      const auto receipt = page.receipts.find(label);
      const bool waits = receipt != page.receipts.end() && receipt->second.IsNotHere();
      if (waits) groups.insert(statement.group);
    }
  }
  std::set<std::size_t> lines;
  for (const statement::Statement& statement : page.statements.all) {
    if (!groups.contains(statement.group)) continue;
    for (std::size_t line = statement.span.first_line; line <= statement.span.last_line; ++line) {
      lines.insert(line);
    }
  }
  return lines;
}

bool ComparesWithCitedLines(std::string_view code) {
  return code.starts_with("quote/") || code.starts_with("ident/") || code.starts_with("number/") ||
         code.starts_with("support/");
}

// What cannot be told without the cited lines: whether they carry a statement, also one next
// to the one that cites them, and how many statements they carry.
void LeaveUndecided(const Page& page, std::vector<statement::Judgement>& judgements) {
  const std::set<std::size_t> waiting = WaitingLines(page);
  for (statement::Judgement& judgement : judgements) {
    const bool is_about_page = judgement.code == "cite/missing" || judgement.code == "text/claim" ||
                               (judgement.code == "struct/stamp" && judgement.kind == "form" &&
                                judgement.text.ends_with("statements grounded"));
    const bool waits =
        ComparesWithCitedLines(judgement.code) && waiting.contains(judgement.place.line);
    if (!judgement.Fails() || !(is_about_page || waits)) continue;
    judgement.verdict = statement::Verdict::kUndecidable;
    judgement.message =
        std::string(kNotChecked) + (waits ? "not everything that this statement cites is here"
                                          : "not everything that this page cites is here");
    judgement.nearest.clear();
  }
}

}  // namespace

std::vector<statement::Judgement> JudgePage(const Page& page, const PageChecks& checks) {
  std::vector<statement::Judgement> judgements;
  if (page.problem) return judgements;
  const CitedFile file = page.cited();
  Append(JudgeReceipts(file), judgements);
  Append(JudgeQuotes(file), judgements);
  Append(JudgeNames(file), judgements);
  Append(JudgeSupport(file, RefusedPlaces(page, judgements)), judgements);
  Append(JudgeLinks(file, page.source.path, checks.oracle), judgements);
  const code::CodeChecker reading({});
  const code::CodeChecker& code = checks.code != nullptr ? *checks.code : reading;
  Append(code.Judge(page.source.name, page.statements), judgements);
  if (page.IsKnowledge()) {
    Append(FindUncited(file), judgements);
    Append(JudgeStructure(file), judgements);
    // What has a stamp was a draft, and is still held to its rules. Of other pages
    // only letters that look like others are refused.
    std::vector<statement::Judgement> markup = JudgeDraftMarkup(file);
    if (FindStamp(file.statements) == nullptr) {
      std::erase_if(markup, [](const statement::Judgement& judgement) {
        return judgement.code != "text/script";
      });
    }
    Append(std::move(markup), judgements);
  }
  // The gate counts what shares a mark too, which FindUncited judges.
  if (auto stamp = JudgeSupportInStamp(file, judgements)) judgements.push_back(*std::move(stamp));
  if (WaitsForEvidence(page)) LeaveUndecided(page, judgements);
  std::stable_sort(judgements.begin(), judgements.end(),
                   [](const statement::Judgement& a, const statement::Judgement& b) {
                     return std::tie(a.place.line, a.place.column) <
                            std::tie(b.place.line, b.place.column);
                   });
  return judgements;
}

std::vector<std::vector<statement::Judgement>> JudgePages(const Pages& pages,
                                                          const PageChecks& checks) {
  std::vector<std::vector<statement::Judgement>> judgements(pages.size());
  ForEachInParallel(pages.size(), {.threads = ThreadsFor(checks.threads)},
                    [&](std::size_t i) { judgements[i] = JudgePage(*pages[i], checks); });
  std::vector<statement::Judgement*> all;
  for (std::vector<statement::Judgement>& of_page : judgements) {
    for (statement::Judgement& judgement : of_page) all.push_back(&judgement);
  }
  SearchSources(all, checks.resolver);
  return judgements;
}

}  // namespace sibyl::gate
