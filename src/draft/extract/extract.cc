// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/markdown/fence.h"
#include "base/strings.h"
#include "draft/answer/subject.h"
#include "draft/extract/blocks.h"
#include "draft/extract/code_lines.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostPointLines = 52;
constexpr std::size_t kMostBlocks = 2;

// Nothing is shown twice on a page.
class ShownLines {
 public:
  bool Has(const PointBlock& block) const {
    const std::string place = PlaceOf(*block.excerpt);
    return std::any_of(shown_.begin(), shown_.end(), [&](const Lines& lines) {
      return lines.place == place && lines.first <= block.last_line &&
             block.first_line <= lines.last;
    });
  }
  void Add(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last) {
    shown_.push_back({PlaceOf(excerpt), first, last});
  }

 private:
  struct Lines {
    std::string place;  // source and path
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };
  static std::string PlaceOf(const Excerpt& excerpt) {
    return excerpt.pin->name + ":" + excerpt.path;
  }

  std::vector<Lines> shown_;
};

class PageWriter {
 public:
  PageWriter(const ExtractInputs& inputs, const ExtractOptions& options)
      : inputs_(inputs),
        left_out_(options.left_out),
        reader_(inputs.searcher),
        frame_(inputs.plan, inputs.part, {.program = options.program, .time = options.time}) {}

  WrittenPage Write() {
    title_terms_ = reader_.TermsOf(frame_.title(), {}).point;
    frame_.LeaveOut(inputs_.gathered.foreign);
    for (const GatheredSection& section : inputs_.gathered.sections) WriteSection(section);
    return frame_.Finish();
  }

 private:
  void WriteSection(const GatheredSection& section) {
    const std::size_t budget = frame_.Budget(inputs_.gathered, section);
    frame_.BeginSection(section, Making::kExtracted);
    for (std::size_t i = 0; i < section.points.size(); ++i) {
      const std::size_t used = frame_.SectionLines();
      const std::size_t left = budget > used ? budget - used : 0;
      WritePoint(section.points[i], std::min(left / (section.points.size() - i), kMostPointLines));
    }
    frame_.EndSection();
  }

  void WritePoint(const GatheredPoint& point, std::size_t lines) {
    if (point.covered) {
      frame_.LinkKnown(point);
      return;
    }
    constexpr std::size_t kHeading = 3;  // with the line of places to see
    const std::size_t room = lines - std::min(lines, kHeading);
    const std::vector<const NameRow*> rows = RowsOf(point, room);
    const std::size_t table = rows.empty() ? 0 : rows.size() + 4;
    for (const NameRow* row : rows) {
      shown_.Add(row->excerpt, row->excerpt.first_line, row->excerpt.last_line);
    }
    const std::vector<PointBlock> blocks = BlocksOf(point, room - std::min(room, table));
    const std::vector<const Record*> records = RecordsToShow(point);
    if (rows.empty() && blocks.empty() && records.empty()) {
      frame_.Miss(point);
      return;
    }
    const bool is_code = !blocks.empty() && blocks.front().form == BlockForm::kCode;
    const bool is_list = !rows.empty() || blocks.empty();
    frame_.BeginPoint(point, is_list   ? Reading::kLists
                             : is_code ? Reading::kShowsCode
                                       : Reading::kExplains);
    if (!rows.empty()) WriteRows(rows);
    WriteRecords(records);
    for (const PointBlock& block : blocks) WriteBlock(block);
    WriteAlso(point);
    for (const std::string& symbol : SymbolsIn(point.point)) frame_.CountName(symbol);
  }

  std::vector<PointBlock> BlocksOf(const GatheredPoint& point, std::size_t room) {
    std::vector<PointBlock> blocks;
    for (const AnswerUnit& unit : point.answers) {
      if (blocks.size() == kMostBlocks) break;
      std::optional<PointBlock> block = BlockOf(unit, room);
      if (!block || shown_.Has(*block) ||
          left_out_.contains(BlockKey(*block->excerpt, block->first_line, block->last_line))) {
        continue;
      }
      room -= std::min(room, block->PageLines());
      shown_.Add(*block->excerpt, block->first_line, block->last_line);
      blocks.push_back(*std::move(block));
    }
    return blocks;
  }

  std::vector<const NameRow*> RowsOf(const GatheredPoint& point, std::size_t room) const {
    constexpr std::size_t kFrame = 4;
    std::vector<const NameRow*> rows;
    if (room < kFrame + point.rows.size()) return rows;
    for (const NameRow& row : point.rows) {
      if (!left_out_.contains(KeyOf(row))) rows.push_back(&row);
    }

    return rows;
  }

  std::vector<const Record*> RecordsToShow(const GatheredPoint& point) const {
    std::vector<const Record*> records;
    for (const Record& record : point.records) {
      if (!left_out_.contains(evidence::FormatCitation(record.citation))) {
        records.push_back(&record);
      }
    }
    return records;
  }

  // Each is an item, which the gate judges by itself.
  void WriteRecords(const std::vector<const Record*>& records) {
    for (const Record* record : records) {
      frame_.BeginBlock(evidence::FormatCitation(record->citation));
      frame_.Line(fmt::format("- {}{}", Escaped(record->words),
                              frame_.receipts().Mark(record->citation, record->label)));
      frame_.EndBlock();
    }
    if (!records.empty()) frame_.Line("");
  }

