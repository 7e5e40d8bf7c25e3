// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markdown/fence.h"
#include "base/strings.h"
#include "draft/extract/terms.h"
#include "draft/model/model_prompt.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostPagePointLines = 60;

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
    for (std::size_t s = 0; s < inputs_.gathered.sections.size(); ++s) {
      const GatheredSection& section = inputs_.gathered.sections[s];
      const std::size_t budget = frame_.Budget(inputs_.gathered, section);
      frame_.BeginSection(section, Making::kModelWritten);
      for (std::size_t p = 0; p < section.points.size(); ++p) {
        const std::size_t used = frame_.SectionLines();
        const std::size_t left = budget > used ? budget - used : 0;
        WritePoint(s, p, std::min(left / (section.points.size() - p), kMostPagePointLines));
      }
      frame_.EndSection();
    }
    return frame_.Finish();
  }

 private:
  void WritePoint(std::size_t s, std::size_t p, std::size_t lines) {
    const GatheredPoint& point = inputs_.gathered.sections[s].points[p];
    if (point.covered) {
      frame_.LinkKnown(point);
      return;
    }
    const ModelPoint& written = inputs_.written[s][p];
    std::vector<std::size_t> units;
    for (std::size_t u = 0; u < written.units.size(); ++u) {
      if (!options_.left_out.contains(UnitName(s, p, u))) units.push_back(u);
    }
    constexpr std::size_t kHeading = 2;
    if (units.empty() || lines <= kHeading) {
      const bool was_refused = !written.units.empty();
      frame_.Miss(point, was_refused ? "what the model wrote about it did not pass the gate"
                         : point.excerpts.empty() ? ""
                                                  : "the model found no answer in it");
      return;
    }
    const bool explains = std::any_of(units.begin(), units.end(), [&](std::size_t u) {
      return written.units[u].kind != WrittenKind::kCode;
    });
    frame_.BeginPoint(point, explains ? Reading::kExplains : Reading::kShowsCode);
    WriteUnits(written, units, {.section = s, .point = p, .lines = lines - kHeading});
    for (const std::string& symbol : SymbolsIn(point.point)) frame_.CountName(symbol);
  }

  struct PointPlace {
    std::size_t section = 0;
    std::size_t point = 0;
    std::size_t lines = 0;
  };

  void WriteUnits(const ModelPoint& written, const std::vector<std::size_t>& units,
                  const PointPlace& place) {
    std::size_t used = 0;
    std::size_t group = written.table_heads.size();  // none
    WrittenKind kind = WrittenKind::kSentence;
    for (const std::size_t u : units) {
      const ModelUnit& unit = written.units[u];
      const std::size_t needed =
          unit.kind == WrittenKind::kCode ? 4 + SplitLines(unit.text).size() : 2;
      // Always the first: a covered point must have content.
      if (used > 0 && used + needed > place.lines) break;
      used += needed;
      if (unit.group != group) {
        // Items of one list follow each other without an empty line.
        const bool goes_on = unit.kind == WrittenKind::kItem && kind == WrittenKind::kItem;
        if (used > needed && !goes_on) frame_.Line("");
        for (const std::string& head : written.table_heads[unit.group]) frame_.Line(head);
      }
      group = unit.group;
      kind = unit.kind;
      frame_.BeginBlock(UnitName(place.section, place.point, u));
      WriteUnit(unit);
      frame_.EndBlock();
    }
    frame_.Line("");
  }

  void WriteUnit(const ModelUnit& unit) {
    std::string marks;
    for (const CitedLines& lines : CitedBy(unit, inputs_.keys)) {
      const std::string mark =
          frame_.receipts().Mark(*lines.excerpt, lines.first_line, lines.last_line, lines.words);
      if (marks.find(mark) == std::string::npos) marks += mark;
    }
    for (const std::string& symbol : SymbolsIn(unit.text)) frame_.CountName(symbol);
    switch (unit.kind) {
      case WrittenKind::kSentence:
        frame_.Line(unit.text + marks);
        break;
      case WrittenKind::kItem:
        frame_.Line("- " + unit.text + marks);
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
};

}  // namespace

std::string UnitName(std::size_t section, std::size_t point, std::size_t unit) {
  return fmt::format("{}.{}.{}", section, point, unit);
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

std::string TextOf(const CitedLines& lines) {
  std::string text;
  std::size_t number = lines.excerpt->first_line;
  for (const std::string_view line : SplitLines(lines.excerpt->text)) {
    if (number >= lines.first_line && number <= lines.last_line) text += std::string(line) + '\n';
    ++number;
  }
  return text;
}

double WordSupport(TermReader& reader, const ModelUnit& unit,
                   const std::vector<CitedLines>& cited) {
  TermSet words;
  for (const CitedLines& lines : cited) {
    reader.Read(TextOf(lines), words);
    // The subject of a passage may be above it.
    reader.Read(lines.excerpt->heading, words);
    reader.Read(lines.excerpt->path, words);
  }
  const std::vector<WeightedTerm> terms = reader.TermsOf(unit.text, {}).point;
  return terms.empty() ? 1 : ShareOf(terms, words);
}

}  // namespace sibyl::draft
