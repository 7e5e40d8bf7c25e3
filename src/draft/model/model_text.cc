// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_text.h"

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/ascii.h"
#include "base/markdown/fence.h"
#include "base/one_line.h"
#include "base/strings.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/model_lines.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostUnits = 400;  // of a point
constexpr std::size_t kMostUnitBytes = 4000;

// The end of the bracket that opens at `open`. The words that a key gives may
// contain one: [kbcdfghjk:3 "a[i] is 4"].
std::size_t BracketEnd(std::string_view text, std::size_t open) {
  const std::size_t end = text.find(']', open);
  const std::string_view inside = text.substr(open + 1, end - open - 1);
  const std::size_t quote = inside.find(" \"");
  if (end == std::string_view::npos || quote == std::string_view::npos ||
      !PassageKeys::LooksLikeKey(Trim(inside.substr(0, quote)))) {
    return end;
  }
  // The words end before "]", or before a comma and another key.
  constexpr std::size_t kLongest = 1024;
  text = text.substr(0, open + kLongest);
  for (std::size_t at = text.find(']', open + quote + 3); at != std::string_view::npos;
       at = text.find(']', at + 1)) {
    const std::string_view whole = Trim(text.substr(open + 1, at - open - 1));
    const std::string_view last = Trim(whole.substr(whole.find_last_of(",;") + 1));
    if (whole.ends_with('"') || PassageKeys::LooksLikeKey(last)) return at;
  }
  return end;
}

// Plain text and its keys out of one line of Markdown.
class InlineCleaner {
 public:
  explicit InlineCleaner(std::string_view text) : text_(text) {}

