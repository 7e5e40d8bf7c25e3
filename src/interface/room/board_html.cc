// SPDX-License-Identifier: Apache-2.0
// The board of runs: what each part does, who holds it, what was refused, what it cost.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/run_points_html.h"
#include "interface/room/text/markdown_html.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

double JsonCost(const Json& job) {
  const auto cost = job.is_object() ? job.find("cost") : job.end();
  return cost != job.end() && cost->is_number() ? cost->get<double>() : 0;
}

std::string CostText(std::uint64_t tokens, double cost) {
  if (tokens == 0) return {};
  return cost > 0 ? fmt::format("{} tokens, {:.4f} spent", tokens, cost)
                  : fmt::format("{} tokens", tokens);
}

// "held by agent ada since 12:00", or by which process.
std::string HolderText(const Json& job) {
  if (JsonText(job, "state") != "running") return {};
  if (JsonFlag(job, "agent")) {
    const std::uint64_t drafted = JsonNumber(job, "drafted");
    return fmt::format("held by an agent, {} {} drafted, last call {}", drafted,
                       drafted == 1 ? "section" : "sections", JsonText(job, "renewed"));
  }
  const Json& holder = JsonObject(job, "holder");
  if (holder.empty()) return {};
  return fmt::format("held by process {} on {}", JsonNumber(holder, "process"),
                     JsonText(holder, "host"));
}

struct PointCount {
  std::uint64_t planned = 0;
  std::uint64_t covered = 0;
  std::uint64_t gathered = 0;  // while evidence is looked up, how far that is
};

PointCount PointsOf(const Json& job) {
  PointCount count;
  for (const Json& section : JsonList(job, "planned")) {
    for (const Json& point : JsonList(section, "points")) {
      ++count.planned;
      count.covered += JsonText(point, "state") == "covered" ? 1 : 0;
    }
  }
  if (count.planned > 0) return count;
  const std::uint64_t points = JsonNumber(job, "points");
  const std::string_view state = JsonText(job, "state");
  // What a part that has no draft was to cover is in the plan.
  const std::uint64_t planned = state == "done" ? 0 : JsonNumber(job, "planned_points");
  if (JsonText(job, "step") == "gathering") {
    return {.planned = planned, .gathered = state == "running" ? points : 0};
  }
  return {.planned = std::max(points, planned), .covered = JsonNumber(job, "covered")};
}

// What the gate refused, while the part is written the newest at once.
void AddRefused(const Json& job, Html& html) {
  const std::uint64_t refused = JsonNumber(job, "refused");
  if (refused == 0) return;
  const std::string count = fmt::format("{} refused by the gate", refused);
  const Json& findings = JsonList(job, "findings");
  if (findings.empty()) {
    html.Text(count);
    return;
  }
  const bool is_running = JsonText(job, "state") == "running";
  html.Open("details", {{"data-key", "findings of " + std::string(JsonText(job, "name"))},
                        {"open", is_running ? "open" : ""}});
  html.Markup("<summary>").Text(count).Markup("</summary><ul class=\"why\">");
  for (const Json& finding : findings) {
    if (!finding.is_string()) continue;
    html.Markup("<li>").Add(RenderCodeNames(finding.get_ref<const std::string&>()));
    html.Markup("</li>");
  }
  html.Markup("</ul>");
  if (refused > findings.size()) {
    html.Element("p", {{"class", "dim"}}, fmt::format("the newest {} are shown", findings.size()));
  }
  html.Markup("</details>");
}

void AddJob(const RoomStyle& style, const Json& job, Html& html) {
  html.Open("tr", {{"data-key", JsonText(job, "name")}}).Markup("<td>");
  AddPartName(style, job, html);
  html.Markup("</td><td>");
  AddStatePill(JsonText(job, "state"), html);
  html.Markup("</td><td>").Text(JsonText(job, "step"));
  for (const std::string& note : {std::string(JsonText(job, "reason")), HolderText(job)}) {
    if (!note.empty()) html.Element("span", {{"class", "dim note"}}, note);
  }
  html.Markup("</td><td class=\"num\">");
  const PointCount points = PointsOf(job);
  if (points.gathered > 0) {
    html.Text(fmt::format("{} looked up", points.gathered));
  } else if (points.planned > 0) {
    html.Text(fmt::format("{} of {}", points.covered, points.planned));
  }
  html.Markup("</td><td class=\"num\">");
  if (const std::uint64_t citations = JsonNumber(job, "citations"); citations > 0) {
    html.Text(fmt::format("{} citations", citations)).Markup("<br>");
  }
  if (const std::uint64_t lines = JsonNumber(job, "lines"); lines > 0) {
    const std::uint64_t planned = JsonNumber(job, "planned_lines");
    html.Text(planned > 0 ? fmt::format("{} of {} lines", lines, planned)
                          : fmt::format("{} lines", lines));
  }
  html.Markup("</td><td>");
  AddRefused(job, html);
  html.Markup("</td><td class=\"num\">").Text(CostText(JsonNumber(job, "tokens"), JsonCost(job)));
  html.Markup("</td><td class=\"num\">").Number(JsonNumber(job, "attempts")).Markup("</td></tr>\n");
}

