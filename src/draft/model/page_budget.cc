// SPDX-License-Identifier: Apache-2.0
#include "draft/model/page_budget.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/strings.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kSectionHead = 2;  // the heading and an empty line
constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

// On the page: of code also its fences and its mark.
std::size_t LinesOf(const ModelUnit& unit) {
  return unit.kind == WrittenKind::kCode ? 3 + SplitLines(unit.text).size() : 1;
}

std::size_t HeadLines(const ModelPoint& point, const ModelUnit& unit) {
  return unit.group < point.table_heads.size() ? point.table_heads[unit.group].size() : 0;
}

void AddUnit(const ModelPoint& point, std::size_t unit, Piece& piece) {
  const ModelUnit& added = point.units[unit];
  const ModelUnit* last = piece.units.empty() ? nullptr : &point.units[piece.units.back()];
  if (last == nullptr || last->group != added.group) piece.lines += HeadLines(point, added);
  if (last != nullptr && IsSeparated(*last, added)) ++piece.lines;
  piece.lines += LinesOf(added);
  piece.units.push_back(unit);
}

std::size_t LinesOf(const std::vector<Piece>& pieces) {
  std::size_t lines = pieces.empty() ? 0 : pieces.size() - 1;
  for (const Piece& piece : pieces) lines += piece.lines;
  return lines;
}

std::size_t NeedOf(const BudgetedPoint& point) {
  return point.pieces.empty() ? 0 : point.head + LinesOf(point.pieces);
}

std::size_t NeedOf(const BudgetedSection& section) {
  std::size_t need = 0;
  for (const BudgetedPoint& point : section.points) need += NeedOf(point);
  // A section without points says so.
  return kSectionHead + (need == 0 ? 2 : need);
}

// Divides `total` so that nobody gets more than is wanted, and those who want more
// than an equal share get the same.
std::vector<std::size_t> Divide(const std::vector<std::size_t>& wanted, std::size_t total) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::vector<std::size_t> given(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    given[order[i]] = std::min(wanted[order[i]], total / (order.size() - i));
    total -= given[order[i]];
  }
  return given;
}

// Takes pieces as long as they fit, in their order; says how many lines are left.
class PointFiller {
 public:
  explicit PointFiller(const BudgetedPoint& point)
      : point_(point), is_taken_(point.pieces.size()) {}

  std::size_t Fill(std::size_t lines) {
    for (std::size_t i = 0; i < point_.pieces.size(); ++i) {
      const Piece& piece = point_.pieces[i];
      const std::size_t taken = is_taken_[i];
      if (taken == piece.units.size()) continue;
      const std::size_t between = taken > 0 ? 0 : units_ == 0 ? point_.head : 1;
      std::size_t fitting = 0;
      std::size_t cost = 0;
      if (piece.is_divisible) {
        const std::size_t room = lines > between ? lines - between : 0;
        fitting = std::min(piece.units.size() - taken, room);
        cost = between + fitting;
      } else if (between + piece.lines <= lines) {
        fitting = piece.units.size();
        cost = between + piece.lines;
      }
      if (fitting == 0) continue;
      is_taken_[i] = taken + fitting;
      units_ += fitting;
      lines -= cost;
    }
    return lines;
  }

  std::vector<std::size_t> Units() const {
    std::vector<std::size_t> units;
    for (std::size_t i = 0; i < point_.pieces.size(); ++i) {
      const std::vector<std::size_t>& all = point_.pieces[i].units;
      units.insert(units.end(), all.begin(),
                   all.begin() + static_cast<std::ptrdiff_t>(is_taken_[i]));
    }
    return units;
  }

 private:
  const BudgetedPoint& point_;
  std::vector<std::size_t> is_taken_;  // units of each piece
  std::size_t units_ = 0;
};

