// SPDX-License-Identifier: Apache-2.0
#include "draft/page_frame.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/markdown/heading_anchor.h"
#include "base/strings.h"
#include "draft/page_text.h"
#include "draft/title.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kDefaultPointLines = 30;
constexpr std::size_t kMostSummary = 3;

std::size_t WantedLines(const GatheredSection& section) {
  return section.line_budget.value_or(3 + section.points.size() * kDefaultPointLines);
}

// The plan's sections often add up to the whole file; title, table and open
// points need lines too.
double BudgetScale(const plan::Part& part, const Gathered& gathered) {
  if (!part.line_budget) return 1;
  constexpr std::size_t kHeadLines = 20;
  std::size_t wanted = 0;
  std::size_t points = 0;
  for (const GatheredSection& section : gathered.sections) {
    points += section.points.size();
    wanted += WantedLines(section);
  }
  const std::size_t head = kHeadLines + 2 * points;
  const std::size_t budget = *part.line_budget;
  if (wanted == 0 || budget <= head) return 0;
  return std::min(1.0, static_cast<double>(budget - head) / static_cast<double>(wanted));
}

}  // namespace

std::string ShownLineRange(std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
}

std::string ShownPlace(const Excerpt& excerpt) {
  constexpr std::size_t kMostHeading = 60;
  const std::string heading = PlainHeading(excerpt.heading);
  const bool says_more = !heading.empty() && heading.size() < kMostHeading &&
                         heading.find_first_of(",.:") == std::string::npos;
  return excerpt.pin->name + " " + InCode(excerpt.path) +
         (says_more ? ", " + Escaped(heading) : "");
}

PageFrame::PageFrame(const plan::Plan& plan, const plan::Part& part, FrameOptions options)
    : part_(part),
      options_(std::move(options)),
      receipts_(fmt::format("p{}", part.number), options_.find_words) {
  page_.draft.path = part.target;
  page_.draft.title = TitleOf(plan, part);
  page_.draft.line_budget = part.line_budget;
}

std::size_t PageFrame::Budget(const Gathered& gathered, const GatheredSection& section) const {
  return static_cast<std::size_t>(static_cast<double>(WantedLines(section)) *
                                  BudgetScale(part_, gathered));
}

void PageFrame::BeginSection(const GatheredSection& section, Making making) {
  section_start_ = body_.size();
  written_points_ = 0;
  page_.draft.sections.push_back(
      {.title = section.title, .making = making, .line_budget = section.line_budget});
  Line(fmt::format("## {}. {}", page_.draft.sections.size(), Escaped(section.title)));
  Line("");
}

void PageFrame::EndSection() {
  if (written_points_ > 0) return;
  Line("See [Not found](#not-found).");
  Line("");
  needs_not_found_ = true;
}

void PageFrame::LinkKnown(const GatheredPoint& point) {
  Coverage coverage{.point = point.point, .where = KnownLink(*point.covered)};
  rows_.push_back({point.point, "known: " + *coverage.where});
  section().points.push_back(std::move(coverage));
}

void PageFrame::Miss(const GatheredPoint& point, std::string_view why) {
  needs_not_found_ = true;
  rows_.push_back({point.point, std::string(kNotFoundRow)});
  const Excerpt* nearest = point.nearest             ? &*point.nearest
                           : !point.excerpts.empty() ? &point.excerpts.front()
                                                     : nullptr;
  Coverage coverage{.point = point.point};
  if (nearest == nullptr) {
    coverage.nearest = "no passage comes near it";
  } else {
    coverage.nearest = fmt::format("nearest: {} {}:{}", nearest->pin->name, nearest->path,
                                   ShownLineRange(nearest->first_line, nearest->last_line));
    if (!why.empty()) {
      coverage.nearest += fmt::format("; {}", why);
    } else if (!point.missing.empty()) {
      coverage.nearest +=
          fmt::format(", which does not mention \"{}\"", Join(point.missing, "\", \""));
    } else {
      coverage.nearest += ", which is off topic";
    }
  }
  misses_.push_back(MissLine(point.point, coverage.nearest));
  for (const AnswerUnit& unit : point.related) {
    related_.push_back(fmt::format("- See also: {} {}", ShownPlace(unit.excerpt),
                                   ShownLineRange(unit.unit.first_line, unit.unit.last_line)) +
                       receipts_.Mark(unit.excerpt, unit.unit.first_line, unit.unit.last_line));
  }
  section().points.push_back(std::move(coverage));
}

