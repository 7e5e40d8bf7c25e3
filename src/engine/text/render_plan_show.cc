// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/plan_tree.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {
namespace {

/// Of the parts that are to be run or were.
struct Totals {
  std::size_t lines = 0;
  std::size_t sections = 0;
  std::size_t points = 0;
  std::size_t queries = 0;
};

std::size_t PointsOf(const Json& part) {
  std::size_t points = 0;
  for (const Json& section : part["sections"]) points += section["points"].size();
  return points;
}

Totals Add(const Json& parts) {
  Totals totals;
  for (const Json& part : parts) {
    if (part["status"] == "disabled") continue;
    if (part["line_budget"].is_number()) totals.lines += part["line_budget"].get<std::size_t>();
    totals.sections += part["sections"].size();
    totals.points += PointsOf(part);
    totals.queries += part["queries"].size();
  }
  return totals;
}

/// "4 done, 2 open", in the order of a part's life.
std::string StatusCounts(const Json& parts) {
  std::vector<std::string> counts;
  for (const std::string_view status : {"done", "open", "failed", "tbd", "disabled"}) {
    const auto number =
        std::ranges::count_if(parts, [&](const Json& part) { return part["status"] == status; });
    if (number > 0) counts.push_back(fmt::format("{} {}", number, status));
  }
  return Join(counts, ", ");
}

std::string Header(const Json& plan, const RenderOptions& options) {
  const std::size_t columns = options.columns();
  const std::string title = Harmless(plan.value("title", ""));
  std::string text =
      fmt::format("{}\n", Styled(Wrap(title.empty() ? "(no title)" : title, {.columns = columns}),
                                 Style::kBold, options.terminal));
  const auto add = [&](std::string_view label, std::string_view value) {
    if (value.empty()) return;
    text +=
        fmt::format("{}  {}\n", Styled(fmt::format("{:<8}", label), Style::kDim, options.terminal),
                    Wrap(value, {.columns = columns, .first_indent = 10, .indent = 10}));
  };
  const auto add_member = [&](std::string_view label, const char* member) {
    if (!plan[member].is_string()) return;
    std::string value = Harmless(plan[member].get<std::string>());
    std::erase(value, '`');
    add(label, value);
  };
  if (plan["topic"] != plan["title"]) add_member("topic", "topic");
  add_member("date", "date");
  add_member("folder", "target_folder");
  const Json& parts = plan["parts"];
  const Totals totals = Add(parts);
  add("parts", parts.empty() ? "none" : StatusCounts(parts));
  add("total",
      fmt::format("{} lines, {}, {}, {}", Grouped(totals.lines), Count(totals.sections, "section"),
                  Count(totals.points, "point"), Count(totals.queries, "query", "queries")));
  const Json& criteria = plan["criteria"];
  if (!criteria.empty()) {
    const auto done =
        std::ranges::count_if(criteria, [](const Json& item) { return item["done"] == true; });
    add("criteria", fmt::format("{} of {} done", done, criteria.size()));
  }
  return text;
}

Style StyleOfStatus(std::string_view status) {
  if (status == "done") return Style::kGreen;
  if (status == "failed") return Style::kRed;
  if (status == "open") return Style::kPlain;
  return Style::kDim;
}

struct Row {
  std::array<std::string, 5> cells;  ///< part, status, lines, sec/pts, queries
  std::string target;
  Style target_style = Style::kPlain;
};

Row MakeRow(const Json& part) {
  Row row;
  row.cells[0] = std::to_string(part["number"].get<int>());
  if (part["through"].is_number()) row.cells[0] += fmt::format("-{}", part["through"].get<int>());
  row.cells[1] = part["status"];
  row.cells[2] =
      part["line_budget"].is_number() ? Grouped(part["line_budget"].get<std::size_t>()) : "-";
  row.cells[3] = fmt::format("{}/{}", part["sections"].size(), PointsOf(part));
  row.cells[4] = std::to_string(part["queries"].size());
  if (part["target"].is_string()) {
    row.target = Harmless(part["target"].get<std::string>());
    const std::size_t more = part["targets"].size();
    if (more > 1) row.target += fmt::format(" and {} more", more - 1);
  } else {
    row.target = fmt::format("({})", Harmless(part.value("title", "")));
    row.target_style = Style::kDim;
  }
  return row;
}

/// The target is last: it is the longest, and in a pipe nothing is cut.
std::string PartTable(const Json& parts, const RenderOptions& options) {
  constexpr std::array<std::string_view, 5> kHeads = {"part", "status", "lines", "sec/pts",
                                                      "queries"};
  std::vector<Row> rows;
  std::array<std::size_t, 5> widths{};
  for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = kHeads[i].size();
  for (const Json& part : parts) {
    rows.push_back(MakeRow(part));
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], rows.back().cells[i].size());
    }
  }
  const auto pad = [&](std::string_view cell, std::size_t i) {
    return i == 1 ? PadRight(cell, widths[i]) : PadLeft(cell, widths[i]);
  };
  std::string head;
  std::size_t used = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    head += pad(kHeads[i], i) + "  ";
    used += widths[i] + 2;
  }
  const std::size_t room = options.columns() > used + 20 ? options.columns() - used : 20;
  std::string text = Styled(head + "target", Style::kDim, options.terminal) + '\n';
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const Style style = i == 1 ? StyleOfStatus(row.cells[1]) : Style::kPlain;
      text += Styled(pad(row.cells[i], i), style, options.terminal) + "  ";
    }
    text += Styled(ElideMiddle(row.target, room), row.target_style, options.terminal) + '\n';
  }
  return text;
}

}  // namespace

Rendered RenderPlanShow(const Outcome& outcome, const RenderOptions& options) {
  const Json& plan = outcome.data;
  Rendered rendered{.results = Header(plan, options)};
  const Json& parts = plan["parts"];
  if (options.arguments.Has("verbose")) {
    for (const Json& part : parts) rendered.results += '\n' + RenderPartTree(part, options);
    rendered.results += RenderCriteria(plan["criteria"], options);
  } else if (!parts.empty()) {
    rendered.results += '\n' + PartTable(parts, options);
  }
  if (!outcome.findings.empty()) {
    rendered.talk =
        fmt::format("sibyl: {}; see 'sibyl plan check {}'\n", SummariseFindings(outcome.findings),
                    Harmless(plan.value("file", "")));
  }
  return rendered;
}

}  // namespace sibyl::engine