std::vector<std::vector<std::size_t>> FillSection(const BudgetedSection& section,
                                                  std::size_t lines) {
  std::vector<std::size_t> wanted;
  for (const BudgetedPoint& point : section.points) wanted.push_back(NeedOf(point));
  const std::vector<std::size_t> given =
      Divide(wanted, lines > kSectionHead ? lines - kSectionHead : 0);
  std::vector<PointFiller> fillers;
  std::size_t left = 0;
  for (const BudgetedPoint& point : section.points) fillers.emplace_back(point);
  for (std::size_t p = 0; p < fillers.size(); ++p) left += fillers[p].Fill(given[p]);
  // A whole table that did not fit into an equal share may fit into what is left.
  for (PointFiller& filler : fillers) left = filler.Fill(left);
  std::vector<std::vector<std::size_t>> units;
  units.reserve(fillers.size());
  for (const PointFiller& filler : fillers) units.push_back(filler.Units());
  return units;
}

}  // namespace

bool IsSeparated(const ModelUnit& first, const ModelUnit& second) {
  if (first.group == second.group) return false;
  // Items of one list follow each other without an empty line.
  const bool are_items = first.kind == WrittenKind::kItem && second.kind == WrittenKind::kItem;
  return !are_items || (first.step == 0) != (second.step == 0);
}

bool LeadsIn(const ModelPoint& point, const std::vector<std::size_t>& units, std::size_t at) {
  if (at + 1 >= units.size()) return false;
  const ModelUnit& unit = point.units[units[at]];
  const ModelUnit& next = point.units[units[at + 1]];
  if (unit.kind != WrittenKind::kSentence && unit.kind != WrittenKind::kItem) return false;
  if (next.group == unit.group || next.kind == WrittenKind::kSentence) return false;
  if (unit.text.ends_with(':') || unit.is_bound) return true;
  // A sentence with a citation of its own is worth its line without the table.
  if (unit.kind != WrittenKind::kSentence || !unit.marks.empty()) return false;
  const bool is_alone = at == 0 || point.units[units[at - 1]].group != unit.group;
  return is_alone && next.kind == WrittenKind::kRow;
}

std::vector<std::size_t> BlockAfter(const ModelPoint& point, const std::vector<std::size_t>& units,
                                    std::size_t at) {
  std::vector<std::size_t> block;
  for (std::size_t next = at + 1; next < units.size(); ++next) {
    const ModelUnit& unit = point.units[units[next]];
    if (block.empty() && unit.kind == WrittenKind::kSentence) break;
    if (!block.empty() && IsSeparated(point.units[block.back()], unit)) break;
    block.push_back(units[next]);
  }
  return block;
}

std::vector<Piece> PiecesOf(const ModelPoint& point, const std::vector<std::size_t>& units) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const ModelUnit& unit = point.units[units[i]];
    const ModelUnit* last = i == 0 ? nullptr : &point.units[units[i - 1]];
    const bool goes_on = last != nullptr && !IsSeparated(*last, unit);
    const bool is_led_in = i > 0 && LeadsIn(point, units, i - 1);
    if (!goes_on && !is_led_in) {
      pieces.push_back({.is_divisible = unit.kind == WrittenKind::kSentence});
    }
    if (is_led_in) pieces.back().is_divisible = false;
    AddUnit(point, units[i], pieces.back());
  }
  return pieces;
}

std::vector<std::vector<std::vector<std::size_t>>> FitIntoBudget(
    const std::vector<BudgetedSection>& sections, std::optional<std::size_t> lines) {
  std::vector<std::size_t> wanted;
  wanted.reserve(sections.size());
  for (const BudgetedSection& section : sections) {
    wanted.push_back(std::min(NeedOf(section), section.lines.value_or(kUnlimited)));
  }
  const std::size_t all = std::accumulate(wanted.begin(), wanted.end(), std::size_t{0});
  const std::vector<std::size_t> given = Divide(wanted, lines.value_or(all));
  std::vector<std::vector<std::vector<std::size_t>>> chosen;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    chosen.push_back(FillSection(sections[s], given[s]));
  }
  return chosen;
}

}  // namespace sibyl::draft
