// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/statement_units.h"

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "gate/citations.h"
#include "gate/uncited.h"

namespace sibyl::engine {
namespace {

using statement::Judgement;
using statement::Statement;
using statement::StatementKind;
using statement::Verdict;

// Worse first.
int RankOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kContradicted:
      return 0;
    case Verdict::kAbsent:
      return 1;
    case Verdict::kStale:
      return 2;
    case Verdict::kUndecidable:
      return 3;
    case Verdict::kSupported:
      return 4;
  }
  return 4;
}

Verdict VerdictOfReceipt(const gate::Receipt& receipt) {
  if (!receipt.citation) return Verdict::kAbsent;
  if (receipt.other) return receipt.other->verdict;
  const gate::Resolution& resolution = receipt.resolution;
  if (resolution.ok()) return resolution.is_stale ? Verdict::kStale : Verdict::kSupported;
  const bool cannot_tell = receipt.source() == nullptr || receipt.IsNotHere() ||
                           resolution.state == gate::Resolution::State::kTooLarge;
  return cannot_tell ? Verdict::kUndecidable : Verdict::kAbsent;
}

bool Fails(const StatementUnit& unit) {
  return std::any_of(unit.judgements.begin(), unit.judgements.end(),
                     [](const Judgement* each) { return each->Fails(); });
}

// A sentence without a mark in a paragraph that has some, of which nothing is refused: the
// citations of its neighbours carry it, so it is a statement like them.
class SharedMarks {
 public:
  SharedMarks(const gate::Page& page, const gate::StatementReceipts& receipts)
      : page_(page), paragraphs_(gate::ReceiptsOfParagraphs(page.statements, receipts)) {}

  std::vector<const gate::Receipt*> Of(std::size_t index) const {
    const Statement& one = page_.statements.all[index];
    const bool is_sentence =
        one.kind == StatementKind::kSentence || one.kind == StatementKind::kItem;
    const auto found = paragraphs_.find(one.group);
    if (!is_sentence || found == paragraphs_.end() || Trim(one.text).empty()) return {};
    const bool is_claim = gate::ExemptionOf(page_.statements, index) == gate::Exemption::kNone;
    return is_claim ? found->second : std::vector<const gate::Receipt*>();
  }

 private:
  const gate::Page& page_;
  std::map<std::uint32_t, std::vector<const gate::Receipt*>> paragraphs_;
};

// Statements, or the rows of tables, in the order of the page.
std::vector<StatementUnit> AllUnits(const gate::Page& page) {
  const std::vector<Statement>& all = page.statements.all;
  const gate::StatementReceipts receipts = gate::ReceiptsOfStatements(page.cited());
  const SharedMarks shared(page, receipts);
  std::vector<StatementUnit> units;
  std::map<std::uint32_t, std::size_t> rows;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Statement& one = all[i];
    if (one.kind == StatementKind::kCell) {
      const auto [row, is_new] = rows.try_emplace(one.group, units.size());
      if (!is_new) {
        StatementUnit& unit = units[row->second];
        unit.end = std::max(unit.end, one.span.end);
        unit.text += " | " + one.text;
        continue;
      }
    }
    units.push_back({.kind = one.kind,
                     .begin = one.span.begin,
                     .end = one.span.end,
                     .line = one.span.first_line,
                     .text = one.text,
                     .receipts = receipts[i]});
    if (receipts[i].empty()) {
      units.back().receipts = shared.Of(i);
      units.back().shares_marks = !units.back().receipts.empty();
    }
  }
  return units;
}

std::size_t OffsetOf(const gate::Page& page, const Place& place) {
  const std::vector<std::size_t>& starts = page.statements.line_starts;
  if (place.line < 1 || place.line > starts.size()) return std::string::npos;
  return starts[place.line - 1] + (place.column > 0 ? place.column - 1 : 0);
}

void AddJudgements(const gate::Page& page, const std::vector<Judgement>& judgements,
                   std::vector<StatementUnit>& units) {
  for (const Judgement& judgement : judgements) {
    const std::size_t at = OffsetOf(page, judgement.place);
    if (at == std::string::npos || units.empty()) continue;
    auto after = std::upper_bound(
        units.begin(), units.end(), at,
        [](std::size_t offset, const StatementUnit& unit) { return offset < unit.begin; });
    if (after == units.begin()) continue;
    StatementUnit& unit = *std::prev(after);
    if (at < unit.end) unit.judgements.push_back(&judgement);
  }
}

