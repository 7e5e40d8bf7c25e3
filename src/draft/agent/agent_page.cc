// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/agent_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/markdown/fence.h"
#include "base/markdown/heading_anchor.h"
#include "base/strings.h"
#include "draft/agent/agent_receipts.h"
#include "draft/agent/point_text.h"
#include "draft/extract/gather.h"
#include "draft/extract/queries.h"
#include "draft/page_parts.h"
#include "draft/page_text.h"
#include "draft/title.h"

namespace sibyl::draft {
namespace {

class PageComposer {
 public:
  PageComposer(const AgentPageInputs& inputs, const std::vector<AgentSection>& sections)
      : inputs_(inputs),
        sections_(sections),
        planned_(SectionsOf(inputs.part)),
        receipts_(fmt::format("p{}", inputs.part.number), inputs.lock,
                  {.words = inputs.find_words, .place = inputs.find_place}) {
    receipts_.KeepLabels(inputs.kept);
  }

  AgentPage Compose() {
    page_.draft.path = inputs_.part.target;
    page_.draft.title = TitleOf(inputs_.plan, inputs_.part);
    page_.draft.line_budget = inputs_.part.line_budget;
    for (const AgentSection& section : sections_) {
      if (section.place < planned_.size()) AddSection(section, planned_[section.place]);
    }
    page_.draft.sources = receipts_.Sources();
    page_.draft.keywords = BestNames(names_);
    page_.citations = receipts_.size();
    Assemble();
    return std::move(page_);
  }

 private:
  struct Line {
    std::string text;
    LineOrigin origin;
  };
  struct OpenPoint {
    std::size_t point = 0;    // in the section
    std::size_t heading = 0;  // in body_
    std::string title;
  };

  void Ours(std::string text) { body_.push_back({.text = std::move(text), .origin = {}}); }

  void AddSection(const AgentSection& section, const plan::Section& planned) {
    DraftSection written{.title = planned.title,
                         .making = Making::kAgentWritten,
                         .line_budget = planned.line_budget};
    for (const plan::Text& point : planned.points) {
      written.points.push_back({.point = PlainPoint(point.text)});
    }
    number_ = section.place + 1;
    Ours(fmt::format("## {}. {}", number_, Escaped(planned.title)));
    Ours("");
    receipts_.BeginSection();
    const std::vector<std::string_view> lines = SplitLines(section.text);
    ReadDefinitions(section.place, lines);
    const std::size_t before = body_.size();
    AddBody(section.place, lines, written);
    while (body_.size() > before && Trim(body_.back().text).empty()) body_.pop_back();
    if (body_.size() == before) Ours("See [Not found](#not-found).");
    Ours("");
    const bool any = std::any_of(written.points.begin(), written.points.end(),
                                 [](const Coverage& point) { return point.where.has_value(); });
    // A single point needs no heading.
    if (!any && written.points.size() == 1 && has_citation_) {
      written.points[0].where = fmt::format("{}", number_);
      links_[{section.place, 0}] = fmt::format(
          "[{0}](#{1})", number_, AnchorOf(fmt::format("{}. {}", number_, planned.title)));
    }
    for (std::size_t i = 0; i < written.points.size(); ++i) AddRow(section.place, i, written);
    page_.draft.sections.push_back(std::move(written));
  }

  void AddRow(std::size_t place, std::size_t index, DraftSection& written) {
    Coverage& point = written.points[index];
    if (point.where) {
      rows_.push_back({point.point, links_[{place, index}]});
      return;
    }
    point.nearest = kNoSourceFound;
    rows_.push_back({point.point, std::string(kNotFoundRow)});
    misses_.push_back({.text = MissLine(point.point, point.nearest), .origin = {}});
  }

