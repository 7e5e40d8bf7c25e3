// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMostQueries = 6;

std::string Planned(const Json& part) {
  return part["planned_lines"].is_null() ? "-" : std::to_string(Number(part, "planned_lines"));
}

std::size_t TargetColumns(const Json& parts) {
  std::size_t columns = 4;
  for (const Json& part : parts) columns = std::max(columns, Text(part, "target").size());
  return columns;
}

std::string WhyNot(const std::string& state) {
  if (state == "done") return "already done";
  if (state == "not-asked") return "not requested";
  if (state == "refused") return "refused, see above";
  return state;
}

std::string Delivery(const Json& part, const Terminal& terminal) {
  const std::string state = Text(part, "state");
  if (state == "delivered") {
    return fmt::format("{:>5}  {:>9}  {:>9}", Number(part, "lines"),
                       fmt::format("{} of {}", Number(part, "covered"), Number(part, "points")),
                       Number(part, "citations"));
  }
  if (state == "failed") {
    return Styled("failed", Style::kRed, terminal) + ": " + Text(part, "reason");
  }
  if (state == "left") {
    return Styled("not done", Style::kYellow, terminal) + ": " + Text(part, "reason");
  }
  return Styled(WhyNot(state), Style::kDim, terminal);
}

std::string RenderReport(const Json& data, const Terminal& terminal) {
  const std::size_t columns = TargetColumns(data["parts"]);
  std::string text = Styled(fmt::format("part  {}  planned  lines     points  citations",
                                        PadRight("file", columns)),
                            Style::kBold, terminal) +
                     '\n';
  for (const Json& part : data["parts"]) {
    text += fmt::format("{:>4}  {}  {:>7}  {}\n", Number(part, "number"),
                        PadRight(Text(part, "target"), columns), Planned(part),
                        Delivery(part, terminal));
  }
  return text;
}

std::string Summary(const Json& data) {
  const Json& totals = data["totals"];
  if (Number(totals, "delivered") + Number(totals, "failed") + Number(totals, "left") == 0) {
    return fmt::format(
        "sibyl: nothing to do: {} ({})\n",
        data.value("completed", false) ? "the plan is already done" : "no part is open",
        Text(data, "plan_now"));
  }
  std::string text = fmt::format("sibyl: {} delivered", Number(totals, "delivered"));
  for (const char* name : {"failed", "left"}) {
    if (Number(totals, name) > 0) text += fmt::format(", {} {}", Number(totals, name), name);
  }
  if (Number(totals, "delivered") > 0) {
    text += fmt::format("; {}, {}, {} of {} covered", Count(Number(totals, "lines"), "line"),
                        Count(Number(totals, "citations"), "citation"), Number(totals, "covered"),
                        Count(Number(totals, "points"), "point"));
  }
  text += '\n';
  if (const std::string commit = Text(data, "commit"); !commit.empty()) {
    constexpr std::size_t kDigits = 10;
    text += fmt::format("sibyl: commit {}\n", commit.substr(0, kDigits));
  }
  if (data["plan_now"] != data["plan"]) {
    text += fmt::format("sibyl: the plan is now {}\n", Text(data, "plan_now"));
  }
  return text + fmt::format("sibyl: next: {}\n", Text(data, "next"));
}

void RenderPlannedPart(const Json& part, const Terminal& terminal, std::string& text) {
  text += Styled(fmt::format("PART {}: {}", Number(part, "number"), Text(part, "target")),
                 Style::kBold, terminal);
  if (part["state"] != "runs") {
    text += fmt::format(": {}\n", WhyNot(Text(part, "state")));
    return;
  }
  text += part["planned_lines"].is_null() ? "\n" : fmt::format(", {} lines\n", Planned(part));
  for (const Json& section : part["sections"]) {
    text +=
        fmt::format("  {}: {}", Text(section, "title"), Count(Number(section, "points"), "point"));
    if (!section["planned_lines"].is_null()) text += fmt::format(", {} lines", Planned(section));
    text += '\n';
  }
  for (const Json& known : part["known"]) {
    text += fmt::format("  known: {} ({})\n", Text(known, "point"), Text(known, "where"));
  }
  for (const Json& repository : part["repositories"]) {
    const bool is_pinned = repository.value("pinned", false);
    text += fmt::format("  repository {}: {}\n", Text(repository, "name"),
                        is_pinned ? "pinned" : "not pinned");
  }
  std::size_t shown = 0;
  for (const Json& query : part["queries"]) {
    if (++shown > kMostQueries) break;
    text += fmt::format("  query: {}\n", Harmless(query.get<std::string>()));
  }
  if (part["queries"].size() > kMostQueries) {
    text += fmt::format("  and {} more queries; --json has them\n",
                        part["queries"].size() - kMostQueries);
  }
}