  static std::string KeyOf(const NameRow& row) {
    return row.name + " " + BlockKey(row.excerpt, row.excerpt.first_line, row.excerpt.last_line);
  }

  void WriteRows(const std::vector<const NameRow*>& rows) {
    const bool has_value = std::any_of(rows.begin(), rows.end(),
                                       [](const NameRow* row) { return !row->value.empty(); });
    const bool has_meaning = std::any_of(rows.begin(), rows.end(),
                                         [](const NameRow* row) { return !row->meaning.empty(); });
    const bool has_constant =
        std::any_of(rows.begin(), rows.end(), [](const NameRow* row) { return row->is_constant; });
    const std::string_view value = has_constant ? " value |" : " default |";
    frame_.Line(fmt::format("| name |{}{} where |", has_value ? value : "",
                            has_meaning ? " meaning |" : ""));
    frame_.Line(
        fmt::format("| --- |{}{} --- |", has_value ? " --- |" : "", has_meaning ? " --- |" : ""));
    for (const NameRow* row : rows) {
      const Excerpt& excerpt = row->excerpt;
      frame_.BeginBlock(KeyOf(*row));
      std::string line =
          fmt::format("| {} |", row->is_words ? EscapedCell(row->name) : InCode(row->name));
      if (has_value) line += row->value.empty() ? " |" : fmt::format(" {} |", InCode(row->value));
      if (has_meaning) line += fmt::format(" {} |", EscapedCell(row->meaning));
      line += fmt::format(" {} {}{} |", ShownPlace(excerpt),
                          ShownLineRange(excerpt.first_line, excerpt.last_line),
                          frame_.receipts().Mark(excerpt, excerpt.first_line, excerpt.last_line));
      frame_.Line(std::move(line));
      frame_.EndBlock();
      frame_.CountName(row->name);
    }
    frame_.Line("");
  }

  void WriteBlock(const PointBlock& block) {
    if (block.form == BlockForm::kQuote) {
      WriteQuote(block);
    } else {
      WriteFence(block);
    }
  }

  void WriteQuote(const PointBlock& block) {
    const std::string mark =
        frame_.receipts().Mark(*block.excerpt, block.first_line, block.last_line);
    frame_.Line(ShownPlace(*block.excerpt) + ":");
    frame_.Line("");
    frame_.BeginBlock(BlockKey(*block.excerpt, block.first_line, block.last_line));
    // Each line is a paragraph or an item, which the gate judges by itself.
    for (const std::string& line : block.lines) {
      frame_.Line(line.empty() ? ">" : fmt::format("> {}{}", line, mark));
    }
    frame_.EndBlock();
    frame_.Line("");
    Summarise(block, mark);
  }

  // What opens the page defines its subject.
  void Summarise(const PointBlock& block, const std::string& mark) {
    constexpr std::size_t kMostSummaryBytes = 320;
    const std::string_view sentence = OpeningSentence(block.lines.front());
    TermSet words;
    reader_.Read(DefinedSubject(sentence), words);
    const double telling = reader_.TellingWeight();
    if (sentence.size() > kMostSummaryBytes || sentence.starts_with("- ") ||
        CountTelling(title_terms_, telling, words) == 0) {
      return;
    }
    if (!summaries_.insert(std::string(sentence)).second) return;
    frame_.Summarise(ShareOf(title_terms_, words), "> " + std::string(sentence) + mark);
  }

  void WriteFence(const PointBlock& block) {
    const Excerpt& excerpt = *block.excerpt;
    const std::string mark = frame_.receipts().Mark(excerpt, block.first_line, block.last_line);
    const std::string fence = FenceAround(Join(block.lines, "\n"));
    const std::string place = fmt::format("{} {}:{}", excerpt.pin->name, excerpt.path,
                                          ShownLineRange(block.first_line, block.last_line));
    const bool is_code = block.form == BlockForm::kCode;
    const std::string_view comment = is_code ? CommentMark(block.language) : std::string_view();
    if (comment.empty()) {
      frame_.Line(ShownPlace(excerpt) + ":");
      frame_.Line("");
    }
    frame_.BeginBlock(BlockKey(excerpt, block.first_line, block.last_line));
    frame_.Line(fence + std::string(is_code ? FenceName(block.language) : ""));
    if (!comment.empty()) frame_.Line(std::string(comment) + place);
    for (const std::string& line : block.lines) {
      frame_.Line(line);
      for (const std::string& symbol : SymbolsIn(line)) frame_.CountName(symbol);
    }
    frame_.Line(fence);
    frame_.Line(mark);
    frame_.EndBlock();
    frame_.Line("");
  }

  void WriteAlso(const GatheredPoint& point) {
    std::vector<std::string> places;
    for (const KnownPlace& known : point.also) places.push_back(frame_.KnownLink(known));
    if (places.empty()) return;
    frame_.Line("See also: " + Join(places, "; "));
    frame_.Line("");
  }

  const ExtractInputs& inputs_;
  const std::set<std::string>& left_out_;
  TermReader reader_;
  ShownLines shown_;
  std::set<std::string> summaries_;
  PageFrame frame_;
  std::vector<WeightedTerm> title_terms_;
};

}  // namespace

WrittenPage Extract(const ExtractInputs& inputs, const ExtractOptions& options) {
  return PageWriter(inputs, options).Write();
}

}  // namespace sibyl::draft