  std::string Clean(std::vector<std::string>& marks) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\') {
        CopyEscape();
      } else if (c == '`') {
        CopyCode();
      } else if (c == '!' && text_.substr(at_ + 1, 1) == "[") {
        ++at_;  // an image is its words at most
      } else if (c == '[') {
        Bracket(marks);
      } else if (c == '<') {
        Angle();
      } else if (StartsUrl()) {
        CopyUrl();
      } else {
        out_ += c;
        ++at_;
      }
    }
    // Leftovers of removed marks: " ." and double spaces.
    std::string tidy;
    for (const char c : out_) {
      const bool closes = c == '.' || c == ',' || c == ';' || c == ':';
      if (c == ' ' && (tidy.empty() || tidy.back() == ' ')) continue;
      if (closes && tidy.ends_with(' ')) tidy.pop_back();
      tidy += c;
    }
    std::string clean(Trim(tidy));
    // One at the end would escape the footnote mark that follows.
    if (EndsWithOddBackslashes(clean)) clean += '\\';
    return clean;
  }

 private:
  static bool EndsWithOddBackslashes(std::string_view text) {
    const std::size_t last = text.find_last_not_of('\\');
    const std::size_t others = last == std::string_view::npos ? 0 : last + 1;
    return (text.size() - others) % 2 == 1;
  }

  // An escaped sign stays escaped: a second backslash before it would undo
  // that.
  void CopyEscape() {
    out_ += '\\';
    ++at_;
    if (at_ < text_.size() && std::ispunct(static_cast<unsigned char>(text_[at_])) != 0) {
      out_ += text_[at_];
      ++at_;
    } else if (StartsUrl()) {
      out_ += '\\';  // or it would escape the backtick of the address
    }
  }

  void CopyCode() {
    std::size_t ticks = at_;
    while (ticks < text_.size() && text_[ticks] == '`') ++ticks;
    const std::string_view fence = text_.substr(at_, ticks - at_);
    const std::size_t end = text_.find(fence, ticks);
    if (end == std::string_view::npos) {
      out_ += "\\`";
      at_ = ticks;
      return;
    }
    const std::size_t past = end + fence.size();
    out_ += text_.substr(at_, past - at_);
    at_ = past;
  }

  // Keys, a link's words, a footnote, or plain brackets.
  void Bracket(std::vector<std::string>& marks) {
    const std::size_t end = BracketEnd(text_, at_);
    if (end == std::string_view::npos) {
      out_ += "\\[";
      ++at_;
      return;
    }
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (TakeKeys(inside, marks)) {
      at_ = end + 1;
      return;
    }
    if (inside.starts_with('^')) {
      at_ = end + 1;
      return;
    }
    if (text_.substr(end + 1, 1) == "(") {
      const std::size_t close = text_.find(')', end);
      std::vector<std::string> ignored;
      out_ += InlineCleaner(inside.substr(0, inside.find('['))).Clean(ignored);
      at_ = close == std::string_view::npos ? text_.size() : close + 1;
      return;
    }
    out_ += "\\[";
    ++at_;
  }

  // The comma or semicolon after the first key, and after its words.
  static std::size_t PieceEnd(std::string_view inside) {
    const std::size_t comma = inside.find_first_of(",;");
    const std::size_t quote = inside.find(" \"");
    if (quote == std::string_view::npos || comma < quote) return comma;
    for (std::size_t at = inside.find('"', quote + 2); at != std::string_view::npos;
         at = inside.find('"', at + 1)) {
      const std::string_view rest = Trim(inside.substr(at + 1));
      if (rest.empty()) return std::string_view::npos;
      if (rest.front() == ',' || rest.front() == ';') return inside.find_first_of(",;", at);
    }
    return std::string_view::npos;
  }

  static bool TakeKeys(std::string_view inside, std::vector<std::string>& marks) {
    std::vector<std::string> keys;
    while (!inside.empty()) {
      const std::size_t comma = PieceEnd(inside);
      const std::string_view piece = Trim(inside.substr(0, comma));
      if (!PassageKeys::LooksLikeKey(piece)) return false;
      keys.emplace_back(piece);
      inside = comma == std::string_view::npos ? std::string_view() : inside.substr(comma + 1);
    }
    if (keys.empty()) return false;
    marks.insert(marks.end(), keys.begin(), keys.end());
    return true;
  }

  // A tag or an address in angles goes; a lone sign stays, escaped.
  void Angle() {
    const std::size_t end = text_.find('>', at_);
    const bool is_tag = end != std::string_view::npos && at_ + 1 < text_.size() &&
                        (std::isalpha(static_cast<unsigned char>(text_[at_ + 1])) != 0 ||
                         text_[at_ + 1] == '/' || text_[at_ + 1] == '!');
    if (is_tag) {
      at_ = end + 1;
      return;
    }
    out_ += "\\<";
    ++at_;
  }

  bool StartsUrl() const {
    const std::string_view rest = text_.substr(at_);
    return StartsWithIgnoringCase(rest, "http://") || StartsWithIgnoringCase(rest, "https://") ||
           StartsWithIgnoringCase(rest, "ftp://") || StartsWithIgnoringCase(rest, "www.");
  }

  // In code font: not clickable, and checked against the passages like any
  // other name.
  void CopyUrl() {
    std::size_t end = std::min(text_.find_first_of(" \t`<>[]()\"", at_), text_.size());
    while (end > at_ && std::string_view(".,;:!?").find(text_[end - 1]) != std::string_view::npos) {
      --end;
    }
    out_ += InCode(text_.substr(at_, end - at_));
    at_ = std::max(end, at_ + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

// A line that Markdown would parse as the start of another block.
std::string AtLineStart(std::string text) {
  if (text.empty()) return text;
  if (std::string_view("#>-+=|~:").find(text[0]) != std::string_view::npos ||
      (text[0] == '*' && text.substr(1, 1) == " ")) {
    return '\\' + text;
  }
  std::size_t digits = 0;
  while (digits < text.size() && IsDigit(text[digits])) ++digits;
  const bool is_item = digits > 0 && digits < text.size() &&
                       (text[digits] == '.' || text[digits] == ')') &&
                       (digits + 1 == text.size() || text[digits + 1] == ' ');
  if (is_item) text.insert(digits, "\\");
  return text;
}

bool EndsWithAbbreviation(std::string_view text) {
  for (const std::string_view word : {"e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no."}) {
    if (text.size() >= word.size() &&
        EqualsIgnoringCase(text.substr(text.size() - word.size()), word)) {
      return true;
    }
  }
  return false;
}

// Of the bracket whose inside begins here.
std::string_view FirstKey(std::string_view inside) {
  return Trim(inside.substr(0, inside.find_first_of(",;]\" ")));
}

// Where the sentence that begins at `from` ends, its marks included.
std::size_t SentenceEnd(std::string_view text, std::size_t from) {
  bool in_code = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '`') in_code = !in_code;
    if (!in_code && text[i] == '[' && PassageKeys::LooksLikeKey(FirstKey(text.substr(i + 1)))) {
      if (const std::size_t end = BracketEnd(text, i); end != std::string_view::npos) i = end;
    }
    if (in_code || std::string_view(".!?").find(text[i]) == std::string_view::npos) continue;
    std::size_t end = i + 1;
    while (end < text.size() &&
           std::string_view(".!?\"')*").find(text[end]) != std::string_view::npos) {
      ++end;
    }
    if (EndsWithAbbreviation(text.substr(from, end - from))) continue;
    // Marks that follow belong to it.
    std::size_t next = end;
    for (;;) {
      std::size_t open = text.find_first_not_of(' ', next);
      if (open == std::string_view::npos || text[open] != '[') break;
      const std::size_t close = BracketEnd(text, open);
      if (close == std::string_view::npos) break;
      if (!PassageKeys::LooksLikeKey(FirstKey(text.substr(open + 1)))) break;
      next = close + 1;
      if (next < text.size() && text[next] == '.') ++next;
    }
    if (next >= text.size()) return text.size();
    if (text[next] != ' ') continue;
    const std::size_t begin = text.find_first_not_of(' ', next);
    if (begin == std::string_view::npos) return text.size();
    const char first = text[begin];
    const bool begins = std::isupper(static_cast<unsigned char>(first)) != 0 || IsDigit(first) ||
                        first == '`' || first == '"' || first == '*' ||
                        static_cast<unsigned char>(first) >= 0x80 || next > end;
    if (begins) return next;
  }
  return text.size();
}

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
    } else if (const std::size_t mark = ItemMark(line); mark > 0) {
      EndParagraph();
      kind_ = WrittenKind::kItem;
      paragraph_ = line.substr(mark);
    } else {
      if (!paragraph_.empty()) paragraph_ += ' ';
      paragraph_ += line;
    }
  }

  // "CONTRADICTED", "MORE kbcdfghjk:40-120": about the point, never printed.
  bool TakeRemark(std::string_view line) {
    std::string_view plain = WithoutDecoration(line);
    if (plain.starts_with(kModelContradicted) &&
        plain.find_first_not_of(" .:", kModelContradicted.size()) == std::string_view::npos) {
      EndParagraph();
      point_.is_contradicted = true;
      return true;
    }
    if (!plain.starts_with(kModelMore)) return false;
    plain = Trim(plain.substr(kModelMore.size()));
    while (plain.starts_with('[') || plain.starts_with(':')) plain = Trim(plain.substr(1));
    if (!PassageKeys::LooksLikeKey(plain.substr(0, plain.find_first_of(" ],;")))) return false;
    EndParagraph();
    while (!plain.empty()) {
      const std::size_t end = std::min(plain.find_first_of(" ],;["), plain.size());
      if (PassageKeys::LooksLikeKey(plain.substr(0, end))) {
        point_.asks.emplace_back(plain.substr(0, end));
      }
      plain.remove_prefix(std::min(end + 1, plain.size()));
    }
    return true;
  }

  static bool IsRule(std::string_view line) {
    return line.size() >= 3 && line.find_first_not_of("-*_ ") == std::string_view::npos;
  }

  static bool IsHeading(std::string_view line) {
    const std::size_t signs = line.find_first_not_of('#');
    return line.starts_with('#') && (signs == std::string_view::npos || line[signs] == ' ');
  }

  static std::size_t ItemMark(std::string_view line) {
    if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")) return 2;
    std::size_t digits = 0;
    while (digits < line.size() && digits < 3 && IsDigit(line[digits])) ++digits;
    const bool is_numbered = digits > 0 && digits + 1 < line.size() &&
                             (line[digits] == '.' || line[digits] == ')') &&
                             line[digits + 1] == ' ';
    return is_numbered ? digits + 2 : 0;
  }

  void EndParagraph() {
    const std::string text = std::exchange(paragraph_, {});
    const WrittenKind kind = std::exchange(kind_, WrittenKind::kSentence);
    if (Trim(text).empty()) return;
    const std::size_t group = NextGroup();
    if (kind == WrittenKind::kItem) {
      Add(kind, text, group);
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
    return InlineCleaner(WithPlainBrackets(Trim(line))).Clean(marks);
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
    point_.table_heads[group] = {CleanLine(lines[at_], ignored), std::string(Trim(lines[at_ + 1]))};
    std::size_t i = at_ + 2;
    for (; i < lines.size() && Trim(lines[i]).starts_with('|'); ++i) {
      ModelUnit unit{.kind = WrittenKind::kRow, .group = group};
      unit.text = CleanLine(lines[i], unit.marks);
      Keep(std::move(unit));
    }
    at_ = i - 1;
  }

  void Add(WrittenKind kind, std::string_view text, std::size_t group) {
    ModelUnit unit{.kind = kind, .group = group};
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
      point_.too_much.push_back(std::move(unit.text));
      return;
    }
    std::sort(unit.marks.begin(), unit.marks.end());
    unit.marks.erase(std::unique(unit.marks.begin(), unit.marks.end()), unit.marks.end());
    point_.units.push_back(std::move(unit));
  }

  std::size_t NextGroup() {
    point_.table_heads.emplace_back();
    return point_.table_heads.size() - 1;
  }

  ModelPoint point_;
  std::size_t at_ = 0;
  std::string paragraph_;
  WrittenKind kind_ = WrittenKind::kSentence;
};