// A part that no run takes has no job.
void AddRefusedPart(const Json& part, Html& html) {
  const std::string_view target = JsonText(part, "target");
  html.Open("tr", {{"data-key", fmt::format("refused {}", JsonNumber(part, "number"))}});
  html.Markup("<td>");
  html.Text(target.empty() ? fmt::format("PART {}", JsonNumber(part, "number"))
                           : std::string(target));
  html.Markup("</td><td>");
  AddStatePill("refused", html);
  html.Markup("</td><td colspan=\"6\">").Text(JsonText(part, "reason"));
  if (const auto hint = JsonText(part, "hint"); !hint.empty()) {
    html.Element("span", {{"class", "dim note"}}, hint);
  }
  html.Markup("</td></tr>\n");
}

void AddAction(HtmlLiteral operation, std::string_view label, std::string_view plan, Html& html) {
  html.Markup("<form method=\"post\" data-write class=\"form\" action=\"/runs/").Markup(operation);
  html.Markup("\" data-key=\"").Markup(operation).Text(" ").Text(plan).Markup("\">");
  html.Open("input", {{"type", "hidden"}, {"name", "plan"}, {"value", plan}});
  html.Element("button", {{"aria-label", fmt::format("{}: {}", label, plan)}}, label);
  html.Markup("<span role=\"status\" data-keep></span></form>");
}

// "Parts: 2 done, 1 failed. 9 of 30 points covered. 1200 tokens."
std::string SumOf(const Json& run) {
  constexpr std::array<std::string_view, 6> kStates = {"done",   "running", "waiting",
                                                       "failed", "lost",    "cancelled"};
  std::array<std::uint64_t, kStates.size()> counts{};
  std::uint64_t points = 0;
  std::uint64_t covered = 0;
  std::uint64_t tokens = 0;
  double cost = 0;
  for (const Json& job : JsonList(run, "jobs")) {
    if (JsonFlag(job, "publishes")) continue;
    for (std::size_t i = 0; i < kStates.size(); ++i) {
      if (JsonText(job, "state") == kStates[i]) ++counts[i];
    }
    const PointCount own = PointsOf(job);
    points += own.planned;
    covered += own.covered;
    tokens += JsonNumber(job, "tokens");
    cost += JsonCost(job);
  }
  std::string text;
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (counts[i] == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "Parts: " : ", ", counts[i], kStates[i]);
  }
  if (const std::size_t refused = JsonList(run, "refused").size(); refused > 0) {
    text += fmt::format("{}{} refused", text.empty() ? "Parts: " : ", ", refused);
  }
  if (points > 0) text += fmt::format(". {} of {} points covered", covered, points);
  const std::string spent = CostText(tokens, cost);
  return text + (spent.empty() ? ". No tokens used." : fmt::format(". {}.", spent));
}

void AddActions(const Json& run, const BoardActions& actions, Html& html) {
  const std::string_view state = JsonText(run, "state");
  const std::string_view plan = JsonText(run, "plan");
  const bool is_here = plan == actions.running_here;
  if (state == "running" && (is_here || JsonFlag(run, "stoppable"))) {
    AddAction("stop", "Stop", plan, html);
  }
  if (state != "interrupted") return;
  if (actions.can_start) {
    AddAction("start", "Resume", plan, html);
  } else {
    html.Markup("<p class=\"dim\">Resume it with <code>sibyl expand ").Text(plan);
    html.Markup("</code>, or here if the server is started with <code>--tool expand</code>.</p>");
  }
}

std::size_t FailedParts(const Json& run) {
  const Json& jobs = JsonList(run, "jobs");
  return static_cast<std::size_t>(std::count_if(jobs.begin(), jobs.end(), [](const Json& job) {
    return JsonText(job, "state") == "failed";
  }));
}

enum class RunHeading { kLink, kText };

void AddRun(const RoomStyle& style, const Json& run, const BoardActions& actions,
            RunHeading heading, Html& html) {
  const std::string_view state = JsonText(run, "state");
  const std::uint64_t id = JsonNumber(run, "id");
  html.Open("section", {{"class", "run"}, {"data-key", std::to_string(id)}}).Open("h2");
  const std::string_view plan = JsonText(run, "plan");
  const std::string_view title = JsonText(run, "title").empty() ? plan : JsonText(run, "title");
  if (heading == RunHeading::kLink) {
    html.Open("a", {{"href", style.links.Run(id)}}).Add(RenderTitle(title)).Close("a");
  } else {
    html.Add(RenderTitle(title));
  }
  html.Text(" ");
  const std::size_t failed = FailedParts(run);
  if (state == "finished" && failed > 0) {
    html.Element("span", {{"class", "pill bad"}}, fmt::format("finished, {} failed", failed));
  } else {
    AddStatePill(state, html);
  }
  html.Markup("</h2><p class=\"dim\">");
  if (title != plan) html.Text(plan).Text(", ");
  html.Text("started ").Text(JsonText(run, "began"));
  if (const auto ended = JsonText(run, "ended"); !ended.empty()) html.Text(", ended ").Text(ended);
  html.Markup("</p><p>").Text(SumOf(run)).Markup("</p>");
  AddActions(run, actions, html);
  html.Markup(
      "<div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">part</th><th "
      "scope=\"col\">state</th>"
      "<th scope=\"col\">step</th><th scope=\"col\" class=\"num\">points</th>"
      "<th scope=\"col\" class=\"num\">delivered</th><th scope=\"col\">findings</th>"
      "<th scope=\"col\" class=\"num\">spent</th><th scope=\"col\" "
      "class=\"num\">tries</th></tr>\n");
  for (const Json& job : JsonList(run, "jobs")) AddJob(style, job, html);
  for (const Json& part : JsonList(run, "refused")) AddRefusedPart(part, html);
  html.Markup("</table></div></section>\n");
}

