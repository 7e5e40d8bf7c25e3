// SPDX-License-Identifier: Apache-2.0
#include "verify/citations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "evidence/footnote.h"

namespace sibyl::verify {
namespace {

using State = Resolution::State;

constexpr std::string_view kUnresolved = "cite/unresolved";

// What is wrong with a citation, in words; the verdict says how bad it is.
void Explain(const Receipt& receipt, Judgement& judgement) {
  const evidence::SourceCitation& citation = *receipt.source();
  const Resolution& found = receipt.resolution;
  const std::string pin = found.pin != nullptr ? found.pin->name : citation.origin;
  const std::string commit = citation.anchor_id.Hex().substr(0, 7);
  judgement.verdict = Verdict::kAbsent;
  switch (found.state) {
    case State::kResolved:
      judgement.verdict = Verdict::kSupported;
      judgement.message = "the cited bytes are the same";
      judgement.reason = "the blob was found in the store by its hash";
      return;
    case State::kUnpinned:
      judgement.message = citation.origin.empty()
                              ? "no pinned source holds the cited bytes"
                              : fmt::format("{} is not pinned here", citation.origin);
      judgement.reason = "neither its origin is pinned nor does another source hold the blob";
      return;
    case State::kNoStore:
      judgement.verdict = Verdict::kUndecidable;
      judgement.message = fmt::format("the store has lost {}", pin);
      judgement.reason = "'sibyl verify --restore' brings it back";
      return;
    case State::kNoBlob:
      judgement.message = fmt::format("{} has no file with the cited bytes", pin);
      judgement.reason = fmt::format("the store of {} has no blob {}", pin, citation.blob.Hex());
      return;
    case State::kBadLines:
      judgement.message = fmt::format("lines {} are cited, but the file has {}",
                                      evidence::FormatLineRange(citation.lines), found.file_lines);
      return;
    case State::kOtherBytes:
      judgement.message =
          fmt::format("{} of {}@{} holds other bytes than those cited", citation.path, pin, commit);
      return;
    case State::kNoPath:
      judgement.message = fmt::format("{}@{} has no file {}", pin, commit, citation.path);
      return;
    case State::kTooLarge:
      judgement.verdict = Verdict::kUndecidable;
      judgement.message = "the cited file is too large to be read";
      return;
  }
}

void ExplainStale(const Receipt& receipt, Judgement& judgement) {
  using evidence::Whereabouts;
  const evidence::SourceCitation& citation = *receipt.source();
  judgement.code = "cite/stale";
  judgement.verdict = Verdict::kStale;
  judgement.reason =
      fmt::format("{} is another file at the pin than in the cited commit", citation.path);
  if (!receipt.refound) {
    judgement.message = fmt::format("{} has changed since", citation.path);
    return;
  }
  const evidence::Refound& refound = *receipt.refound;
  switch (refound.whereabouts) {
    case Whereabouts::kUnchanged:
      judgement.message =
          fmt::format("{} has changed since, though not in the cited lines", citation.path);
      break;
    case Whereabouts::kMovedInFile:
    case Whereabouts::kMovedToFile:
      judgement.message = "the cited lines have moved";
      break;
    case Whereabouts::kGone:
      judgement.message = "the cited lines are gone from the source";
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

Judgement JudgeReceipt(const CitedFile& file, const Receipt& receipt) {
  Judgement judgement{.code = std::string(kUnresolved),
                      .kind = "citation",
                      .text = "[^" + receipt.label + "]",
                      .place = {.file = file.name, .line = receipt.line, .column = 1}};
  if (!receipt.citation) {
    judgement.verdict = Verdict::kAbsent;
    judgement.message = fmt::format("the definition of [^{}] is not a citation: {}", receipt.label,
                                    receipt.problem);
    return judgement;
  }
  if (receipt.source() == nullptr) {
    if (!receipt.other) {
      judgement.message = "artifacts and lab runs are not looked at here";
      return judgement;
    }
    judgement.verdict = receipt.other->verdict;
    if (judgement.verdict == Verdict::kStale) judgement.code = "cite/stale";
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

// "[^label]" that is still in the text is a mark nobody has defined; in code it
// is code.
void FindUndefined(const CitedFile& file, const Statement& statement,
                   std::vector<Judgement>& judgements) {
  if (statement.kind == StatementKind::kCode) return;
  const std::string_view text = statement.text;
  for (std::size_t at = text.find("[^"); at != std::string_view::npos;
       at = text.find("[^", at + 2)) {
    // No label is longer; "[^[^[^…" is not searched to its end from every mark.
    constexpr std::size_t kLongestMark = 512;
    const std::size_t length = text.substr(at, kLongestMark).find(']');
    Work::Add(std::min(length, kLongestMark));
    if (length == std::string_view::npos) continue;
    const std::string_view mark = text.substr(at, length + 1);
    if (IsCodeAt(statement, at) || !evidence::FootnoteId(std::string(mark) + ":")) continue;
    Judgement judgement = JudgementAt(file, statement, at);
    judgement.verdict = Verdict::kAbsent;
    judgement.code = kUnresolved;
    judgement.kind = "citation";
    judgement.text = mark;
    judgement.message = fmt::format("{} has no definition", mark);
    judgements.push_back(std::move(judgement));
  }
}

}  // namespace

Judgement JudgementAt(const CitedFile& file, const Statement& statement, std::size_t text_offset) {
  const std::size_t end = std::min(file.text_view.size(), SourceOffset(statement, text_offset));
  const std::size_t begin = std::min(end, statement.span.begin);
  const std::vector<std::size_t>& starts = file.statements.line_starts;
  const auto after_begin = std::upper_bound(starts.begin(), starts.end(), begin);
  const auto after_end = std::upper_bound(starts.begin(), starts.end(), end);
  Work::Add(1);
  const auto breaks = static_cast<std::size_t>(after_end - after_begin);
  Judgement judgement;
  judgement.place = {.file = file.name,
                     .line = statement.span.first_line + breaks,
                     .column = breaks == 0 ? statement.span.first_column + (end - begin)
                                           : end - *(after_end - 1) + 1};
  return judgement;
}

std::map<std::uint32_t, std::vector<const Receipt*>> ReceiptsOfParagraphs(
    const Statements& statements, const StatementReceipts& receipts) {
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

std::string Excerpt(std::string_view text) {
  constexpr std::size_t kMost = 80;
  text = Trim(text);
  text = text.substr(0, text.find('\n'));
  if (text.size() <= kMost) return std::string(text);
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

std::vector<Judgement> JudgeReceipts(const CitedFile& file) {
  std::vector<Judgement> judgements;
  for (const auto& [label, receipt] : file.receipts) {
    if (receipt.uses > 0) judgements.push_back(JudgeReceipt(file, receipt));
  }
  for (const Statement& statement : file.statements.all) FindUndefined(file, statement, judgements);
  return judgements;
}

StatementReceipts ReceiptsOfStatements(const CitedFile& file) {
  const std::vector<Statement>& all = file.statements.all;
  StatementReceipts receipts(all.size());
  std::vector<const Receipt*> list;
  std::unordered_set<const Receipt*> seen;
  std::size_t last_cell = 0;  // whose row is being collected
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_cell = all[i].kind == StatementKind::kCell;
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
        is_cell && (i + 1 == all.size() || all[i + 1].kind != StatementKind::kCell ||
                    all[i + 1].group != all[i].group);
    if (list.empty() || (is_cell && !row_ends)) continue;
    const std::size_t made = receipts.AddList(list);
    receipts.SetList(i, made);
    for (std::size_t cell = i; is_cell && cell-- > 0 && all[cell].group == all[i].group;) {
      receipts.SetList(cell, made);
    }
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    const StatementKind kind = all[i].kind;
    const bool is_quoted = kind == StatementKind::kCode || kind == StatementKind::kQuote;
    if (!is_quoted || !receipts[i].empty()) continue;
    const bool introduces =
        all[i - 1].heading == all[i].heading && Trim(all[i - 1].text).ends_with(':');
    if (introduces) receipts.SetList(i, receipts.ListOf(i - 1));
  }
  return receipts;
}

}  // namespace sibyl::verify