bool SaysNotFound(const std::vector<std::string_view>& lines) {
  for (const std::string_view line : lines) {
    if (!Trim(line).empty()) return Trim(line).starts_with(kModelNotFound);
  }
  return true;
}

ModelText ReadPoints(const std::vector<std::string_view>& lines, std::size_t points) {
  ModelText text;
  const bool has_lines = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return ReadPointLine(line).has_value();
  });
  std::vector<std::vector<std::string_view>> stretches(points);
  std::size_t point = points;  // none
  FenceTracker fences(FenceIndent::kAny);
  for (const std::string_view line : lines) {
    const bool is_code = !has_lines && fences.Take(line) != FencePart::kOutside;
    const std::optional<PointLine> begins = has_lines ? ReadPointLine(line)
                                            : is_code ? std::nullopt
                                                      : ReadPointHeading(line);
    if (begins) {
      point = begins->number >= 1 && begins->number <= points ? begins->number - 1 : points;
      text.has_points = text.has_points || point < points;
      const bool says_more = begins->rest.starts_with(kModelNotFound) ||
                             begins->rest.starts_with(kModelContradicted) ||
                             begins->rest.find("[k") != std::string_view::npos;
      if (point < points && says_more) stretches[point].push_back(begins->rest);
      continue;
    }
    if (point < points) {
      stretches[point].push_back(line);
    } else if (!Trim(line).empty()) {
      text.stray.push_back(OneLine(line));
    }
  }
  text.points.resize(points);
  for (std::size_t i = 0; i < points; ++i) {
    if (!SaysNotFound(stretches[i])) text.points[i] = PointReader().Read(stretches[i]);
  }
  return text;
}

