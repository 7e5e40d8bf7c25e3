// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/units.h"

#include <algorithm>

#include "base/strings.h"
#include "draft/answer/unit_lines.h"
#include "draft/extract/prose.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostUnitLines = 24;
constexpr std::size_t kMostUnitList = 16;
constexpr std::size_t kMostStatementLines = 10;
constexpr std::size_t kShortSection = 10;
constexpr std::size_t kShortCard = 14;
constexpr std::size_t kCardOpening = 14;
constexpr std::size_t kFencePiece = 16;
constexpr std::size_t kFewEntryLines = 6;
constexpr std::size_t kMostUnitCode = 12;

// Whether the text announces what follows.
bool Announces(std::string_view words) { return words.ends_with(':'); }

class UnitCutter {
 public:
  UnitCutter(std::string_view language, bool is_prose, std::string_view text, Asker asker)
      : raw_(SplitLines(text)), lines_(ReadUnitLines(language, is_prose, text)), asker_(asker) {
    is_prose_ = is_prose || IsProseLanguage(language);
    is_python_ = language == "python" && !is_prose_;
    has_semicolons_ = language == "c" || language == "c++" || language == "cuda";
  }

  std::vector<Unit> Cut() {
    if (IsShortSection()) return CutWhole();
    // A passage of documentation that does not begin with a heading goes on.
    bool is_first = !is_prose_;
    for (std::size_t at = 0; at < lines_.size();) {
      const LineRole role = lines_[at].role;
      if (role == LineRole::kBlank || role == LineRole::kHeading) {
        is_first = is_first || role == LineRole::kHeading;
        ++at;
        continue;
      }
      const std::size_t before = units_.size();
      at = role == LineRole::kText ? CutText(at) : CutCode(at, at);
      if (units_.size() > before) units_[before].is_first = is_first;
      // After a header, the first sentence of the docstring.
      is_first = is_first && !is_prose_ && role == LineRole::kCode;
    }
    return std::move(units_);
  }

  std::vector<Unit> CutCard() {
    if (lines_.size() <= kShortCard) return CutWhole();
    std::vector<Unit> units = Cut();
    std::size_t end = 0;
    while (end < units.size() && units[end].last_line <= kCardOpening) ++end;
    if (end < 2) return units;
    Unit opening = units.front();
    opening.last_line = units[end - 1].last_line;
    opening.text = Lines(opening.first_line - 1, opening.last_line);
    opening.is_first = true;
    units.erase(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(end));
    units.insert(units.begin(), std::move(opening));
    return units;
  }

 private:
  // A section of a few lines is read as a whole.
  bool IsShortSection() const {
    std::size_t used = 0;
    for (const UnitLine& line : lines_) {
      if (line.role == LineRole::kCode && !is_prose_) return false;
      used += line.role == LineRole::kBlank || line.role == LineRole::kHeading ? 0 : 1;
    }
    return is_prose_ && used > 0 && used <= kShortSection;
  }

  std::vector<Unit> CutWhole() {
    std::size_t begin = 0;
    while (begin < lines_.size() &&
           (lines_[begin].role == LineRole::kBlank || lines_[begin].role == LineRole::kHeading)) {
      ++begin;
    }
    if (begin == lines_.size()) return {};
    bool has_code = false;
    bool has_rows = false;
    std::size_t paragraphs = 1;
    for (std::size_t i = begin; i < lines_.size(); ++i) {
      has_code = has_code || lines_[i].role == LineRole::kCode;
      has_rows = has_rows || lines_[i].is_row;
      const bool ends = lines_[i].role == LineRole::kBlank && NextUsed(i) < lines_.size();
      paragraphs += ends || lines_[i].is_entry ? 1 : 0;
    }
    const UnitKind kind = has_code   ? (is_prose_ ? UnitKind::kSample : UnitKind::kCode)
                          : has_rows ? UnitKind::kTable
                                     : UnitKind::kText;
    const bool is_one = kind == UnitKind::kText && paragraphs == 1;
    Add(kind, begin, lines_.size(), {});
    Unit& unit = units_.back();
    unit.text = is_one                    ? Words(begin, unit.last_line)
                : kind == UnitKind::kCode ? RawLines(begin, unit.last_line)
                                          : Lines(begin, unit.last_line);
    unit.is_first = true;
    unit.has_comment = kind == UnitKind::kCode && lines_[begin].role == LineRole::kText;
    return std::move(units_);
  }