  // A definition is a separate line outside code.
  void ReadDefinitions(std::size_t place, const std::vector<std::string_view>& lines) {
    is_definition_.assign(lines.size(), false);
    FenceTracker fences;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (fences.Take(lines[i]) != FencePart::kOutside) continue;
      if (!AgentReceipts::IsDefinition(lines[i])) continue;
      is_definition_[i] = true;
      const LineOrigin origin{.section = place, .line = i + 1};
      const Status read = receipts_.Define(lines[i], origin);
      if (!read.ok()) Complain(origin, "draft/citation", read.error());
    }
  }

  void AddBody(std::size_t place, const std::vector<std::string_view>& lines,
               DraftSection& written) {
    has_citation_ = false;
    in_not_found_ = false;
    open_.reset();
    FenceTracker fences;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const LineOrigin origin{.section = place, .line = i + 1};
      if (is_definition_[i]) continue;
      const bool is_blank = Trim(lines[i]).empty();
      if (is_blank && body_.back().text.empty() && !fences.is_open()) continue;
      const FencePart part = fences.Take(lines[i]);
      if (in_not_found_ && (part != FencePart::kOutside || HeadingLevel(lines[i]) == 0)) {
        AddMiss(lines[i], origin);
      } else if (part != FencePart::kOutside) {
        body_.push_back({.text = std::string(lines[i]), .origin = origin});
      } else if (HeadingLevel(lines[i]) > 0) {
        AddHeading(lines[i], origin, written);
      } else {
        AddText(lines[i], origin, written);
      }
    }
  }

  void AddHeading(std::string_view line, const LineOrigin& origin, DraftSection& written) {
    const std::size_t level = HeadingLevel(line);
    const std::string title(Trim(line.substr(level)));
    if (level < 3) {
      Complain(origin, "draft/heading",
               {.message = "headings in a section must be of level 3 or deeper",
                .hint = "write '### ' and a point in the plan's words"});
    }
    if (level <= 3) open_.reset();
    in_not_found_ = level == 3 && IsListOfMisses(title, written);
    if (in_not_found_) return;
    if (level == 3) {
      const std::string folded = FoldedPoint(title);
      for (std::size_t i = 0; i < written.points.size(); ++i) {
        const bool is_it =
            !written.points[i].where && FoldedPoint(written.points[i].point) == folded;
        if (is_it) open_ = OpenPoint{.point = i, .heading = body_.size(), .title = title};
        if (is_it) break;
      }
    }
    body_.push_back({.text = std::string(line), .origin = origin});
  }

  // "### Not found", unless the plan has a point of that name.
  static bool IsListOfMisses(std::string_view title, const DraftSection& written) {
    const auto is_it = [](const Coverage& point) {
      return FoldedPoint(point.point) == kNotFoundHeading;
    };
    return FoldedPoint(title) == kNotFoundHeading &&
           std::none_of(written.points.begin(), written.points.end(), is_it);
  }

  // An item below "### Not found" goes into the list at the end of the page.
  void AddMiss(std::string_view line, const LineOrigin& origin) {
    constexpr std::size_t kLongest = 300;
    const std::string_view text = Trim(line);
    if (text.empty()) return;
    const bool is_item = text.starts_with("- ") || text.starts_with("* ");
    const std::string point = is_item ? PlainPoint(Trim(text.substr(2))) : std::string();
    if (!is_item || point.empty() || point.size() > kLongest || Contains(text, "[^")) {
      Complain(origin, "draft/not-found",
               {.message = "below '### Not found' there may be only list items of up to 300 "
                           "characters without footnote marks",
                .hint = "write '- ' and the question that no source answers"});
      return;
    }
    more_misses_.push_back({.text = MissLine(point, kNoSourceFound), .origin = origin});
  }

  void AddText(std::string_view line, const LineOrigin& origin, DraftSection& written) {
    if (line.find("<!--") != std::string_view::npos) {
      Complain(origin, "draft/comment", {.message = "HTML comments are reserved for sibyl"});
    }
    CountNames(line);
    AgentReceipts::Marked marked = receipts_.Mark(line);
    if (marked.known > 0) {
      has_citation_ = true;
      if (open_) Cover(origin.section, written);
    }
    body_.push_back({.text = std::move(marked.text), .origin = origin});
  }