std::string TimeEstimate(double seconds) {
  constexpr double kLeastShown = 0.1;
  return seconds < kLeastShown ? "" : fmt::format(", about {:.1f} s on one thread", seconds);
}

std::string ModelCost(const Json& data) {
  if (!data.contains("model")) return "no requests, no tokens";
  const Json& cost = data["cost"];
  const Json& model = data["model"];
  std::string text = fmt::format("{}: {}, about {} tokens, at most {}", Text(model, "name"),
                                 Count(Number(cost, "requests"), "request"), Number(cost, "tokens"),
                                 Number(cost, "most_tokens"));
  if (model.value("most_cost", 0.0) > 0) {
    text += fmt::format("; about {:.2f}, at most {:.2f}", model.value("likely_cost", 0.0),
                        model.value("most_cost", 0.0));
  }
  if (!model["judge"].is_null()) text += "; --judge adds more";
  return text;
}

void RenderWebPreview(const Json& web, std::string& text) {
  text += fmt::format("web: {}, {} already sent, at most {}\n",
                      Count(Number(web, "queries"), "query", "queries"),
                      Number(web, "asked_before"), Count(Number(web, "most_pages"), "page"));
  std::size_t shown = 0;
  for (const Json& ask : web["asks"]) {
    if (ask.value("asked_before", false)) continue;
    if (++shown > kMostQueries) break;
    text += fmt::format("  search for part {}: {}\n", Number(ask, "part"), Text(ask, "query"));
  }
  if (shown > kMostQueries) text += "  and more; --json has them\n";
}

Rendered RenderPreview(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& part : data["parts"]) {
    RenderPlannedPart(part, options.terminal, rendered.results);
  }
  std::vector<std::string> sources;
  for (const Json& source : data["sources"]) {
    sources.push_back(Text(source, "name") + "@" + Text(source, "pin"));
  }
  rendered.results += "sources: " + (sources.empty() ? "none" : Join(sources, ", ")) + '\n';
  if (data.contains("web")) RenderWebPreview(data["web"], rendered.results);
  const Json& cost = data["cost"];
  rendered.results += fmt::format(
      "cost: {}, {} already covered, {}{}; {}\n", Count(Number(cost, "points"), "point"),
      Number(cost, "known_points"), Count(Number(cost, "queries"), "query", "queries"),
      TimeEstimate(cost.value("seconds_on_one_thread", 0.0)), ModelCost(data));
  rendered.talk += "sibyl: nothing was written\n";
  return rendered;
}

std::string Spent(const Json& data) {
  if (!data.contains("model")) return "";
  const Json& model = data["model"];
  std::string text =
      fmt::format("sibyl: {}: {}, {} cached, {} tokens in, {} out", Text(model, "name"),
                  Count(Number(model, "questions"), "request"), Number(model, "remembered"),
                  Number(model, "input_tokens"), Number(model, "output_tokens"));
  if (model.value("cost", 0.0) > 0) text += fmt::format(", {:.4f}", model.value("cost", 0.0));
  return text + '\n';
}

}  // namespace

Rendered RenderExpand(const Outcome& outcome, const RenderOptions& options) {
  if (outcome.data.contains("cost")) return RenderPreview(outcome, options);
  return {.results = RenderReport(outcome.data, options.terminal),
          .talk = RenderTalk(outcome, options) + Summary(outcome.data) + Spent(outcome.data)};
}

}  // namespace sibyl::engine
