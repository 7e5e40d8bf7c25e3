// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/extract.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markdown/fence.h"
#include "base/strings.h"
#include "draft/extract/choose.h"
#include "draft/extract/prose.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostPointLines = 44;
constexpr double kCoveredShare = 0.55;
constexpr double kCentral = 0.2;  // of the title's words: less is a detail

// "pytorch `setup.py`, Build > Options"
std::string ShownPlace(const Excerpt& excerpt) {
  constexpr std::size_t kMostHeading = 60;
  const std::string heading = PlainHeading(excerpt.heading);
  const bool says_more = !heading.empty() && heading.size() < kMostHeading &&
                         heading.find_first_of(",.:") == std::string::npos;
  return excerpt.pin->name + " " + InCode(excerpt.path) +
         (says_more ? ", " + Escaped(heading) : "");
}

class PageWriter {
 public:
  PageWriter(const ExtractInputs& inputs, const ExtractOptions& options)
      : inputs_(inputs),
        reader_(inputs.searcher),
        chooser_(reader_, options.left_out),
        frame_(inputs.plan, inputs.part, {.program = options.program, .time = options.time}) {}

  WrittenPage Write() {
    title_terms_ = reader_.TermsOf(frame_.title(), {}).point;
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
    PointChoice choice;
    if (!point.excerpts.empty() && lines > kHeading + 3) {
      choice = chooser_.Choose(point, lines - kHeading, kCoveredShare);
    }
    if (choice.IsEmpty()) {
      frame_.Miss(point);
      return;
    }
    frame_.BeginPoint(point, !choice.quotes.empty() ? Reading::kExplains
                             : choice.table         ? Reading::kLists
                                                    : Reading::kShowsCode);
    WriteChoice(point, choice);
    for (const std::string& symbol : SymbolsIn(point.point)) frame_.CountName(symbol);
  }

  void WriteChoice(const GatheredPoint& point, const PointChoice& choice) {
    const Excerpt* introduced = nullptr;
    for (const ChosenQuote& quote : choice.quotes) {
      if (introduced != quote.excerpt) {
        frame_.Line(ShownPlace(*quote.excerpt) + ":");
        frame_.Line("");
      }
      introduced = quote.excerpt;
      const std::string mark =
          frame_.receipts().Mark(*quote.excerpt, quote.first_line, quote.last_line);
      frame_.BeginBlock(BlockKey(*quote.excerpt, quote.first_line, quote.last_line));
      frame_.Line("> " + EscapedQuote(quote.text) + mark);
      frame_.EndBlock();
      frame_.Line("");
      if (&quote == &choice.quotes.front()) Summarise(point, quote, mark);
    }
    if (choice.table) WriteTable(*choice.table);
    for (const ChosenCode& code : choice.code) WriteCode(code);
    WriteAlso(point, choice);
  }

  // The best sentences open the page. A sentence for a point of common words
  // counts less than for a specific point.
  void Summarise(const GatheredPoint& point, const ChosenQuote& quote, const std::string& mark) {
    if (!quote.is_single || !StandsAlone(quote.text)) return;
    constexpr double kTelling = 16;
    double weight = 0;
    for (const WeightedTerm& term : point.terms.point) weight += term.weight;
    // A sentence about the title's subject opens the page rather than a detail.
    TermSet words;
    reader_.Read(quote.text, words);
    const double central = ShareOf(title_terms_, words);
    if (central < kCentral) return;
    frame_.Summarise(quote.score * std::min(1.0, weight / kTelling) * central,
                     "> " + EscapedQuote(quote.text) + mark);
  }

  void WriteTable(const ChosenTable& table) {
    const Excerpt& excerpt = *table.excerpt;
    const bool has_meaning = std::any_of(table.rows.begin(), table.rows.end(),
                                         [](const OptionRow& row) { return !row.meaning.empty(); });
    const bool has_value = std::any_of(table.rows.begin(), table.rows.end(),
                                       [](const OptionRow& row) { return !row.value.empty(); });
    frame_.Line(fmt::format("Declared in {}:", ShownPlace(excerpt)));
    frame_.Line("");
    frame_.Line(fmt::format("| name |{}{} where |", has_value ? " default |" : "",
                            has_meaning ? " meaning |" : ""));
    frame_.Line(
        fmt::format("| --- |{}{} --- |", has_value ? " --- |" : "", has_meaning ? " --- |" : ""));
    for (const OptionRow& row : table.rows) {
      frame_.BeginBlock(BlockKey(excerpt, static_cast<std::uint32_t>(row.first_line),
                                 static_cast<std::uint32_t>(row.last_line)));
      std::string line = fmt::format("| {} |", InCode(row.name));
      if (has_value) line += row.value.empty() ? " |" : fmt::format(" {} |", InCode(row.value));
      if (has_meaning) line += fmt::format(" {} |", EscapedCell(row.meaning));
      line += fmt::format(" {} {}{} |", row.first_line == row.last_line ? "line" : "lines",
                          LineRange(row.first_line, row.last_line),
                          frame_.receipts().Mark(excerpt, row.first_line, row.last_line));
      frame_.Line(std::move(line));
      frame_.EndBlock();
      frame_.CountName(row.name);
    }
    frame_.Line("");
  }

  void WriteCode(const ChosenCode& chosen) {
    const Excerpt& excerpt = *chosen.excerpt;
    const CodeExcerpt& code = chosen.code;
    const std::string mark = frame_.receipts().Mark(excerpt, code.first_line, code.last_line);
    const std::string fence = FenceAround(Join(code.lines, "\n"));
    const std::string place = fmt::format("{} {}:{}", excerpt.pin->name, excerpt.path,
                                          LineRange(code.first_line, code.last_line));
    const std::string_view comment = CommentMark(chosen.language);
    if (comment.empty()) frame_.Line(InCode(place) + ":");
    if (comment.empty()) frame_.Line("");
    frame_.BeginBlock(BlockKey(excerpt, static_cast<std::uint32_t>(code.first_line),
                               static_cast<std::uint32_t>(code.last_line)));
    frame_.Line(fence + std::string(FenceName(chosen.language)));
    if (!comment.empty()) frame_.Line(std::string(comment) + place);
    for (const std::string& line : code.lines) {
      frame_.Line(line);
      for (const std::string& symbol : SymbolsIn(line)) frame_.CountName(symbol);
    }
    frame_.Line(fence);
    frame_.Line(mark);
    frame_.EndBlock();
    frame_.Line("");
  }

  void WriteAlso(const GatheredPoint& point, const PointChoice& choice) {
    std::vector<std::string> places;
    for (const KnownPlace& known : point.also) places.push_back(frame_.KnownLink(known));
    for (const Excerpt* excerpt : choice.also) {
      places.push_back(fmt::format("{} {}", ShownPlace(*excerpt),
                                   LineRange(excerpt->first_line, excerpt->last_line)) +
                       frame_.receipts().Mark(*excerpt, excerpt->first_line, excerpt->last_line));
    }
    if (places.empty()) return;
    frame_.Line("See also: " + Join(places, "; "));
    frame_.Line("");
  }

  const ExtractInputs& inputs_;
  TermReader reader_;
  Chooser chooser_;
  PageFrame frame_;
  std::vector<WeightedTerm> title_terms_;
};

}  // namespace

WrittenPage Extract(const ExtractInputs& inputs, const ExtractOptions& options) {
  return PageWriter(inputs, options).Write();
}

}  // namespace sibyl::draft
