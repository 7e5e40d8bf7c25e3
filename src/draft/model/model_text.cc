// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/markdown/fence.h"
#include "base/one_line.h"
#include "base/strings.h"
#include "draft/model/model_lines.h"
#include "draft/model/point_reader.h"

namespace sibyl::draft {
namespace {

// The lines of one point, in their order.
struct Stretch {
  std::vector<std::string_view> lines;
  std::vector<std::string_view> titles;  // on the lines that begin it
};

// Whether what follows the number of a point is more than its title.
bool SaysMore(std::string_view rest) {
  return rest.starts_with(kModelNotFound) || rest.starts_with(kModelContradicted) ||
         rest.find("[k") != std::string_view::npos;
}

// After "NOT FOUND" only what has a key is a statement about the point: the rest
// explains why nothing was found.
ModelPoint ReadStretch(Stretch stretch) {
  const auto first = std::find_if(stretch.lines.begin(), stretch.lines.end(),
                                  [](std::string_view line) { return !Trim(line).empty(); });
  bool is_denied = false;
  if (first != stretch.lines.end() && WithoutDecoration(*first).starts_with(kModelNotFound)) {
    is_denied = true;
    *first = first->substr(first->find(kModelNotFound) + kModelNotFound.size());
    first->remove_prefix(std::min(first->find_first_not_of(" .:*_-"), first->size()));
  }
  ModelPoint point = ReadPoint(stretch.lines);
  for (const std::string_view title : stretch.titles) point.headings.push_back(OneLine(title));
  const bool has_key = std::any_of(point.units.begin(), point.units.end(),
                                   [](const ModelUnit& unit) { return !unit.marks.empty(); });
  if (!is_denied || has_key) return point;
  for (ModelUnit& unit : std::exchange(point.units, {})) {
    point.unused.push_back({.text = std::move(unit.text), .reason = "it follows NOT FOUND"});
  }
  return point;
}

ModelText ReadPoints(const std::vector<std::string_view>& lines, std::size_t points) {
  ModelText text;
  const bool has_lines = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return ReadPointLine(line).has_value();
  });
  std::vector<Stretch> stretches(points);
  std::size_t point = points;  // none
  FenceTracker fences(FenceIndent::kAny);
  for (const std::string_view line : lines) {
    const bool is_code = !has_lines && fences.Take(line) != FencePart::kOutside;
    const std::optional<PointLine> begins = has_lines ? ReadPointLine(line)
                                            : is_code ? std::nullopt
                                                      : ReadPointHeading(line);
    if (begins) {
      point = begins->number >= 1 && begins->number <= points ? begins->number - 1 : points;
      if (point < points) {
        text.has_points = true;
        text.last_point = point;
        auto& rest = SaysMore(begins->rest) ? stretches[point].lines : stretches[point].titles;
        if (!Trim(begins->rest).empty()) rest.push_back(begins->rest);
        continue;
      }
      if (!Trim(begins->rest).empty()) text.stray.push_back(OneLine(begins->rest));
      continue;
    }
    if (point < points) {
      stretches[point].lines.push_back(line);
    } else if (!Trim(line).empty()) {
      text.stray.push_back(OneLine(line));
    }
  }
  std::size_t units = 0;
  for (Stretch& stretch : stretches) {
    text.points.push_back(ReadStretch(std::move(stretch)));
    for (ModelUnit& unit : text.points.back().units) unit.id = units++;
  }
  return text;
}

// The lines of a correction in the form of the statement that it replaces.
std::vector<std::string> InFormOf(const ModelUnit& failed,
                                  const std::vector<std::string_view>& lines) {
  std::vector<std::string> written;
  for (const std::string_view line : lines) {
    if (Trim(line).empty() && failed.kind != WrittenKind::kCode) continue;
    std::string text(failed.kind == WrittenKind::kCode ? line : Trim(line));
    const bool is_first = written.empty();
    if (is_first && failed.kind == WrittenKind::kItem && ReadListMark(text).bytes == 0) {
      text.insert(0, "- ");
    }
    if (is_first && failed.kind == WrittenKind::kQuote && !text.starts_with('>')) {
      text.insert(0, "> ");
    }
    const bool has_cells = text.find('|') != std::string::npos;
    if (failed.kind == WrittenKind::kRow && has_cells && !text.starts_with('|')) {
      text = "| " + text;
    }
    written.push_back(std::move(text));
  }
  // A row without its table is read below a head.
  if (failed.kind == WrittenKind::kRow) written.insert(written.begin(), {"| |", "| --- |"});
  return written;
}

// "DROP", "drop.", "DROP: the passage does not say it"; not "Drop the cache first."
bool SaysDrop(const std::vector<std::string_view>& lines) {
  constexpr std::string_view kDrop = "drop";
  for (const std::string_view line : lines) {
    if (Trim(line).empty()) continue;
    const std::string_view plain = WithoutDecoration(line);
    if (!StartsWithIgnoringCase(plain, kDrop)) return false;
    const std::string_view rest = Trim(plain.substr(kDrop.size()));
    return rest.empty() || rest == "." || (plain.starts_with("DROP") && !IsAlphanumeric(rest[0]));
  }
  return false;
}

// Whether a unit can be in the place of the one that failed.
bool Fits(WrittenKind kind, WrittenKind failed) {
  if (failed == WrittenKind::kRow || kind == WrittenKind::kRow) return kind == failed;
  return true;
}

