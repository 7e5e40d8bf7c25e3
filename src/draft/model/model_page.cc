// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.h"
#include "base/markdown/fence.h"
#include "base/strings.h"
#include "draft/extract/terms.h"
#include "draft/model/model_prompt.h"
#include "draft/model/page_budget.h"
#include "draft/page_parts.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

class ModelPageWriter {
 public:
  ModelPageWriter(const ModelPageInputs& inputs, const ModelPageOptions& options)
      : inputs_(inputs),
        options_(options),
        frame_(inputs.plan, inputs.part,
               {.program = options.program,
                .time = options.time,
                .making_note = fmt::format("by {}, prompt {}", options.model, kPromptVersion),
                .find_words = options.find_words}) {}

  WrittenPage Write() {
    const auto units = ChooseUnits();
    for (std::size_t s = 0; s < inputs_.gathered.sections.size(); ++s) {
      const GatheredSection& section = inputs_.gathered.sections[s];
      frame_.BeginSection(section, Making::kModelWritten);
      for (std::size_t p = 0; p < section.points.size(); ++p) WritePoint(s, p, units[s][p]);
      frame_.EndSection();
    }
    return frame_.Finish();
  }

 private:
  // Only what a plan gives lines to is ever cut.
  std::vector<std::vector<std::vector<std::size_t>>> ChooseUnits() const {
    constexpr std::size_t kHead = 12;  // title, stamp, head of the table, order, "Not found"
    std::vector<BudgetedSection> sections;
    std::size_t around = kHead;
    for (std::size_t s = 0; s < inputs_.gathered.sections.size(); ++s) {
      const GatheredSection& section = inputs_.gathered.sections[s];
      BudgetedSection& budgeted = sections.emplace_back();
      budgeted.lines = section.line_budget;
      for (std::size_t p = 0; p < section.points.size(); ++p) {
        const ModelPoint& written = inputs_.written[s][p];
        BudgetedPoint& point = budgeted.points.emplace_back();
        if (!section.points[p].covered) {
          point.pieces = PiecesOf(written, KeptUnits(written, options_.left_out));
        }
        if (written.is_contradicted) point.head += 2;
        // Its row in the table, and its line below "Not found".
        around += point.pieces.empty() && !section.points[p].covered ? 2 : 1;
      }
    }
    std::optional<std::size_t> lines = inputs_.part.line_budget;
    if (lines) *lines = *lines > around ? *lines - around : 0;
    return FitIntoBudget(sections, lines);
  }

  void WritePoint(std::size_t s, std::size_t p, const std::vector<std::size_t>& units) {
    const GatheredPoint& point = inputs_.gathered.sections[s].points[p];
    if (point.covered) {
      frame_.LinkKnown(point);
      return;
    }
    const ModelPoint& written = inputs_.written[s][p];
    if (units.empty()) {
      frame_.Miss(point, WhyMissed(point, written));
      return;
    }
    const bool explains = std::any_of(units.begin(), units.end(), [&](std::size_t u) {
      return written.units[u].kind != WrittenKind::kCode;
    });
    frame_.BeginPoint(point, explains ? Reading::kExplains : Reading::kShowsCode);
    if (written.is_contradicted) {
      frame_.Contradict();
      frame_.Line(ContradictedLine(Escaped(point.point)));
      frame_.Line("");
    }
    WriteUnits(written, units, s, p);
    for (const std::string& symbol : SymbolsIn(point.point)) frame_.CountName(symbol);
  }

  std::string_view WhyMissed(const GatheredPoint& point, const ModelPoint& written) const {
    if (!KeptUnits(written, options_.left_out).empty()) {
      return "what was written about it does not fit into the planned lines";
    }
    if (!written.units.empty()) return "what the model wrote about it did not pass the checks";
    if (!written.why_silent.empty()) return written.why_silent;
    return point.excerpts.empty() ? "" : "the model found no answer in it";
  }

