// SPDX-License-Identifier: Apache-2.0
#include "draft/extract.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/strings.h"
#include "draft/choose.h"
#include "draft/page_text.h"
#include "draft/prose.h"
#include "draft/receipts.h"
#include "draft/title.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kDefaultPointLines = 30;
constexpr std::size_t kMostPointLines = 44;
constexpr double kCoveredShare = 0.55;
constexpr std::size_t kMostSummary = 3;
constexpr double kCentral = 0.2;  // of the title's words: less is a detail

// "pytorch `setup.py`, Build > Options"
std::string Place(const Excerpt& excerpt) {
  constexpr std::size_t kMostHeading = 60;
  const std::string heading = PlainHeading(excerpt.heading);
  const bool says_more = !heading.empty() && heading.size() < kMostHeading &&
                         heading.find_first_of(",.:") == std::string::npos;
  return excerpt.pin->name + " " + InCode(excerpt.path) +
         (says_more ? ", " + Escaped(heading) : "");
}

std::string Lines(std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

struct Summary {
  double score = 0;
  std::string line;
};

class PageWriter {
 public:
  PageWriter(const ExtractInputs& inputs, const ExtractOptions& options)
      : inputs_(inputs),
        options_(options),
        reader_(inputs.searcher),
        chooser_(reader_, options.left_out),
        receipts_(fmt::format("p{}", inputs.part.number)) {}

  Extracted Write() {
    Draft& draft = extracted_.draft;
    draft.path = inputs_.part.target;
    draft.title = TitleOf(inputs_.plan, inputs_.part);
    title_terms_ = reader_.TermsOf(draft.title, {}).point;
    draft.line_budget = inputs_.part.line_budget;
    const double scale = BudgetScale();
    std::size_t number = 0;
    for (const GatheredSection& section : inputs_.gathered.sections) {
      WriteSection(section, ++number, scale);
    }
    const std::vector<std::string> head = Head();
    for (WrittenBlock& block : extracted_.blocks) {
      block.first_line += head.size();
      block.last_line += head.size();
    }
    std::vector<std::string> lines = head;
    lines.insert(lines.end(), body_.begin(), body_.end());
    AddNotFound(lines);
    if (receipts_.size() > 0) lines.insert(lines.end(), {"## Sources", ""});
    for (std::string& line : receipts_.Definitions()) lines.push_back(std::move(line));
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    for (const std::string& line : lines) draft.text += line + "\n";
    draft.sources = receipts_.Sources();
    draft.keywords = Keywords();
    return std::move(extracted_);
  }

 private:
  // The plan's sections often add up to the whole file; title, table and what
  // was not found need lines too.
  double BudgetScale() const {
    if (!inputs_.part.line_budget) return 1;
    constexpr std::size_t kHeadLines = 20;
    std::size_t wanted = 0;
    std::size_t points = 0;
    for (const GatheredSection& section : inputs_.gathered.sections) {
      points += section.points.size();
      wanted += SectionLines(section);
    }
    const std::size_t head = kHeadLines + 2 * points;
    const std::size_t budget = *inputs_.part.line_budget;
    if (wanted == 0 || budget <= head) return 0;
    return std::min(1.0, static_cast<double>(budget - head) / static_cast<double>(wanted));
  }

  static std::size_t SectionLines(const GatheredSection& section) {
    return section.line_budget.value_or(3 + section.points.size() * kDefaultPointLines);
  }

  void WriteSection(const GatheredSection& section, std::size_t number, double scale) {
    DraftSection written{.title = section.title, .line_budget = section.line_budget};
    const std::size_t first = body_.size();
    const auto budget =
        static_cast<std::size_t>(static_cast<double>(SectionLines(section)) * scale);
    Line(fmt::format("## {}. {}", number, Escaped(section.title)));
    Line("");
    std::size_t covered = 0;
    for (std::size_t i = 0; i < section.points.size(); ++i) {
      const GatheredPoint& point = section.points[i];
      const std::size_t used = body_.size() - first;
      const std::size_t left = budget > used ? budget - used : 0;
      const std::size_t share = left / (section.points.size() - i);
      Coverage coverage = WritePoint(point, fmt::format("{}.{}", number, covered + 1),
                                     std::min(share, kMostPointLines));
      covered += coverage.where && !point.covered ? 1 : 0;
      written.points.push_back(std::move(coverage));
    }
    if (covered == 0) {
      Line("See [Not found](#not-found).");
      Line("");
      needs_not_found_ = true;
    }
    extracted_.draft.sections.push_back(std::move(written));
  }

  Coverage WritePoint(const GatheredPoint& point, const std::string& number, std::size_t lines) {
    Coverage coverage{.point = point.point};
    if (point.covered) {
      coverage.where = KnownLink(*point.covered);
      rows_.emplace_back(point.point, "known: " + *coverage.where);
      return coverage;
    }
    constexpr std::size_t kHeading = 3;  // with the line of places to see
    PointChoice choice;
    if (!point.excerpts.empty() && lines > kHeading + 3) {
      choice = chooser_.Choose(point, lines - kHeading);
    }
    if (choice.IsEmpty() || choice.share < kCoveredShare) {
      Miss(point, coverage);
      return coverage;
    }
    const std::string heading = number + " " + point.point;
    Line("### " + number + " " + Escaped(point.point));
    WriteChoice(point, choice);
    coverage.where = number;
    const std::string link = fmt::format("[{}](#{})", number, Anchor(heading));
    rows_.emplace_back(point.point, link);
    auto& read = !choice.quotes.empty() ? explained_ : choice.table ? listed_ : coded_;
    read.push_back(link);
    for (const std::string& symbol : SymbolsIn(point.point)) ++names_[symbol];
    return coverage;
  }

  void WriteChoice(const GatheredPoint& point, const PointChoice& choice) {
    const Excerpt* introduced = nullptr;
    for (const ChosenQuote& quote : choice.quotes) {
      if (introduced != quote.excerpt) {
        Line(Place(*quote.excerpt) + ":");
        Line("");
      }
      introduced = quote.excerpt;
      const std::string mark = receipts_.Mark(*quote.excerpt, quote.first_line, quote.last_line);
      Begin(BlockKey(*quote.excerpt, quote.first_line, quote.last_line));
      Line("> " + EscapedQuote(quote.text) + mark);
      End();
      Line("");
      if (&quote == &choice.quotes.front()) Summarise(point, quote, mark);
    }
    if (choice.table) WriteTable(*choice.table);
    for (const ChosenCode& code : choice.code) WriteCode(code);
    WriteAlso(point, choice);
  }

  // The best sentences open the page. One for a point of common words says less
  // than the same for a point that names something.
  void Summarise(const GatheredPoint& point, const ChosenQuote& quote, const std::string& mark) {
    if (!quote.is_single || !StandsAlone(quote.text)) return;
    constexpr double kTelling = 16;
    double weight = 0;
    for (const WeightedTerm& term : point.terms.point) weight += term.weight;
    // What the page is about, by its title, opens it rather than a detail.
    TermSet words;
    reader_.Read(quote.text, words);
    const double central = ShareOf(title_terms_, words);
    if (central < kCentral) return;
    summary_.push_back({.score = quote.score * std::min(1.0, weight / kTelling) * central,
                        .line = "> " + EscapedQuote(quote.text) + mark});
  }

  void WriteTable(const ChosenTable& table) {
    const Excerpt& excerpt = *table.excerpt;
    const bool has_meaning = std::any_of(table.rows.begin(), table.rows.end(),
                                         [](const OptionRow& row) { return !row.meaning.empty(); });
    const bool has_value = std::any_of(table.rows.begin(), table.rows.end(),
                                       [](const OptionRow& row) { return !row.value.empty(); });
    Line(fmt::format("Declared in {}:", Place(excerpt)));
    Line("");
    Line(fmt::format("| name |{}{} where |", has_value ? " default |" : "",
                     has_meaning ? " meaning |" : ""));
    Line(fmt::format("| --- |{}{} --- |", has_value ? " --- |" : "", has_meaning ? " --- |" : ""));
    for (const OptionRow& row : table.rows) {
      Begin(BlockKey(excerpt, static_cast<std::uint32_t>(row.first_line),
                     static_cast<std::uint32_t>(row.last_line)));
      std::string line = fmt::format("| {} |", InCode(row.name));
      if (has_value) line += row.value.empty() ? " |" : fmt::format(" {} |", InCode(row.value));
      if (has_meaning) line += fmt::format(" {} |", EscapedCell(row.meaning));
      line += fmt::format(" {} {}{} |", row.first_line == row.last_line ? "line" : "lines",
                          Lines(row.first_line, row.last_line),
                          receipts_.Mark(excerpt, row.first_line, row.last_line));
      Line(std::move(line));
      End();
      ++names_[row.name];
    }
    Line("");
  }

  void WriteCode(const ChosenCode& chosen) {
    const Excerpt& excerpt = *chosen.excerpt;
    const CodeExcerpt& code = chosen.code;
    const std::string mark = receipts_.Mark(excerpt, code.first_line, code.last_line);
    std::string fence = "```";
    for (const std::string& line : code.lines) {
      while (line.find(fence) != std::string::npos) fence += '`';
    }
    const std::string place = fmt::format("{} {}:{}", excerpt.pin->name, excerpt.path,
                                          Lines(code.first_line, code.last_line));
    const std::string_view comment = CommentMark(chosen.language);
    if (comment.empty()) Line(InCode(place) + ":");
    if (comment.empty()) Line("");
    Begin(BlockKey(excerpt, static_cast<std::uint32_t>(code.first_line),
                   static_cast<std::uint32_t>(code.last_line)));
    Line(fence + std::string(FenceName(chosen.language)));
    if (!comment.empty()) Line(std::string(comment) + place);
    for (const std::string& line : code.lines) {
      Line(line);
      for (const std::string& symbol : SymbolsIn(line)) ++names_[symbol];
    }
    Line(fence);
    Line(mark);
    End();
    Line("");
  }

  void WriteAlso(const GatheredPoint& point, const PointChoice& choice) {
    std::vector<std::string> places;
    for (const KnownPlace& known : point.also) places.push_back(KnownLink(known));
    for (const Excerpt* excerpt : choice.also) {
      places.push_back(
          fmt::format("{} {}", Place(*excerpt), Lines(excerpt->first_line, excerpt->last_line)) +
          receipts_.Mark(*excerpt, excerpt->first_line, excerpt->last_line));
    }
    if (places.empty()) return;
    Line("See also: " + Join(places, "; "));
    Line("");
  }

  std::string KnownLink(const KnownPlace& known) const {
    return fmt::format("[{}]({}#{})", Escaped(known.title),
                       RelativeLink(inputs_.part.target, known.path), known.anchor);
  }

  void Miss(const GatheredPoint& point, Coverage& coverage) {
    needs_not_found_ = true;
    rows_.emplace_back(point.point, "not found, see the end");
    const Excerpt* nearest = point.nearest             ? &*point.nearest
                             : !point.excerpts.empty() ? &point.excerpts.front()
                                                       : nullptr;
    std::string line = fmt::format("- *{}*: ", Escaped(point.point));
    if (nearest == nullptr) {
      coverage.nearest = "no passage has any of its words";
    } else {
      coverage.nearest = fmt::format("nearest: {} {}:{}", nearest->pin->name, nearest->path,
                                     Lines(nearest->first_line, nearest->last_line));
      if (!point.missing.empty()) {
        coverage.nearest += fmt::format(", which has not \"{}\"", Join(point.missing, "\", \""));
      } else {
        coverage.nearest += ", which speaks of something else";
      }
    }
    misses_.push_back(line + Escaped(coverage.nearest) + ".");
  }

  void AddNotFound(std::vector<std::string>& lines) const {
    if (!needs_not_found_) return;
    lines.insert(lines.end(), {"## Not found", ""});
    lines.insert(lines.end(), misses_.begin(), misses_.end());
    lines.emplace_back();
  }

  std::vector<std::string> Head() {
    std::vector<std::string> lines = {"# " + Escaped(extracted_.draft.title), "", Stamp(), ""};
    std::stable_sort(summary_.begin(), summary_.end(),
                     [](const Summary& a, const Summary& b) { return a.score > b.score; });
    if (!summary_.empty()) lines.insert(lines.end(), {"**In short.**", ""});
    for (std::size_t i = 0; i < std::min(summary_.size(), kMostSummary); ++i) {
      if (i > 0) lines.emplace_back(">");
      lines.push_back(summary_[i].line);
    }
    if (!summary_.empty()) lines.emplace_back();
    lines.insert(lines.end(), {"| planned | covered by |", "| --- | --- |"});
    for (const auto& [point, where] : rows_) {
      lines.push_back(fmt::format("| {} | {} |", EscapedCell(point), where));
    }
    lines.emplace_back();
    if (const std::string order = ReadingOrder(); !order.empty()) {
      lines.insert(lines.end(), {order, ""});
    }
    return lines;
  }

  // What explains comes before what has to be read as code, and what is looked
  // up needs no place in the order. Of one kind alone there is no order to give.
  std::string ReadingOrder() const {
    std::vector<std::string> steps;
    const auto add = [&](std::string_view purpose, const std::vector<std::string>& links) {
      if (!links.empty()) steps.push_back(fmt::format("{} {}", purpose, Join(links, ", ")));
    };
    add("to understand,", explained_);
    add("to see it in code,", coded_);
    add("to look up,", listed_);
    return steps.size() < 2 ? "" : "Reading order: " + Join(steps, "; ") + ".";
  }

  std::string Stamp() const {
    std::vector<std::string> pins;
    for (const UsedSource& source : receipts_.Sources()) {
      pins.push_back(source.name + "@" + source.pin);
    }
    const std::size_t sections = extracted_.draft.sections.size();
    const std::string made =
        sections == 1 ? "section 1 extracted" : fmt::format("sections 1–{} extracted", sections);
    std::string stamp = fmt::format("> {} · {}", options_.program, FormatDate(options_.time));
    if (!pins.empty()) stamp += " · " + Join(pins, ", ");
    stamp += fmt::format(" · {0} of {0} citations hold", receipts_.size());
    return stamp + fmt::format(" · {} of {} points covered · {}", CoveredCount(extracted_.draft),
                               PointCount(extracted_.draft), made);
  }

  std::vector<std::string> Keywords() const {
    constexpr std::size_t kMost = 12;
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const auto& [name, count] : names_) ranked.emplace_back(count, name);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> keywords;
    for (const auto& [count, name] : ranked) {
      if (keywords.size() == kMost) break;
      keywords.push_back(name);
    }
    return keywords;
  }

  void Line(std::string line) { body_.push_back(std::move(line)); }
  void Begin(std::string key) {
    extracted_.blocks.push_back({.key = std::move(key), .first_line = body_.size() + 1});
  }
  void End() { extracted_.blocks.back().last_line = body_.size(); }

  const ExtractInputs& inputs_;
  const ExtractOptions& options_;
  TermReader reader_;
  Chooser chooser_;
  Receipts receipts_;
  Extracted extracted_;
  std::vector<std::string> body_;
  std::vector<std::pair<std::string, std::string>> rows_;  // point, where
  std::vector<std::string> explained_;                     // links, for the reading order
  std::vector<std::string> coded_;
  std::vector<std::string> listed_;
  std::vector<std::string> misses_;
  std::vector<WeightedTerm> title_terms_;
  std::vector<Summary> summary_;
  std::map<std::string, std::size_t> names_;
  bool needs_not_found_ = false;
};

}  // namespace

Extracted Extract(const ExtractInputs& inputs, const ExtractOptions& options) {
  return PageWriter(inputs, options).Write();
}

}  // namespace sibyl::draft