void AddWorkers(const Json& status, Html& html) {
  const Json& workers = JsonList(status, "workers");
  if (workers.empty()) return;
  html.Markup("<h2>Workers</h2><ul class=\"plans\">");
  for (const Json& worker : workers) {
    const std::string_view role = JsonText(worker, "role");
    const std::uint64_t process = JsonNumber(worker, "process");
    const std::uint64_t parts = JsonNumber(worker, "parts");
    const std::string name = fmt::format("{} {} on {}", role.empty() ? "process" : role, process,
                                         JsonText(worker, "host"));
    html.Open("li", {{"data-key", "worker " + name}}).Text(name).Text(" ");
    const std::string state = parts == 0 ? "waiting" : Count(parts, "part");
    html.Element("span", {{"class", parts == 0 ? "pill zero" : "pill open"}}, state);
    html.Close("li");
  }
  html.Markup("</ul>");
}

}  // namespace

Html BoardPart(const RoomStyle& style, const Json& status, const BoardActions& actions) {
  Html html;
  if (!actions.failure.empty()) {
    html.Element("p", {{"class", "bad unknown"}}, "✗ " + actions.failure);
  }
  const Json& runs = JsonList(status, "runs");
  if (runs.empty()) html.Markup("<p>Nothing has run yet.</p>");
  for (const Json& run : runs) AddRun(style, run, actions, RunHeading::kLink, html);
  AddWorkers(status, html);
  const Json& plans = JsonList(status, "plans");
  if (!plans.empty()) html.Markup("<h2>Plans</h2><ul class=\"plans\">");
  for (const Json& plan : plans) {
    const std::string_view name = JsonText(plan, "plan");
    html.Open("li", {{"data-key", "plan " + std::string(name)}}).Text(name).Text(" ");
    for (const char* state : {"open", "done", "failed", "disabled", "tbd"}) {
      if (const std::uint64_t count = JsonNumber(plan, state); count > 0) {
        html.Element("span", {{"class", "pill " + std::string(ClassOfState(state))}},
                     fmt::format("{} {}", count, state));
      }
    }
    if (const std::size_t refused = JsonList(plan, "refused").size(); refused > 0) {
      html.Element("span", {{"class", "pill bad"}}, fmt::format("{} refused", refused));
    }
    const bool has_open = JsonNumber(plan, "open") + JsonNumber(plan, "failed") > 0;
    if (has_open && actions.can_start && actions.running_here.empty()) {
      AddAction("start", "Run the open parts", name, html);
    }
    html.Close("li");
  }
  if (!plans.empty()) html.Markup("</ul>");
  return html;
}

Html RunPart(const RoomStyle& style, const Json& status, const BoardActions& actions) {
  Html html;
  for (const Json& run : JsonList(status, "runs")) {
    AddRun(style, run, actions, RunHeading::kText, html);
    html.Markup("<h2>Planned against delivered</h2>\n");
    bool has_points = false;
    for (const Json& job : JsonList(run, "jobs")) {
      has_points = has_points || !JsonList(job, "planned").empty();
      AddPointsOfPart(style, job, html);
    }
    if (!has_points) {
      html.Markup(
          "<p class=\"dim\">The plan and the drafts of this run are gone; the journal keeps the "
          "drafts of the newest two.</p>");
    }
  }
  return html;
}

std::string RunsPage(const RoomStyle& style, const std::string& run, const std::string& board) {
  Html html;
  html.Markup("<div class=\"plain board\">");
  const std::string title = run.empty() ? "Runs" : "Run " + run;
  if (!run.empty()) {
    html.Markup("<nav class=\"back\" aria-label=\"Path\">");
    html.Element("a", {{"href", style.links.Runs()}}, "Runs").Markup("</nav>");
  }
  html.Element("h1", {}, title);
  html.Open("div", {{"id", "board"},
                    {"class", "board"},
                    {"data-events", run.empty() ? "/events" : "/events?run=" + run}});
  html.AddMade(board).Markup("</div></div>\n");
  return FramedPage({.links = style.links, .title = title, .oracle = style.oracle, .kind = "runs"},
                    html);
}

}  // namespace sibyl::interface