  // The first citation below the heading of a point: it is covered, and gets its
  // number.
  void Cover(std::size_t place, DraftSection& written) {
    const std::size_t covered = static_cast<std::size_t>(
        std::count_if(written.points.begin(), written.points.end(),
                      [](const Coverage& point) { return point.where.has_value(); }));
    const std::string number = fmt::format("{}.{}", number_, covered + 1);
    Coverage& point = written.points[open_->point];
    point.where = number;
    body_[open_->heading].text = fmt::format("### {} {}", number, Escaped(point.point));
    links_[{place, open_->point}] =
        fmt::format("[{}](#{})", number, AnchorOf(number + " " + point.point));
    open_.reset();
  }

  void CountNames(std::string_view line) {
    for (std::size_t at = line.find('`'); at != std::string_view::npos; at = line.find('`', at)) {
      const std::size_t end = line.find('`', at + 1);
      if (end == std::string_view::npos) return;
      const std::string_view name = line.substr(at + 1, end - at - 1);
      const bool is_name = name.size() > 2 && name.size() < 60 &&
                           name.find_first_of(" |[]<>") == std::string_view::npos;
      if (is_name) ++names_[std::string(name)];
      at = end + 1;
    }
  }

  void Put(std::string_view text, const LineOrigin& origin = {}) {
    page_.draft.text += text;
    page_.draft.text += '\n';
    page_.origins.push_back(origin);
  }

  void Assemble() {
    const std::string stamp = StampOf(page_.draft, {.program = inputs_.program,
                                                    .time = inputs_.time,
                                                    .pins = receipts_.Pins(),
                                                    .citations = receipts_.size()});
    for (const std::string& line :
         {"# " + Escaped(page_.draft.title), std::string(), stamp, std::string()}) {
      Put(line);
    }
    for (const std::string& line : PlannedTable(rows_)) Put(line);
    Put("");
    for (const Line& line : body_) Put(line.text, line.origin);
    if (!misses_.empty() || !more_misses_.empty()) {
      Put("## Not found");
      Put("");
      for (const Line& miss : misses_) Put(miss.text, miss.origin);
      for (const Line& miss : more_misses_) Put(miss.text, miss.origin);
      Put("");
    }
    if (receipts_.size() == 0) return;
    Put("## Sources");
    Put("");
    for (const AgentReceipts::Definition& each : receipts_.Definitions()) {
      Put(each.text, each.origin);
    }
  }

  void Complain(const LineOrigin& origin, std::string_view code, const Error& error) {
    page_.complaints.push_back({.origin = origin,
                                .code = std::string(code),
                                .message = error.message,
                                .hint = error.hint});
  }

  const AgentPageInputs& inputs_;
  const std::vector<AgentSection>& sections_;
  std::vector<plan::Section> planned_;
  AgentReceipts receipts_;
  AgentPage page_;
  std::vector<Line> body_;
  std::vector<PlannedRow> rows_;
  std::vector<Line> misses_;                                          // points of the plan
  std::vector<Line> more_misses_;                                     // that writers added
  std::map<std::pair<std::size_t, std::size_t>, std::string> links_;  // by section and point
  std::map<std::string, std::size_t> names_;
  // Of the section at hand.
  std::size_t number_ = 0;
  std::vector<bool> is_definition_;
  std::optional<OpenPoint> open_;
  bool has_citation_ = false;
  bool in_not_found_ = false;
};

}  // namespace

AgentPage ComposeAgentPage(const AgentPageInputs& inputs,
                           const std::vector<AgentSection>& sections) {
  return PageComposer(inputs, sections).Compose();
}

}  // namespace sibyl::draft