ModelRepair ReadRepair(const std::vector<std::string_view>& lines, const ModelUnit& failed) {
  ModelRepair repair;
  if (SaysDrop(lines)) {
    repair.is_dropped = true;
    return repair;
  }
  const std::vector<std::string> written = InFormOf(failed, lines);
  ModelPoint read = ReadPoint({written.begin(), written.end()});
  repair.unused = std::move(read.unused);
  for (std::string& heading : read.headings) {
    repair.unused.push_back({.text = std::move(heading), .reason = "headings are not used"});
  }
  if (failed.kind == WrittenKind::kRow)
    std::erase_if(repair.unused, [](const Unused& one) {
      return one.text.find_first_not_of("| ") == std::string::npos;
    });
  for (ModelUnit& unit : read.units) {
    if (!Fits(unit.kind, failed.kind)) {
      repair.unused.push_back({.text = std::move(unit.text),
                               .reason = "it does not have the form of what it corrects"});
      continue;
    }
    if (unit.kind != WrittenKind::kCode && failed.kind != WrittenKind::kCode) {
      unit.kind = failed.kind;
    }
    unit.step = unit.kind == WrittenKind::kItem ? failed.step : 0;
    unit.group = failed.group;
    repair.units.push_back(std::move(unit));
  }
  return repair;
}

class RepairsReader {
 public:
  RepairsReader(const std::vector<const ModelUnit*>& failed, std::size_t points)
      : failed_(failed), points_(points), at_(failed.size()) {
    repairs_.of.resize(failed.size());
  }

  ModelRepairs Read(const std::vector<std::string_view>& lines) {
    FenceTracker fences(FenceIndent::kAny);
    for (const std::string_view line : lines) {
      const bool is_code = fences.Take(line) != FencePart::kOutside;
      const std::optional<RepairLine> repair = is_code ? std::nullopt : ReadRepairLine(line);
      if (repair) {
        Finish();
        const bool is_known = repair->number >= 1 && repair->number <= failed_.size();
        if (is_known) {
          at_ = repair->number - 1;
          repairs_.last = at_;
        }
        (is_known ? stretch_ : others_).push_back(repair->rest);
        // The fence may open on the line of the number.
        if (ReadFence(repair->rest, FenceIndent::kAny)) fences.Take(repair->rest);
        continue;
      }
      if (!is_code && ReadPointLine(line)) {
        Finish();
        repairs_.last.reset();
      }
      (at_ == failed_.size() ? others_ : stretch_).push_back(line);
    }
    Finish();
    repairs_.more = ReadPoints(others_, points_);
    return std::move(repairs_);
  }

 private:
  void Finish() {
    if (at_ < failed_.size()) {
      ModelRepair read = ReadRepair(stretch_, *failed_[at_]);
      std::optional<ModelRepair>& repair = repairs_.of[at_];
      if (!repair) {
        repair = std::move(read);
      } else {  // the first counts
        for (ModelUnit& unit : read.units) {
          repair->unused.push_back({.text = std::move(unit.text),
                                    .reason = "it is the second "
                                              "correction"});
        }
        for (Unused& unused : read.unused) repair->unused.push_back(std::move(unused));
      }
    }
    stretch_.clear();
    at_ = failed_.size();
  }

  const std::vector<const ModelUnit*>& failed_;
  std::size_t points_;
  std::size_t at_;  // what is being read; none: the number of failed ones
  std::vector<std::string_view> stretch_;
  std::vector<std::string_view> others_;
  ModelRepairs repairs_;
};

}  // namespace

ModelText ReadModelText(std::string_view answer, std::size_t points) {
  return ReadPoints(AnswerLines(answer), points);
}

std::vector<std::size_t> KeptUnits(const ModelPoint& point, const std::set<std::size_t>& left_out) {
  std::vector<std::size_t> kept;
  for (std::size_t u = 0; u < point.units.size(); ++u) {
    if (!left_out.contains(point.units[u].id)) kept.push_back(u);
  }
  return kept;
}

ModelText ReadRest(std::string_view answer, std::size_t point,
                   const std::vector<std::string>& table_head, std::size_t points) {
  std::vector<std::string_view> lines = AnswerLines(answer);
  const auto is_text = [](std::string_view line) { return !Trim(line).empty(); };
  auto first = std::find_if(lines.begin(), lines.end(), is_text);
  if (first != lines.end() && ReadPointLine(*first)) {
    if (ReadPointLine(*first)->number != point + 1) return ReadPoints(lines, points);
    lines.erase(lines.begin(), first + 1);
    first = std::find_if(lines.begin(), lines.end(), is_text);
  }
  const std::string begin = fmt::format("=== {}", point + 1);
  const auto at = static_cast<std::size_t>(first - lines.begin());
  const bool is_row = first != lines.end() && Trim(*first).starts_with('|');
  const bool has_head = is_row && at + 1 < lines.size() &&
                        Trim(lines[at + 1]).find_first_not_of("|-: ") == std::string_view::npos;
  if (is_row && !has_head) lines.insert(first, table_head.begin(), table_head.end());
  lines.insert(lines.begin(), begin);
  return ReadPoints(lines, points);
}

std::optional<ModelUnit> TakeLastUnit(ModelText& text) {
  if (!text.last_point || text.points[*text.last_point].units.empty()) return std::nullopt;
  std::vector<ModelUnit>& units = text.points[*text.last_point].units;
  ModelUnit last = std::move(units.back());
  units.pop_back();
  return last;
}

ModelRepairs ReadRepairs(std::string_view answer, const std::vector<const ModelUnit*>& failed,
                         std::size_t points) {
  return RepairsReader(failed, points).Read(AnswerLines(answer));
}

}  // namespace sibyl::draft
