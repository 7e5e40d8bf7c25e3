// SPDX-License-Identifier: Apache-2.0
#include "gate/citations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "evidence/footnote.h"

namespace sibyl::gate {
namespace {

using State = Resolution::State;

constexpr std::string_view kUnresolved = "cite/unresolved";

// Describes what is wrong with a citation.
void Explain(const Receipt& receipt, statement::Judgement& judgement) {
  const evidence::SourceCitation& citation = *receipt.source();
  const Resolution& found = receipt.resolution;
  const std::string pin = found.pin != nullptr ? found.pin->name : citation.origin;
  const std::string commit = citation.anchor_id.Hex().substr(0, 7);
  judgement.verdict = statement::Verdict::kAbsent;
  switch (found.state) {
    case State::kResolved:
      judgement.verdict = statement::Verdict::kSupported;
      judgement.message = "the cited bytes are unchanged";
      judgement.reason = "the blob was found in the store by its hash";
      return;
    case State::kUnpinned:
      judgement.message = citation.origin.empty()
                              ? "no pinned source has the cited bytes"
                              : fmt::format("{} is not pinned here", citation.origin);
      judgement.reason = "its origin is not pinned, and no other source has the blob";
      return;
    case State::kNoStore:
      judgement.verdict = statement::Verdict::kUndecidable;
      judgement.message = fmt::format("{} is missing from the store", pin);
      judgement.reason = "'sibyl verify --restore' fetches it again";
      return;
    case State::kNoBlob:
      judgement.message = fmt::format("{} has no file with the cited bytes", pin);
      judgement.reason = fmt::format("the store of {} has no blob {}", pin, citation.blob.Hex());
      return;
    case State::kBadLines:
      judgement.message = fmt::format("lines {} are cited, but the file has {}",
                                      evidence::FormatLineRange(citation.lines), found.file_lines);
      return;
    case State::kBadWords:
      judgement.message =
          fmt::format("bytes {}-{} are cited, but they are not in lines {}", citation.words->first,
                      citation.words->last, evidence::FormatLineRange(citation.lines));
      return;
    case State::kOtherBytes:
      judgement.message =
          fmt::format("{} of {}@{} differs from the cited bytes", citation.path, pin, commit);
      return;
    case State::kNoPath:
      judgement.message = fmt::format("{}@{} has no file {}", pin, commit, citation.path);
      return;
    case State::kTooLarge:
      judgement.verdict = statement::Verdict::kUndecidable;
      judgement.message = "the cited file is too large to read";
      return;
  }
}

void ExplainStale(const Receipt& receipt, statement::Judgement& judgement) {
  using evidence::Whereabouts;
  const evidence::SourceCitation& citation = *receipt.source();
  judgement.code = "cite/stale";
  judgement.verdict = statement::Verdict::kStale;
  judgement.reason = fmt::format("{} at the pin differs from the cited commit", citation.path);
  if (!receipt.refound) {
    judgement.message = fmt::format("{} has changed since", citation.path);
    return;
  }
  const evidence::Refound& refound = *receipt.refound;
  switch (refound.whereabouts) {
    case Whereabouts::kUnchanged:
      judgement.message =
          fmt::format("{} has changed since, but not in the cited lines", citation.path);
      break;
    case Whereabouts::kMovedInFile:
    case Whereabouts::kMovedToFile:
      judgement.message = "the cited lines have moved";
      break;
    case Whereabouts::kGone:
      judgement.message = "the cited lines are no longer in the source";
      return;
    case Whereabouts::kAmbiguous:
      judgement.message = fmt::format("the cited lines have changed, and could be in {} places",
                                      refound.candidates.size());
      return;
  }
  judgement.nearest = DescribeSource(refound.citation, receipt.resolution.pin);
  judgement.where.clear();  // the definition itself says where it was
  judgement.reason += "; 'sibyl refresh' renews the citation";
}

statement::Judgement JudgeReceipt(const CitedFile& file, const Receipt& receipt) {
  statement::Judgement judgement{.code = std::string(kUnresolved),
                                 .kind = "citation",
                                 .text = "[^" + receipt.label + "]",
                                 .place = {.file = file.name, .line = receipt.line, .column = 1}};
  if (!receipt.citation) {
    judgement.verdict = statement::Verdict::kAbsent;
    judgement.message = fmt::format("the definition of [^{}] is not a citation: {}", receipt.label,
                                    receipt.problem);
    return judgement;
  }
  if (receipt.source() == nullptr) {
    if (!receipt.other) {
      judgement.message = "not checked: citations of artifacts and lab runs";
      return judgement;
    }
    judgement.verdict = receipt.other->verdict;
    if (judgement.verdict == statement::Verdict::kStale) judgement.code = "cite/stale";
    judgement.message = receipt.other->message;
    judgement.nearest = receipt.other->nearest;
    judgement.where = receipt.other->where;
    judgement.reason = receipt.other->reason;
    return judgement;
  }
  judgement.where = DescribeSource(*receipt.source(), receipt.resolution.pin);
  Explain(receipt, judgement);
  if (receipt.resolution.ok() && receipt.resolution.is_stale) ExplainStale(receipt, judgement);
  return judgement;
}

// A remaining "[^label]" in the text has no definition; in code it is code.
void FindUndefined(const CitedFile& file, const statement::Statement& statement,
                   std::vector<statement::Judgement>& judgements) {
  if (statement.kind == statement::StatementKind::kCode) return;
  const std::string_view text = statement.text;
  for (std::size_t at = text.find("[^"); at != std::string_view::npos;
       at = text.find("[^", at + 2)) {
    // No label is longer; "[^[^[^…" is not searched to its end from every mark.
    constexpr std::size_t kLongestMark = 512;
    const std::size_t length = text.substr(at, kLongestMark).find(']');
    Work::Add(std::min(length, kLongestMark));
    if (length == std::string_view::npos) continue;
    const std::string_view mark = text.substr(at, length + 1);
    if (statement::IsCodeAt(statement, at) || !evidence::FootnoteId(std::string(mark) + ":"))
      continue;
    statement::Judgement judgement = JudgementAt(file, statement, at);
    judgement.verdict = statement::Verdict::kAbsent;
    judgement.code = kUnresolved;
    judgement.kind = "citation";
    judgement.text = mark;
    judgement.message = fmt::format("{} has no definition", mark);
    judgements.push_back(std::move(judgement));
  }
}

}  // namespace

statement::Judgement JudgementAt(const CitedFile& file, const statement::Statement& statement,
                                 std::size_t text_offset) {
  const std::size_t end =
      std::min(file.text_view.size(), statement::SourceOffset(statement, text_offset));
  const std::size_t begin = std::min(end, statement.span.begin);
  const std::vector<std::size_t>& starts = file.statements.line_starts;
  const auto after_begin = std::upper_bound(starts.begin(), starts.end(), begin);
  const auto after_end = std::upper_bound(starts.begin(), starts.end(), end);
  Work::Add(1);
  const auto breaks = static_cast<std::size_t>(after_end - after_begin);
  statement::Judgement judgement;
  judgement.place = {.file = file.name,
                     .line = statement.span.first_line + breaks,
                     .column = breaks == 0 ? statement.span.first_column + (end - begin)
                                           : end - *(after_end - 1) + 1};
  return judgement;
}

std::map<std::uint32_t, std::vector<const Receipt*>> ReceiptsOfParagraphs(
    const statement::Statements& statements, const StatementReceipts& receipts) {
  std::map<std::uint32_t, std::vector<const Receipt*>> paragraphs;
  std::unordered_set<const Receipt*> seen;  // of one group; its statements are neighbours
  std::size_t last_list = 0;
  for (std::size_t i = 0; i < receipts.size(); ++i) {
    const bool is_new_group = i == 0 || statements.all[i].group != statements.all[i - 1].group;
    if (is_new_group) seen.clear();
    if (!is_new_group && receipts.ListOf(i) == last_list) continue;
    last_list = receipts.ListOf(i);
    for (const Receipt* receipt : receipts[i]) {
      Work::Add(1);
      if (seen.insert(receipt).second) paragraphs[statements.all[i].group].push_back(receipt);
    }
  }
  return paragraphs;
}

std::vector<statement::Judgement> JudgeReceipts(const CitedFile& file) {
  std::vector<statement::Judgement> judgements;
  for (const auto& [label, receipt] : file.receipts) {
    if (receipt.uses > 0) judgements.push_back(JudgeReceipt(file, receipt));
  }
  for (const statement::Statement& statement : file.statements.all)
    FindUndefined(file, statement, judgements);
  return judgements;
}

StatementReceipts ReceiptsOfStatements(const CitedFile& file) {
  const std::vector<statement::Statement>& all = file.statements.all;
  StatementReceipts receipts(all.size());
  std::vector<const Receipt*> list;
  std::unordered_set<const Receipt*> seen;
  std::size_t last_cell = 0;  // whose row is being collected
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_cell = all[i].kind == statement::StatementKind::kCell;
    const bool goes_on = is_cell && last_cell != 0 && all[last_cell - 1].group == all[i].group;
    if (!goes_on) {
      list.clear();
      seen.clear();
    }
    for (const std::string& label : all[i].citations) {
      Work::Add(1);
      const auto found = file.receipts.find(label);
      if (found == file.receipts.end() || !seen.insert(&found->second).second) continue;
      list.push_back(&found->second);
    }
    last_cell = is_cell ? i + 1 : 0;
    const bool row_ends =
        is_cell && (i + 1 == all.size() || all[i + 1].kind != statement::StatementKind::kCell ||
                    all[i + 1].group != all[i].group);
    if (list.empty() || (is_cell && !row_ends)) continue;
    const std::size_t made = receipts.AddList(list);
    receipts.SetList(i, made);
    for (std::size_t cell = i; is_cell && cell-- > 0 && all[cell].group == all[i].group;) {
      receipts.SetList(cell, made);
    }
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    const statement::StatementKind kind = all[i].kind;
    const bool is_quoted =
        kind == statement::StatementKind::kCode || kind == statement::StatementKind::kQuote;
    if (!is_quoted || !receipts[i].empty()) continue;
    const bool introduces =
        all[i - 1].heading == all[i].heading && Trim(all[i - 1].text).ends_with(':');
    if (introduces) receipts.SetList(i, receipts.ListOf(i - 1));
  }
  return receipts;
}

}  // namespace sibyl::gate
