// SPDX-License-Identifier: Apache-2.0
#include "draft/model/point_reader.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/markdown/fence.h"
#include "base/strings.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/model_inline.h"
#include "draft/model/model_lines.h"
#include "draft/model/table_cells.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostUnits = 400;  // of a point
constexpr std::size_t kMostUnitBytes = 4000;

bool IsTableRule(std::string_view line) {
  return line.find('-') != std::string_view::npos &&
         line.find_first_not_of("|-: \t") == std::string_view::npos;
}

class PointReader {
 public:
  ModelPoint Read(const std::vector<std::string_view>& lines) {
    for (at_ = 0; at_ < lines.size(); ++at_) TakeLine(lines);
    EndParagraph();
    return std::move(point_);
  }

 private:
  void TakeLine(const std::vector<std::string_view>& lines) {
    const std::string_view raw = lines[at_];
    const std::string_view line = Trim(raw);
    if (TakeRemark(line)) return;
    if (IsHeading(line)) TakeHeading(line);
    if (const auto fence = ReadFence(raw, FenceIndent::kAny)) {
      EndParagraph();
      TakeCode(lines, fence->info);
    } else if (line.empty() || IsHeading(line) || IsRule(line)) {
      EndParagraph();
    } else if (line.starts_with('|')) {
      EndParagraph();
      TakeTable(lines);
    } else if (line.starts_with('>')) {
      EndParagraph();
      std::string_view quoted = line;
      quoted.remove_prefix(std::min(quoted.find_first_not_of("> "), quoted.size()));
      Add(WrittenKind::kQuote, quoted, NextGroup());
    } else if (const ListMark mark = ReadListMark(line); mark.bytes > 0) {
      EndParagraph();
      kind_ = WrittenKind::kItem;
      step_ = mark.step;
      paragraph_ = line.substr(mark.bytes);
    } else {
      if (!paragraph_.empty()) paragraph_ += ' ';
      paragraph_ += line;
    }
  }

  // "CONTRADICTED", "MORE kbcdfghjk:40-120": about the point, never printed.
  bool TakeRemark(std::string_view line) {
    const std::string_view plain = WithoutDecoration(line);
    return TakeContradiction(plain, line) || TakeAsks(plain);
  }

  // What follows on its line is the first sentence.
  bool TakeContradiction(std::string_view plain, std::string_view line) {
    if (!plain.starts_with(kModelContradicted)) return false;
    const std::string_view rest =
        line.substr(line.find(kModelContradicted) + kModelContradicted.size());
    const std::size_t begin = rest.find_first_not_of(" .:*_-");
    if (begin == 0) return false;
    EndParagraph();
    point_.is_contradicted = true;
    if (begin != std::string_view::npos) paragraph_ = rest.substr(begin);
    return true;
  }

  bool TakeAsks(std::string_view plain) {
    if (!plain.starts_with(kModelMore)) return false;
    plain = Trim(plain.substr(kModelMore.size()));
    while (plain.starts_with('[') || plain.starts_with(':')) plain = Trim(plain.substr(1));
    if (!PassageKeys::LooksLikeKey(plain.substr(0, plain.find_first_of(" ],;")))) return false;
    EndParagraph();
    std::string others;
    while (!plain.empty()) {
      const std::size_t end = std::min(plain.find_first_of(" ],;["), plain.size());
      const std::string_view word = plain.substr(0, end);
      if (PassageKeys::LooksLikeKey(word)) {
        point_.asks.emplace_back(word);
      } else if (std::any_of(word.begin(), word.end(), IsAlphanumeric)) {
        others += others.empty() ? "" : " ";
        others += word;
      }
      plain.remove_prefix(std::min(end + 1, plain.size()));
    }
    if (!others.empty()) Leave(std::move(others), "it follows a request for more lines");
    return true;
  }

  void TakeHeading(std::string_view line) {
    std::vector<std::string> ignored;
    std::string heading = CleanLine(WithoutDecoration(line), ignored);
    if (!heading.empty()) point_.headings.push_back(std::move(heading));
  }

  static bool IsRule(std::string_view line) {
    return line.size() >= 3 && line.find_first_not_of("-*_ ") == std::string_view::npos;
  }

  static bool IsHeading(std::string_view line) {
    const std::size_t signs = line.find_first_not_of('#');
    return line.starts_with('#') && (signs == std::string_view::npos || line[signs] == ' ');
  }

  void EndParagraph() {
    const std::string text = std::exchange(paragraph_, {});
    const WrittenKind kind = std::exchange(kind_, WrittenKind::kSentence);
    const std::size_t step = std::exchange(step_, 0);
    if (Trim(text).empty()) return;
    const std::size_t group = NextGroup();
    if (kind == WrittenKind::kItem) {
      Add(kind, text, group, step);
      return;
    }
    const std::string plain = WithPlainBrackets(text);
    for (std::size_t from = 0; from < plain.size();) {
      const std::size_t end = SentenceEnd(plain, from);
      Add(kind, std::string_view(plain).substr(from, end - from), group);
      from = end;
    }
  }