// Links that lead somewhere and sections that are complete are of no interest
// to a reader.
bool IsOfTheContent(const Judgement& judgement) {
  return judgement.Fails() ||
         !(judgement.code.starts_with("link/") || judgement.code.starts_with("struct/") ||
           judgement.code.starts_with("index/"));
}

bool HasTrouble(const StatementUnit& unit) {
  return std::any_of(unit.judgements.begin(), unit.judgements.end(), [](const Judgement* each) {
    return each->Fails() || each->code == "support/undecided";
  });
}

// What a remark cannot do: be read and compared.
void DropNotes(const gate::Page& page, StatementUnit& unit) {
  const std::size_t before = unit.receipts.size();
  std::erase_if(unit.receipts,
                [&page](const gate::Receipt* receipt) { return IsNote(page, *receipt); });
  if (unit.receipts.size() == before || !unit.receipts.empty()) return;
  std::erase_if(unit.judgements, [](const Judgement* each) {
    return each->code == "support/undecided" && each->words == nullptr;
  });
}

bool WaitsForEvidence(const StatementUnit& unit) {
  const bool is_away =
      std::any_of(unit.receipts.begin(), unit.receipts.end(),
                  [](const gate::Receipt* receipt) { return receipt->IsNotHere(); });
  // What a check of code calls "not checked" needs a tool, not a source.
  if (is_away || unit.kind == StatementKind::kCode) return is_away;
  return std::any_of(unit.judgements.begin(), unit.judgements.end(), [](const Judgement* each) {
    return each->verdict == Verdict::kUndecidable && each->message.starts_with(gate::kNotChecked);
  });
}

std::string_view VerdictOfUnit(const StatementUnit& unit) {
  Verdict worst = Verdict::kSupported;
  const auto consider = [&worst](Verdict verdict) {
    if (RankOf(verdict) < RankOf(worst)) worst = verdict;
  };
  for (const Judgement* judgement : unit.judgements) consider(judgement->verdict);
  for (const gate::Receipt* receipt : unit.receipts) consider(VerdictOfReceipt(*receipt));
  if (worst != Verdict::kUndecidable) return statement::VerdictName(worst);
  if (WaitsForEvidence(unit)) return kUnchecked;
  return unit.kind == StatementKind::kCode ? kUncheckedCode : statement::VerdictName(worst);
}

}  // namespace

bool IsNote(const gate::Page& page, const gate::Receipt& receipt) {
  if (receipt.citation) return false;
  const auto definition = page.statements.footnotes.find(receipt.label);
  return definition != page.statements.footnotes.end() &&
         !Contains(definition->second.line, "<!--") && !Contains(definition->second.line, "swh:1:");
}

std::vector<StatementUnit> UnitsOf(const gate::Page& page,
                                   const std::vector<Judgement>& judgements) {
  std::vector<StatementUnit> units = AllUnits(page);
  AddJudgements(page, judgements, units);
  for (StatementUnit& unit : units) {
    std::erase_if(unit.judgements, [](const Judgement* each) { return !IsOfTheContent(*each); });
    if (unit.shares_marks && Fails(unit)) unit.receipts.clear();
    DropNotes(page, unit);
  }
  std::erase_if(
      units, [](const StatementUnit& unit) { return unit.receipts.empty() && !HasTrouble(unit); });
  std::size_t number = 0;
  for (StatementUnit& unit : units) {
    unit.id = ++number;
    unit.verdict = VerdictOfUnit(unit);
  }
  return units;
}

UnitCounts CountUnits(const std::vector<StatementUnit>& units) {
  UnitCounts counts;
  const std::string_view undecided = statement::VerdictName(Verdict::kUndecidable);
  for (const StatementUnit& unit : units) {
    if (unit.verdict == statement::VerdictName(Verdict::kSupported)) {
      ++counts.holds;
    } else if (unit.verdict == kUnchecked) {
      ++counts.unchecked;
    } else if (unit.verdict == kUncheckedCode) {
      ++counts.unchecked_code;
    } else if (unit.verdict == undecided) {
      ++counts.undecided;
    } else if (unit.verdict == statement::VerdictName(Verdict::kStale)) {
      ++counts.stale;
    } else {
      ++counts.fails;
    }
  }
  return counts;
}

Json UnitCountsAsJson(const UnitCounts& counts) {
  return {{"holds", counts.holds},         {"undecided", counts.undecided},
          {"stale", counts.stale},         {"fails", counts.fails},
          {"unchecked", counts.unchecked}, {"unchecked_code", counts.unchecked_code}};
}

}  // namespace sibyl::engine
