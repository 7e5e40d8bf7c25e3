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

Style StyleOf(const std::string& state) {
  if (state == "done" || state == "finished") return Style::kGreen;
  if (state == "failed" || state == "lost") return Style::kRed;
  if (state == "running" || state == "interrupted") return Style::kYellow;
  return Style::kDim;
}

// "4711 on node3", as workers are listed.
std::string Holder(const Json& job) {
  const auto holder = job.find("holder");
  if (holder == job.end()) return {};
  return fmt::format("{} on {}", Number(*holder, "process"), Text(*holder, "host"));
}

std::string Details(const Json& job) {
  std::string text = Holder(job);
  // The reason of a part that is held is why it was put back before.
  const std::string reason = text.empty() ? Text(job, "reason") : std::string();
  if (!reason.empty()) return reason;
  if (const std::string step = Text(job, "step"); !step.empty()) {
    text += (text.empty() ? "" : ": ") + step;
  }
  for (const char* name : {"points", "covered", "citations", "lines", "refused", "tokens"}) {
    const auto figure = job.find(name);
    if (figure == job.end()) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", figure->get<std::int64_t>(), name);
  }
  return text;
}

std::string RenderPoints(const Json& job, const Terminal& terminal) {
  std::string text;
  for (const Json& section : job.value("planned", Json::array())) {
    text += fmt::format("    {}\n", Text(section, "title"));
    for (const Json& point : section["points"]) {
      const std::string state = Text(point, "state");
      const Style style = state == "covered" ? Style::kGreen : Style::kYellow;
      std::string rest = Text(point, "where");
      if (const std::string nearest = Text(point, "nearest"); !nearest.empty()) {
        rest = nearest;
      }
      text += fmt::format("      {} {}{}{}\n", Styled(PadRight(state, 7), style, terminal),
                          Text(point, "point"), rest.empty() ? "" : ": ", rest);
    }
  }
  return text;
}

std::string RenderRun(const Json& run, const Terminal& terminal) {
  const std::string state = Text(run, "state");
  std::string text =
      fmt::format("{}: {}, started {}", Styled(Text(run, "plan"), Style::kBold, terminal),
                  Styled(state, StyleOf(state), terminal), Text(run, "began"));
  if (const std::string ended = Text(run, "ended"); !ended.empty()) text += ", ended " + ended;
  text += '\n';
  if (const std::string waits = Text(run, "waits_for"); !waits.empty()) {
    text += fmt::format("  {}\n", Styled(waits, Style::kYellow, terminal));
  }
  std::size_t columns = 0;
  for (const Json& job : run["jobs"]) columns = std::max(columns, Text(job, "name").size());
  for (const Json& job : run["jobs"]) {
    constexpr std::size_t kStateColumns = 9;
    const std::string job_state = Text(job, "state");
    const std::string details = Details(job);
    const std::string shown = details.empty() ? job_state : PadRight(job_state, kStateColumns);
    text += fmt::format("  {}  {}{}{}\n", PadRight(Text(job, "name"), columns),
                        Styled(shown, StyleOf(job_state), terminal), details.empty() ? "" : "  ",
                        details);
    text += RenderPoints(job, terminal);
  }
  return text;
}

// "worker 4711 on node3: 2 parts"
std::string RenderWorkers(const Json& workers) {
  std::string text;
  for (const Json& worker : workers) {
    const std::string role = Text(worker, "role");
    const auto parts = worker["parts"].get<std::size_t>();
    text += fmt::format("{} {} on {}: {}\n", role.empty() ? "process" : role,
                        worker["process"].get<std::int64_t>(), Text(worker, "host"),
                        parts == 0 ? "waiting" : Count(parts, "part"));
  }
  return text;
}

std::string RenderPlan(const Json& plan) {
  std::string text =
      fmt::format("{}: {}", Text(plan, "plan"), Count(plan["parts"].get<std::size_t>(), "part"));
  for (const char* name : {"open", "done", "failed", "disabled", "tbd"}) {
    if (plan.contains(name)) text += fmt::format(", {} {}", plan[name].get<std::size_t>(), name);
  }
  return text + '\n';
}

}  // namespace

Rendered RenderStatus(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& run : outcome.data["runs"]) rendered.results += RenderRun(run, options.terminal);
  rendered.results += RenderWorkers(outcome.data.value("workers", Json::array()));
  for (const Json& plan : outcome.data["plans"]) rendered.results += RenderPlan(plan);
  if (outcome.data["runs"].empty() && outcome.data["plans"].empty()) {
    rendered.talk += "sibyl: no runs and no plans yet\n";
  }
  if (const std::string next = Text(outcome.data, "next"); !next.empty()) {
    rendered.talk += fmt::format("sibyl: next: {}\n", next);
  }
  return rendered;
}

}  // namespace sibyl::engine