  std::size_t NextUsed(std::size_t at) const {
    while (at < lines_.size() && lines_[at].role == LineRole::kBlank) ++at;
    return at;
  }

  // Whether only marks of a comment are between two lines.
  bool Touch(std::size_t end, std::size_t next) const {
    for (; end < next; ++end) {
      if (!lines_[end].is_mark) return false;
    }
    return true;
  }

  bool IsText(std::size_t at) const {
    return at < lines_.size() && lines_[at].role == LineRole::kText;
  }

  // The lines of one paragraph or entry: to the next blank, entry or dedent.
  std::size_t ParagraphEnd(std::size_t begin) const {
    const std::size_t indent = lines_[begin].indent;
    std::size_t at = begin + 1;
    for (; IsText(at); ++at) {
      const UnitLine& line = lines_[at];
      if (line.is_row != lines_[begin].is_row) break;
      if (line.is_row) continue;
      if (line.is_entry && line.indent <= indent) break;
      if (line.is_entry && !lines_[begin].is_entry) break;
      // A term above its text begins the next entry.
      const bool was_deeper = lines_[at - 1].indent > indent;
      if (line.indent <= indent && was_deeper && at > begin + 1) break;
      if (line.indent < indent && lines_[begin].is_entry) break;
    }
    return at;
  }

  // An entry goes on with the deeper paragraphs after it.
  std::size_t EntryEnd(std::size_t begin, std::size_t end) const {
    const std::size_t indent = lines_[begin].indent;
    for (;;) {
      const std::size_t next = NextUsed(end);
      if (next >= lines_.size() || lines_[next].role == LineRole::kHeading) return end;
      if (lines_[next].indent <= indent || lines_[next].opens_fence) return end;
      if (!IsText(next)) return end;
      const std::size_t further = ParagraphEnd(next);
      if (further - begin > kMostUnitLines) return end;
      end = further;
    }
  }

  // One line that says what a function does is read with the paragraph after it.
  bool IsBrief(std::size_t at) const {
    const std::string_view words = lines_[at].words_view;
    return words.starts_with("\\brief") || words.starts_with("@brief");
  }

  std::size_t BriefEnd(std::size_t end) const {
    const std::size_t next = NextUsed(end);
    if (!IsText(next) || lines_[next].is_entry || lines_[next].is_row) return end;
    const std::size_t further = ParagraphEnd(next);
    return further - end <= kMostUnitList ? further : end;
  }

  bool IsFence(std::size_t at) const { return at < lines_.size() && lines_[at].opens_fence; }

  std::size_t FenceEnd(std::size_t at) const {
    while (at < lines_.size() && !lines_[at].closes_fence) {
      if (lines_[at].role != LineRole::kCode && lines_[at].role != LineRole::kBlank) return at;
      ++at;
    }
    return std::min(at + 1, lines_.size());
  }