void PageFrame::BeginPoint(const GatheredPoint& point, Reading reading) {
  const std::string number = fmt::format("{}.{}", page_.draft.sections.size(), ++written_points_);
  Line(fmt::format("### {} {}", number, Escaped(point.point)));
  const std::string link = fmt::format("[{}](#{})", number, AnchorOf(number + " " + point.point));
  rows_.push_back({point.point, link});
  readings_[reading].push_back(link);
  section().points.push_back({.point = point.point, .where = number});
}

void PageFrame::Contradict() {
  rows_.back().where += ", contradicted by the sources";
  section().points.back().is_contradicted = true;
}

void PageFrame::BeginBlock(std::string key) {
  page_.blocks.push_back({.key = std::move(key), .first_line = body_.size() + 1});
}

void PageFrame::Summarise(double score, std::string line) {
  summary_.push_back({.score = score, .line = std::move(line)});
}

std::string PageFrame::KnownLink(const KnownPlace& known) const {
  return fmt::format("[{}]({}#{})", Escaped(known.title), RelativeLink(part_.target, known.path),
                     known.anchor);
}

WrittenPage PageFrame::Finish() {
  if (!foreign_.empty()) {
    misses_.push_back(MissLine("Sources left out as foreign to the topic", Join(foreign_, ", ")));
    needs_not_found_ = true;
  }
  std::vector<std::string> lines = Head();
  for (WrittenBlock& block : page_.blocks) {
    block.first_line += lines.size();
    block.last_line += lines.size();
  }
  lines.insert(lines.end(), body_.begin(), body_.end());
  if (needs_not_found_) {
    lines.insert(lines.end(), {"## Not found", ""});
    lines.insert(lines.end(), misses_.begin(), misses_.end());
    lines.emplace_back();
  }
  if (!related_.empty()) {
    std::sort(related_.begin(), related_.end());
    related_.erase(std::unique(related_.begin(), related_.end()), related_.end());
    lines.insert(lines.end(), {"## Related places", ""});
    lines.insert(lines.end(), related_.begin(), related_.end());
    lines.emplace_back();
  }
  if (receipts_.size() > 0) lines.insert(lines.end(), {"## Sources", ""});
  for (std::string& line : receipts_.Definitions()) lines.push_back(std::move(line));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const std::string& line : lines) page_.draft.text += line + "\n";
  page_.draft.sources = receipts_.Sources();
  page_.draft.keywords = BestNames(names_);
  return std::move(page_);
}

std::vector<std::string> PageFrame::Head() {
  std::vector<std::string> lines = {"# " + Escaped(title()), "", Stamp(), ""};
  std::stable_sort(summary_.begin(), summary_.end(),
                   [](const Summary& a, const Summary& b) { return a.score > b.score; });
  if (!summary_.empty()) lines.insert(lines.end(), {"**In short.**", ""});
  for (std::size_t i = 0; i < std::min(summary_.size(), kMostSummary); ++i) {
    if (i > 0) lines.emplace_back(">");
    lines.push_back(summary_[i].line);
  }
  if (!summary_.empty()) lines.emplace_back();
  for (std::string& line : PlannedTable(rows_)) lines.push_back(std::move(line));
  lines.emplace_back();

  if (const std::string order = ReadingOrder(); !order.empty()) {
    lines.insert(lines.end(), {order, ""});
  }
  return lines;
}

// With only one kind there is no order.
std::string PageFrame::ReadingOrder() const {
  std::vector<std::string> steps;
  const auto add = [&](std::string_view purpose, Reading reading) {
    const auto links = readings_.find(reading);
    if (links == readings_.end()) return;
    steps.push_back(fmt::format("{} {}", purpose, Join(links->second, ", ")));
  };
  add("to understand,", Reading::kExplains);
  add("to see it in code,", Reading::kShowsCode);
  add("to look up,", Reading::kLists);
  return steps.size() < 2 ? "" : "Reading order: " + Join(steps, "; ") + ".";
}

std::string PageFrame::Stamp() const {
  std::vector<std::string> pins;
  for (const UsedSource& source : receipts_.Sources()) {
    pins.push_back(source.name + "@" + source.pin);
  }
  return StampOf(page_.draft, {.program = options_.program,
                               .time = options_.time,
                               .pins = std::move(pins),
                               .citations = receipts_.size(),
                               .making_note = options_.making_note});
}

}  // namespace sibyl::draft