// In the form of the statement that it replaces; nothing for "DROP".
std::vector<ModelUnit> ReadRepair(const std::vector<std::string_view>& lines,
                                  const ModelUnit& failed) {
  std::vector<std::string> written;
  for (const std::string_view line : lines) {
    if (Trim(line).empty() && failed.kind != WrittenKind::kCode) continue;
    std::string text(failed.kind == WrittenKind::kCode ? line : Trim(line));
    const bool is_first = written.empty();
    if (is_first && failed.kind == WrittenKind::kItem && !text.starts_with("- ")) {
      text.insert(0, "- ");
    }
    if (is_first && failed.kind == WrittenKind::kQuote && !text.starts_with('>')) {
      text.insert(0, "> ");
    }
    written.push_back(std::move(text));
  }
  // A row without its table is read below a head.
  if (failed.kind == WrittenKind::kRow) written.insert(written.begin(), {"| |", "| --- |"});
  std::vector<std::string_view> views(written.begin(), written.end());
  std::vector<ModelUnit> units = PointReader().Read(views).units;
  const bool is_dropped =
      units.size() == 1 && units[0].marks.empty() &&
      StartsWithIgnoringCase(WithoutDecoration(units[0].text.substr(0, 16)), "drop");
  const bool is_row_dropped =
      failed.kind == WrittenKind::kRow && !units.empty() && units[0].kind != WrittenKind::kRow;
  if (is_dropped || is_row_dropped) return {};
  for (ModelUnit& unit : units) {
    unit.kind = failed.kind == WrittenKind::kCode ? unit.kind : failed.kind;
    unit.group = failed.group;
  }
  return units;
}

}  // namespace

ModelText ReadModelText(std::string_view answer, std::size_t points) {
  return ReadPoints(AnswerLines(answer), points);
}

ModelRepairs ReadRepairs(std::string_view answer, const std::vector<const ModelUnit*>& failed,
                         std::size_t points) {
  ModelRepairs repairs;
  repairs.units.resize(failed.size());
  const std::vector<std::string_view> lines = AnswerLines(answer);
  std::vector<std::string_view> others;
  std::vector<std::string_view> stretch;
  std::size_t at = failed.size();  // none
  const auto finish = [&] {
    if (at < failed.size()) repairs.units[at] = ReadRepair(stretch, *failed[at]);
    stretch.clear();
    at = failed.size();
  };
  FenceTracker fences(FenceIndent::kAny);
  bool is_point = false;
  for (const std::string_view line : lines) {
    const bool is_code = fences.Take(line) != FencePart::kOutside;
    const std::optional<RepairLine> repair = is_code ? std::nullopt : ReadRepairLine(line);
    if (repair && repair->number >= 1 && repair->number <= failed.size()) {
      finish();
      at = repair->number - 1;
      stretch.push_back(repair->rest);
      is_point = false;
      // The fence may open on the line of the number.
      if (ReadFence(repair->rest, FenceIndent::kAny)) fences.Take(repair->rest);
      continue;
    }
    if (!is_code && ReadPointLine(line)) {
      finish();
      is_point = true;
    }
    (is_point || at == failed.size() ? others : stretch).push_back(line);
  }
  finish();
  repairs.more = ReadPoints(others, points);
  return repairs;
}

}  // namespace sibyl::draft
