// SPDX-License-Identifier: Apache-2.0
#include "draft/model/manuscript.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/ascii.h"
#include "base/one_line.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "draft/model/table_cells.h"

namespace sibyl::draft {
namespace {

std::set<std::string> WordsOf(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : LowerCase(text) + ' ') {
    if (IsAlphanumeric(c)) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

}  // namespace

bool IsTitleOf(std::string_view heading, std::string_view title) {
  const std::set<std::string> a = WordsOf(heading);
  const std::set<std::string> b = WordsOf(title);
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

bool RefersBack(std::string_view text) {
  // "There is" and "Then" refer to nothing in particular, "This" to what was said last.
  static constexpr std::array<std::string_view, 18> kPronouns = {
      "it",      "its",      "they",      "their",     "them",  "this", "these",  "those",  "such",
      "neither", "likewise", "otherwise", "therefore", "hence", "thus", "latter", "former", "same"};
  std::string first;
  std::string second;
  std::size_t at = text.find_first_not_of("*_ ");
  for (std::string* word : {&first, &second}) {
    while (at < text.size() && IsAlphanumeric(text[at])) *word += text[at++];
    if (at >= text.size() || text[at] != ' ') break;
    ++at;
  }
  first = LowerCase(first);
  second = LowerCase(second);
  // "In that table", "With this flag"
  static constexpr std::array<std::string_view, 14> kBefore = {
      "in",   "for",   "with",   "on",    "at",     "by", "of",
      "from", "after", "before", "under", "within", "to", "without"};
  static constexpr std::array<std::string_view, 7> kPointing = {"this", "that", "these", "those",
                                                                "it",   "them", "such"};
  if (IsOneOf(first, kBefore) && IsOneOf(second, kPointing)) return true;
  // "Both are read", but not "Both scales must be contiguous"
  static constexpr std::array<std::string_view, 22> kVerbs = {
      "are",  "were", "have",  "can",    "must",   "may",    "will",    "do",
      "of",   "use",  "take",  "call",   "return", "need",   "require", "support",
      "read", "run",  "write", "accept", "wait",   "default"};
  if (first == "both") return second.empty() || IsOneOf(second, kVerbs);
  // "That is why", but not "That the kernel waits means".
  if (first == "that" && (second == "is" || second == "means" || second == "makes")) return true;
  return IsOneOf(first == "the" ? second : first, kPronouns);
}

void Manuscript::Begin(const Gathered& gathered) {
  for (const GatheredSection& section : gathered.sections) {
    Titles& titles = titles_.emplace_back();
    titles.section = section.title;
    for (const GatheredPoint& point : section.points) {
      titles.points.push_back(point.point);
      titles.is_covered.push_back(point.covered.has_value());
    }
    points_.emplace_back(section.points.size());
  }
}

std::size_t Manuscript::Open(std::size_t section, std::size_t point, std::string text) {
  records_.push_back(
      {.section = section, .point = point, .text = std::move(text), .refusal = std::nullopt});
  return records_.size() - 1;
}

void Manuscript::Close(std::size_t id, Refusal why) {
  if (!refused_.insert(id).second) return;
  records_[id].refusal = std::move(why);
}

void Manuscript::Note(std::size_t section, std::optional<std::size_t> point, std::string text,
                      Refusal why) {
  Close(Open(section, point.value_or(points_[section].size()), std::move(text)), std::move(why));
}

void Manuscript::NoteOfPage(std::string text, Refusal why) {
  Close(Open(points_.size(), 0, std::move(text)), std::move(why));
}

void Manuscript::Keep(std::size_t section, ModelText text) {
  TakeText(section, std::move(text), Repeats::kAreKept);
}

void Manuscript::KeepRest(std::size_t section, ModelText text) {
  TakeText(section, std::move(text), Repeats::kArePassedOver);
}

void Manuscript::TakeText(std::size_t section, ModelText text, Repeats repeats) {
  for (std::string& line : text.stray) {
    Note(section, std::nullopt, std::move(line),
         {.kind = LossKind::kForm, .reason = "it belongs to no point"});
  }
  for (std::size_t p = 0; p < text.points.size(); ++p) {
    TakePoint(section, p, std::move(text.points[p]), repeats);
  }
}

void Manuscript::TakePoint(std::size_t section, std::size_t p, ModelPoint added, Repeats repeats) {
  ModelPoint& point = points_[section][p];
  const Titles& titles = titles_[section];
  for (Unused& unused : added.unused) {
    Note(section, p, std::move(unused.text),
         {.kind = LossKind::kForm, .reason = std::move(unused.reason)});
  }
  for (std::string& heading : added.headings) {
    if (IsTitleOf(heading, titles.points[p] + ' ' + titles.section)) continue;
    Note(section, p, std::move(heading),
         {.kind = LossKind::kForm, .reason = "headings are not used"});
  }
  const std::size_t groups = point.table_heads.size();
  const std::size_t before = point.units.size();
  for (ModelUnit& unit : added.units) {
    const bool is_repeated =
        repeats == Repeats::kArePassedOver &&
        std::any_of(point.units.begin(), point.units.begin() + static_cast<std::ptrdiff_t>(before),
                    [&](const ModelUnit& known) {
                      return known.kind == unit.kind && known.text == unit.text;
                    });
    if (is_repeated) continue;
    unit.group += groups;
    unit.id = Open(section, p, unit.text);
    if (titles.is_covered[p]) {
      Close(unit.id,
            {.kind = LossKind::kForm, .reason = "the oracle has a page about this point already"});
    }
    point.units.push_back(std::move(unit));
  }
  std::move(added.table_heads.begin(), added.table_heads.end(),
            std::back_inserter(point.table_heads));
  std::move(added.asks.begin(), added.asks.end(), std::back_inserter(point.asks));
  point.is_contradicted = point.is_contradicted || added.is_contradicted;
}

void Manuscript::Refuse(const UnitPlace& place, Refusal why) {
  Close(UnitAt(place).id, std::move(why));
}

bool Manuscript::Replace(const UnitPlace& place, std::optional<ModelRepair> by,
                         const Refusal& why) {
  const ModelUnit failed = UnitAt(place);
  const auto drop = [&](std::string_view what) {
    Close(failed.id,
          {.kind = why.kind, .reason = fmt::format("the check: {}; {}", why.reason, what)});
    return false;
  };
  if (!by) return drop("the model did not correct it");
  for (Unused& unused : by->unused) {
    Note(place.section, place.point, std::move(unused.text),
         {.kind = LossKind::kForm,
          .reason = fmt::format("written as a correction; {}", unused.reason)});
  }
  if (by->units.empty()) {
    return drop(by->is_dropped ? "the model dropped it" : "its correction could not be used");
  }
  Close(failed.id, {.kind = LossKind::kCorrected, .reason = why.reason});
  ModelPoint& point = PointOf(place);
  for (ModelUnit& unit : by->units) {
    // Code is never within a paragraph.
    if (unit.kind == WrittenKind::kCode || failed.kind == WrittenKind::kCode) {
      unit.group = point.table_heads.size();
      point.table_heads.emplace_back();
    }
    unit.id = Open(place.section, place.point, unit.text);
  }
  point.units.insert(point.units.begin() + static_cast<std::ptrdiff_t>(place.unit) + 1,
                     std::make_move_iterator(by->units.begin()),
                     std::make_move_iterator(by->units.end()));
  return true;
}

bool Manuscript::ReplaceHead(const HeadPlace& place, std::optional<ModelRepair> by,
                             const Refusal& why) {
  std::string& head = points_[place.section][place.point].table_heads[place.group].front();
  if (!by) return false;
  bool is_replaced = false;
  const auto note = [&](std::string text, std::string_view reason) {
    Note(place.section, place.point, std::move(text),
         {.kind = LossKind::kForm, .reason = fmt::format("written as a correction; {}", reason)});
  };
  for (Unused& unused : by->unused) note(std::move(unused.text), unused.reason);
  for (ModelUnit& unit : by->units) {
    if (unit.text.find_first_not_of("|-: ") == std::string::npos) continue;  // its second line
    const bool has_columns = CellsOfRow(unit.text).size() == CellsOfRow(head).size();
    if (is_replaced || !has_columns) {
      note(std::move(unit.text), is_replaced ? "only the header of the table was asked for"
                                             : "it does not have the columns of the table");
      continue;
    }
    Note(place.section, place.point, std::exchange(head, std::move(unit.text)),
         {.kind = LossKind::kCorrected, .reason = why.reason});
    is_replaced = true;
  }
  return is_replaced;
}

Manuscript::Head Manuscript::HeadAt(const HeadPlace& place) const {
  const ModelPoint& point = points_[place.section][place.point];
  Head head;
  head.unit.kind = WrittenKind::kRow;
  head.unit.text = point.table_heads[place.group].front();
  for (const ModelUnit& unit : point.units) {
    if (unit.group != place.group || refused_.contains(unit.id)) continue;
    if (head.first_row.empty()) head.first_row = unit.text;
    std::copy(unit.marks.begin(), unit.marks.end(), std::back_inserter(head.unit.marks));
  }
  return head;
}

void Manuscript::AddOwn(const UnitPlace& place, std::string text) {
  ModelPoint& point = PointOf(place);
  ModelUnit own{.text = text, .info = {}, .marks = {}, .group = point.table_heads.size()};
  point.table_heads.emplace_back();
  own.id = Open(place.section, place.point, std::move(text));
  records_.back().is_own = true;
  point.units.insert(point.units.begin() + static_cast<std::ptrdiff_t>(place.unit) + 1,
                     std::move(own));
}

void Manuscript::ForEachKept(const Take& take) const {
  for (std::size_t s = 0; s < points_.size(); ++s) {
    for (std::size_t p = 0; p < points_[s].size(); ++p) {
      const std::vector<std::size_t> kept = KeptUnits(points_[s][p], refused_);
      for (std::size_t i = 0; i < kept.size(); ++i) {
        take(UnitPlace{.section = s, .point = p, .unit = kept[i]}, kept, i);
      }
    }
  }
}

bool Manuscript::IsOrphan(const UnitPlace& place, const std::set<std::size_t>& shown) const {
  const ModelPoint& point = PointOf(place);
  const ModelUnit& unit = point.units[place.unit];
  const bool is_prose = unit.kind == WrittenKind::kSentence || unit.kind == WrittenKind::kItem;
  if (!is_prose || records_[unit.id].is_own || !RefersBack(unit.text)) return false;
  for (std::size_t u = place.unit; u-- > 0;) {
    const Record& before = records_[point.units[u].id];
    const bool is_corrected = before.refusal && before.refusal->kind == LossKind::kCorrected;
    if (before.is_own || is_corrected) continue;
    return !shown.contains(point.units[u].id);
  }
  return false;
}

std::string Manuscript::Before(const UnitPlace& place) const {
  const ModelPoint& point = PointOf(place);
  const ModelUnit& unit = point.units[place.unit];
  if (unit.kind == WrittenKind::kRow && !point.table_heads[unit.group].empty()) {
    return point.table_heads[unit.group].front();
  }
  for (std::size_t u = place.unit; u-- > 0;) {
    if (!refused_.contains(point.units[u].id)) return point.units[u].text;
  }
  return {};
}

std::vector<Omission> Manuscript::Losses(const std::set<std::size_t>& shown,
                                         const Refusal& otherwise) const {
  std::vector<std::size_t> order(records_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(records_[a].section, records_[a].point) <
           std::tie(records_[b].section, records_[b].point);
  });
  std::vector<Omission> losses;
  for (const std::size_t id : order) {
    const Record& record = records_[id];
    if (record.is_own || shown.contains(id)) continue;
    const Refusal& why = record.refusal ? *record.refusal : otherwise;
    const bool has_point =
        record.section < titles_.size() && record.point < titles_[record.section].points.size();
    losses.push_back({.point = has_point ? titles_[record.section].points[record.point] : "",
                      .text = OneLine(record.text),
                      .reason = why.reason,
                      .kind = why.kind});
  }
  for (std::size_t s = 0; s < points_.size(); ++s) {
    for (std::size_t p = 0; p < points_[s].size(); ++p) {
      for (Omission& head : LostHeads(points_[s][p], shown, otherwise)) {
        head.point = titles_[s].points[p];
        losses.push_back(std::move(head));
      }
    }
  }
  return losses;
}

// The heads of tables without a row on the page.
std::vector<Omission> Manuscript::LostHeads(const ModelPoint& point,
                                            const std::set<std::size_t>& shown,
                                            const Refusal& otherwise) const {
  std::vector<Omission> lost;
  for (std::size_t group = 0; group < point.table_heads.size(); ++group) {
    if (point.table_heads[group].empty()) continue;
    const auto is_row = [&](const ModelUnit& unit) { return unit.group == group; };
    const bool is_shown =
        std::any_of(point.units.begin(), point.units.end(),
                    [&](const ModelUnit& unit) { return is_row(unit) && shown.contains(unit.id); });
    const auto row = std::find_if(point.units.begin(), point.units.end(), is_row);
    if (is_shown || row == point.units.end()) continue;
    const Refusal& why = records_[row->id].refusal ? *records_[row->id].refusal : otherwise;
    lost.push_back({.point = "",
                    .text = OneLine(point.table_heads[group].front()),
                    .reason = "the head of a table without rows: " + why.reason,
                    .kind = why.kind == LossKind::kCorrected ? LossKind::kForm : why.kind});
  }
  return lost;
}

}  // namespace sibyl::draft