  static std::string CleanLine(std::string_view line, std::vector<std::string>& marks) {
    return CleanInline(WithPlainBrackets(Trim(line)), marks);
  }

  void TakeCode(const std::vector<std::string_view>& lines, std::string_view info) {
    FenceTracker fences(FenceIndent::kAny);
    fences.Take(lines[at_]);
    ModelUnit unit{.kind = WrittenKind::kCode, .group = NextGroup()};
    // One word: what else stands there could mean something to others.
    for (const char c : info) {
      if (!IsAlphanumeric(c) && c != '+' && c != '-') break;
      unit.info += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    if (unit.info == "example") unit.info.clear();
    std::size_t i = at_ + 1;
    for (; i < lines.size() && fences.Take(lines[i]) != FencePart::kClosing; ++i) {
      unit.text += std::string(lines[i]) + '\n';
    }
    at_ = std::min(i, lines.size() - 1);
    // Only the line after it may have its keys.
    std::size_t next = i + 1;
    while (next < lines.size() && Trim(lines[next]).empty()) ++next;
    if (next < lines.size()) {
      const std::string rest = CleanLine(lines[next], unit.marks);
      if (rest.find_first_not_of(" .") == std::string::npos && !unit.marks.empty()) {
        at_ = next;
      } else {
        unit.marks.clear();
      }
    }
    while (unit.text.ends_with('\n')) unit.text.pop_back();
    if (!unit.text.empty()) Keep(std::move(unit));
  }

  void TakeTable(const std::vector<std::string_view>& lines) {
    const bool has_head = at_ + 1 < lines.size() && IsTableRule(Trim(lines[at_ + 1]));
    const std::size_t group = NextGroup();
    if (!has_head) {
      Add(WrittenKind::kSentence, lines[at_], group);
      return;
    }
    std::vector<std::string> ignored;
    std::string head = CleanLine(lines[at_], ignored);
    std::size_t i = at_ + 2;
    if (i == lines.size() || !Trim(lines[i]).starts_with('|')) {
      at_ = i - 1;
      return Leave(std::move(head), "a table without rows");
    }
    point_.table_heads[group] = {std::move(head), std::string(Trim(lines[at_ + 1]))};
    std::vector<ModelUnit> rows;
    std::vector<std::string*> texts;
    for (; i < lines.size() && Trim(lines[i]).starts_with('|'); ++i) {
      ModelUnit& unit = rows.emplace_back();
      unit.kind = WrittenKind::kRow;
      unit.group = group;
      unit.text = CleanLine(lines[i], unit.marks);
    }
    texts.reserve(rows.size());
    for (ModelUnit& unit : rows) texts.push_back(&unit.text);
    DropEmptyColumns(point_.table_heads[group], texts);
    for (ModelUnit& unit : rows) Keep(std::move(unit));
    at_ = i - 1;
  }

  void Add(WrittenKind kind, std::string_view text, std::size_t group, std::size_t step = 0) {
    ModelUnit unit{.kind = kind, .group = group, .step = step};
    unit.text = CleanLine(text, unit.marks);
    unit.text = AtLineStart(std::move(unit.text));
    // Keys alone belong to the unit before them.
    if (unit.text.find_first_not_of(" .") == std::string::npos) {
      if (!point_.units.empty()) {
        auto& before = point_.units.back().marks;
        before.insert(before.end(), unit.marks.begin(), unit.marks.end());
      }
      return;
    }
    Keep(std::move(unit));
  }

  void Keep(ModelUnit unit) {
    if (point_.units.size() >= kMostUnits || unit.text.size() > kMostUnitBytes) {
      return Leave(std::move(unit.text), "it is too long, or one of too many");
    }
    std::sort(unit.marks.begin(), unit.marks.end());
    unit.marks.erase(std::unique(unit.marks.begin(), unit.marks.end()), unit.marks.end());
    point_.units.push_back(std::move(unit));
  }

  void Leave(std::string text, std::string_view reason) {
    point_.unused.push_back({.text = std::move(text), .reason = std::string(reason)});
  }

  std::size_t NextGroup() {
    point_.table_heads.emplace_back();
    return point_.table_heads.size() - 1;
  }

  ModelPoint point_;
  std::size_t at_ = 0;
  std::string paragraph_;
  WrittenKind kind_ = WrittenKind::kSentence;
  std::size_t step_ = 0;  // of the item in paragraph_
};

}  // namespace

ModelPoint ReadPoint(const std::vector<std::string_view>& lines) {
  return PointReader().Read(lines);
}

}  // namespace sibyl::draft