  std::string Words(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      if (lines_[i].role == LineRole::kBlank) continue;
      if (!text.empty()) text += ' ';
      text += lines_[i].words_view;
    }
    return text;
  }

  // Lines below each other, without the indent that all have.
  std::string Lines(std::size_t begin, std::size_t end) const {
    std::size_t indent = std::string_view::npos;
    for (std::size_t i = begin; i < end; ++i) {
      if (lines_[i].role != LineRole::kBlank) indent = std::min(indent, lines_[i].indent);
    }
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin) text += '\n';
      if (lines_[i].role == LineRole::kBlank) continue;
      text.append(lines_[i].indent - indent, ' ');
      text += lines_[i].words_view;
    }
    return text;
  }

  std::string RawLines(std::size_t begin, std::size_t end) const {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      if (i > begin) text += '\n';
      text += raw_[i];
    }
    return text;
  }

  void Add(UnitKind kind, std::size_t begin, std::size_t end, std::string text,
           std::string lead = {}) {
    while (end > begin + 1 && lines_[end - 1].role == LineRole::kBlank) --end;
    units_.push_back({.kind = kind,
                      .first_line = begin + 1,
                      .last_line = end,
                      .lead = std::move(lead),
                      .text = std::move(text)});
  }

  // ".. versionadded:: 3.19" says since when there is what follows.
  bool IsVersionMark(std::size_t at) const {
    const std::string_view words = lines_[at].words_view;
    return words.starts_with(".. versionadded::") || words.starts_with(".. versionchanged::");
  }

  // A version without a text of its own, with the paragraph after it.
  std::size_t MarkedEnd(std::size_t begin, std::size_t end) const {
    if (!IsVersionMark(begin) || end != begin + 1) return end;
    const std::size_t next = NextUsed(end);
    const bool is_paragraph = IsText(next) && !lines_[next].is_entry && !lines_[next].is_row &&
                              lines_[next].indent == lines_[begin].indent;
    return is_paragraph ? ParagraphEnd(next) : end;
  }

  // A paragraph with what it announces.
  std::size_t CutText(std::size_t begin) {
    if (lines_[begin].is_row) return CutTable(begin, begin, {});
    if (HeadsEntries(begin)) return CutEntries(begin);
    std::size_t end = ParagraphEnd(begin);
    const std::size_t paragraph = end;
    end = IsBrief(begin) ? BriefEnd(end) : EntryEnd(begin, end);
    if (asker_ == Asker::kPerson) end = MarkedEnd(begin, end);
    const std::size_t next = NextUsed(end);
    const bool announces = Announces(lines_[end - 1].words_view);
    if (IsFence(next)) {
      const std::size_t fence = FenceEnd(next);
      if (fence - begin <= kMostUnitLines) {
        Add(UnitKind::kSample, begin, fence, Lines(begin, fence));
        return fence;
      }
      Add(UnitKind::kText, begin, end, Words(begin, end));
      return CutFence(next);
    }
    if (IsText(next) && lines_[next].is_row) return CutTable(begin, next, Words(begin, end));
    const bool lists = IsText(next) && (lines_[next].is_entry || (announces && IsTerm(next)));
    if (lists && (announces || next == end) && !lines_[begin].is_entry) {
      return CutList(begin, end, next);
    }
    // A comment with the statement below it.
    if (Touch(end, next) && next < lines_.size() && lines_[next].role == LineRole::kCode) {
      const std::size_t code = StatementEnd(next);
      Add(UnitKind::kCode, begin, code, RawLines(begin, code));
      units_.back().has_comment = true;
      return code;
    }
    const bool is_one = paragraph == end && !HasSteps(begin, end);
    Add(UnitKind::kText, begin, end, is_one ? Words(begin, end) : Lines(begin, end));
    return end;
  }

  // Whether lines are indented differently: a term above its text, a sample.
  bool HasSteps(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin + 2; i < end; ++i) {
      if (lines_[i].indent != lines_[i - 1].indent) return true;
    }
    return end > begin + 1 && lines_[begin].indent < lines_[begin + 1].indent &&
           !lines_[begin].is_entry;
  }

  // "Args:" or ".. list-table::" above entries that are indented.
  bool HeadsEntries(std::size_t begin) const {
    const std::string_view words = lines_[begin].words_view;
    const std::size_t next = NextUsed(begin + 1);
    if (!IsText(next) || lines_[next].indent <= lines_[begin].indent) return false;
    if (words.starts_with(".. list-table::")) return true;
    return Announces(words) && !words.ends_with("::") && !lines_[begin].is_entry &&
           std::count(words.begin(), words.end(), ' ') < 3;
  }

  // The entries below a short heading: each a unit, unless they are few.
  std::size_t CutEntries(std::size_t begin) {
    const std::size_t outer = lines_[begin].indent;
    std::size_t at = NextUsed(begin + 1);
    // The options of a directive.
    while (IsText(at) && lines_[at].words_view.starts_with(':')) at = NextUsed(at + 1);
    const std::string lead(lines_[begin].words_view);
    const std::size_t first = units_.size();
    std::size_t end = begin + 1;
    while (IsText(at) && lines_[at].indent > outer) {
      end = EntryEnd(at, ParagraphEnd(at));
      Add(UnitKind::kText, at, end, Lines(at, end), lead);
      at = NextUsed(end);
    }
    if (end - begin <= kFewEntryLines) {
      units_.resize(first);
      Add(UnitKind::kText, begin, end, Lines(begin, end));
    }
    return end;
  }

  // A line above its indented text.
  bool IsTerm(std::size_t at) const {
    return IsText(at) && IsText(at + 1) && lines_[at + 1].indent > lines_[at].indent;
  }

  // A short list is one unit with what introduces it; of a long one each item.
  std::size_t CutList(std::size_t begin, std::size_t lead_end, std::size_t first) {
    struct Item {
      std::size_t begin = 0;
      std::size_t end = 0;
    };
    std::vector<Item> items;
    std::size_t at = first;
    const std::size_t indent = lines_[first].indent;
    while (IsText(at) && (lines_[at].is_entry || IsTerm(at)) && lines_[at].indent >= indent) {
      const std::size_t end = EntryEnd(at, ParagraphEnd(at));
      items.push_back({at, end});
      at = NextUsed(end);
    }
    const std::size_t end = items.back().end;
    if (end - begin <= kMostUnitList) {
      Add(UnitKind::kText, begin, end, Lines(begin, end));
      return end;
    }
    const std::string lead = Words(begin, lead_end);
    for (const Item& item : items) {
      Add(UnitKind::kText, item.begin, item.end, Words(item.begin, item.end), lead);
    }
    return end;
  }

  std::size_t CutTable(std::size_t begin, std::size_t first, std::string lead) {
    std::size_t end = first;
    while (IsText(end) && lines_[end].is_row) ++end;
    if (end - begin <= kMostUnitList) {
      Add(UnitKind::kTable, begin, end, Lines(begin, end));
      return end;
    }
    const std::string head = Lines(first, std::min(first + 2, end));
    if (!lead.empty()) lead += '\n';
    for (std::size_t row = first + 1; row < end; ++row) {
      if (lines_[row].words_view.find_first_not_of("|+-=: ") == std::string_view::npos) continue;
      Add(UnitKind::kTable, row, row + 1, Lines(row, row + 1), lead + head);
    }
    return end;
  }

  // To where brackets are closed and the statement ends.
  std::size_t StatementEnd(std::size_t begin) const {
    int depth = 0;
    for (std::size_t at = begin; at < lines_.size() && at < begin + kMostStatementLines; ++at) {
      const UnitLine& line = lines_[at];
      if (line.role != LineRole::kCode) return at;
      for (const char c : line.words_view) {
        depth += c == '(' || c == '[' ? 1 : 0;
        depth -= c == ')' || c == ']' ? 1 : 0;
      }
      const std::string_view words = line.words_view;
      if (depth > 0 || words.ends_with('\\')) continue;
      if (is_python_ && words.starts_with('@')) continue;
      const bool is_open = has_semicolons_ && !words.starts_with('#') &&
                           words.find_first_of(";{},") == std::string_view::npos;
      if (!is_open) return at + 1;
    }
    return std::min(begin + kMostStatementLines, lines_.size());
  }

  // A long sample is cut at its blank lines.
  std::size_t CutFence(std::size_t begin) {
    const std::size_t end = FenceEnd(begin);
    for (std::size_t at = begin; at < end;) {
      std::size_t stop = std::min(end, at + kFencePiece);
      if (end - at > kMostUnitLines) {
        for (std::size_t blank = at + 2; blank < stop; ++blank) {
          if (lines_[blank].words_view.empty()) stop = blank + 1;
        }
      } else {
        stop = end;
      }
      Add(UnitKind::kSample, at, stop, Lines(at, stop));
      at = stop;
    }
    return end;
  }

  // A comment after the code of its line.
  bool HasRemark(std::size_t at) const {
    const std::string_view words = lines_[at].words_view;
    if (has_semicolons_) return Contains(words, "//") || Contains(words, "/*");
    return is_python_ && Contains(words, "  # ");
  }

  std::size_t CutCode(std::size_t begin, std::size_t from) {
    if (IsFence(begin)) return CutFence(begin);
    std::size_t at = from;
    while (at < lines_.size() && lines_[at].role == LineRole::kCode && at - begin < kMostUnitCode) {
      // A statement with its own comment is a unit.
      if (HasRemark(at)) {
        if (at == begin) at = StatementEnd(at);
        break;
      }
      // So is one of several lines.
      const std::size_t end = std::max(at + 1, StatementEnd(at));
      if (end > at + 1 && at > begin) break;
      const bool is_long = end > at + 1;
      at = end;
      if (is_long) break;
    }
    Add(UnitKind::kCode, begin, at, RawLines(begin, at));
    return at;
  }

  std::vector<std::string_view> raw_;
  std::vector<UnitLine> lines_;
  bool is_prose_ = false;
  bool is_python_ = false;
  bool has_semicolons_ = false;
  Asker asker_;
  std::vector<Unit> units_;
};

}  // namespace

std::vector<Unit> ReadUnits(std::string_view language, bool is_prose, std::string_view text,
                            Asker asker) {
  return UnitCutter(language, is_prose, text, asker).Cut();
}

std::vector<Unit> ReadCardUnits(std::string_view language, bool is_prose, std::string_view text,
                                Asker asker) {
  return UnitCutter(language, is_prose, text, asker).CutCard();
}

}  // namespace sibyl::draft