  // Steps are counted anew, so that a list without its second one has no gap.
  static std::map<std::size_t, std::size_t> NumbersOf(const ModelPoint& written,
                                                      const std::vector<std::size_t>& shown) {
    std::map<std::size_t, std::size_t> numbers;  // by unit
    std::size_t last = 0;
    std::size_t count = 0;
    for (std::size_t u = 0; u < written.units.size(); ++u) {
      const std::size_t step = written.units[u].step;
      if (step == 0) continue;
      // A correction has the step of what it corrects, and is directly after it.
      const bool is_beside = u > 0 && written.units[u - 1].step == step;
      const bool goes_on = last > 0 && (step == last + 1 || is_beside);
      if (!goes_on) count = 0;
      last = step;
      if (std::binary_search(shown.begin(), shown.end(), u)) numbers[u] = ++count;
    }
    return numbers;
  }

  void WriteUnits(const ModelPoint& written, const std::vector<std::size_t>& units, std::size_t s,
                  std::size_t p) {
    const ModelUnit* last = nullptr;
    numbers_ = NumbersOf(written, units);
    for (const std::size_t u : units) {
      const ModelUnit& unit = written.units[u];
      if (last != nullptr && IsSeparated(*last, unit)) frame_.Line("");
      if (last == nullptr || last->group != unit.group) {
        WriteTableHead(written.table_heads[unit.group], TableName(s, p, unit.group));
      }
      last = &unit;
      frame_.BeginBlock(UnitName(unit.id));
      WriteUnit(unit, u);
      frame_.EndBlock();
    }
    frame_.Line("");
  }

  void WriteTableHead(const std::vector<std::string>& head, std::string name) {
    if (head.empty()) return;
    frame_.BeginBlock(std::move(name));
    for (const std::string& line : head) frame_.Line(line);
    frame_.EndBlock();
  }

  void WriteUnit(const ModelUnit& unit, std::size_t u) {
    std::string marks;
    for (const CitedLines& lines : CitedBy(unit, inputs_.keys)) {
      const std::string mark =
          frame_.receipts().Mark(*lines.excerpt, lines.first_line, lines.last_line, lines.words);
      if (marks.find(mark) == std::string::npos) marks += mark;
    }
    // Without a mark it is a lead-in: what it names is not what the page is about.
    if (!marks.empty()) {
      for (const std::string& symbol : SymbolsIn(unit.text)) frame_.CountName(symbol);
    }
    switch (unit.kind) {
      case WrittenKind::kSentence:
        frame_.Line(unit.text + marks);
        break;
      case WrittenKind::kItem:
        frame_.Line((unit.step == 0 ? "- " : fmt::format("{}. ", numbers_[u])) + unit.text + marks);
        break;
      case WrittenKind::kQuote:
        frame_.Line("> " + unit.text + marks);
        break;
      case WrittenKind::kRow:
        frame_.Line(WithMarksInLastCell(unit.text, marks));
        break;
      case WrittenKind::kCode:
        WriteCode(unit, marks);
        break;
    }
  }

  static std::string WithMarksInLastCell(std::string row, const std::string& marks) {
    while (row.ends_with(' ') || (row.ends_with('|') && !row.ends_with("\\|"))) row.pop_back();
    return row + marks + " |";
  }

  void WriteCode(const ModelUnit& unit, const std::string& marks) {
    const std::string fence = FenceAround(unit.text);
    frame_.Line(fence + unit.info);
    for (const std::string_view line : SplitLines(unit.text)) frame_.Line(std::string(line));
    frame_.Line(fence);
    if (!marks.empty()) frame_.Line(marks);
  }

  const ModelPageInputs& inputs_;
  const ModelPageOptions& options_;
  PageFrame frame_;
  std::map<std::size_t, std::size_t> numbers_;  // of the steps of a point
};

}  // namespace

std::string UnitName(std::size_t id) { return fmt::format("unit {}", id); }

std::string TableName(std::size_t section, std::size_t point, std::size_t group) {
  return fmt::format("{}.{}.table{}", section, point, group);
}

WrittenPage WriteModelPage(const ModelPageInputs& inputs, const ModelPageOptions& options) {
  return ModelPageWriter(inputs, options).Write();
}

std::vector<CitedLines> CitedBy(const ModelUnit& unit, const PassageKeys& keys) {
  std::vector<CitedLines> cited;
  for (const std::string& mark : unit.marks) {
    if (const std::optional<CitedLines> lines = keys.Find(mark)) cited.push_back(*lines);
  }
  return cited;
}

CitedLines WholePassage(const CitedLines& lines) {
  return {.excerpt = lines.excerpt,
          .first_line = lines.excerpt->first_line,
          .last_line = lines.excerpt->last_line};
}

std::string TextOf(const CitedLines& lines) {
  std::string text;
  std::size_t number = lines.excerpt->first_line;
  for (const std::string_view line : SplitLines(lines.excerpt->text)) {
    if (number >= lines.first_line && number <= lines.last_line) text += std::string(line) + '\n';
    ++number;
  }
  return text;
}

bool HasItsLiterals(const ModelUnit& unit, const std::vector<CitedLines>& cited) {
  constexpr std::size_t kTelling = 3;  // of one alone
  std::string lines;
  for (const CitedLines& each : cited) lines += TextOf(each);
  std::size_t count = 0;
  bool is_telling = false;
  const std::string_view text = unit.text;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    std::string_view literal;
    const bool is_inside = at > 0 && (IsAlphanumeric(text[at - 1]) || text[at - 1] == '_');
    const bool is_negative = text[at] == '-' && at + 1 < text.size() && IsDigit(text[at + 1]);
    if (text[at] == '`') {
      end = std::min(text.find('`', at + 1), text.size());
      literal = text.substr(at + 1, end - at - 1);
    } else if (!is_inside && (IsDigit(text[at]) || is_negative)) {
      end = at + 1;
      while (end < text.size() && (IsAlphanumeric(text[end]) || text[end] == '.')) ++end;
      literal = text.substr(at, end - at);
      while (literal.ends_with('.')) literal.remove_suffix(1);
    }
    at = std::max(end, at) + 1;
    if (literal.empty()) continue;
    if (lines.find(literal) == std::string::npos) return false;
    ++count;
    is_telling = is_telling || literal.size() >= kTelling;
  }
  return is_telling || (count > 1 && unit.kind == WrittenKind::kRow);
}

bool HasWordSupport(TermReader& reader, const ModelUnit& unit,
                    const std::vector<CitedLines>& cited) {
  const double in_lines = WordSupport(reader, unit, cited);
  if (in_lines >= kWordSupport) return true;
  // A row names its subject in its head, and says a value.
  const bool has_literals = HasItsLiterals(unit, cited);
  if (has_literals && unit.kind == WrittenKind::kRow) return true;
  if (in_lines < kCitedWordSupport) return false;
  if (has_literals) return true;
  std::vector<CitedLines> whole;
  whole.reserve(cited.size());
  for (const CitedLines& lines : cited) whole.push_back(WholePassage(lines));
  return WordSupport(reader, unit, whole) >= kPassageWordSupport;
}

double WordSupport(TermReader& reader, const ModelUnit& unit, const std::vector<CitedLines>& cited,
                   std::string_view context) {
  TermSet words;
  reader.Read(context, words);
  for (const CitedLines& lines : cited) {
    reader.Read(TextOf(lines), words);
    // The subject of a passage may be above it.
    reader.Read(lines.excerpt->heading, words);
    reader.Read(lines.excerpt->path, words);
    reader.Read(lines.excerpt->pin->name, words);
  }
  const std::vector<WeightedTerm> terms = reader.TermsOf(unit.text, {}).point;
  return terms.empty() ? 1 : ShareOf(terms, words);
}

}  // namespace sibyl::draft
