// SPDX-License-Identifier: Apache-2.0
// Formats the answers of the agent operations for people.
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"
#include "engine/tool_names.h"

namespace sibyl::engine {
namespace {

std::string AnyText(const Json& json, const char* name) {
  const auto member = json.find(name);
  if (member == json.end() || member->is_null()) return {};
  return Harmless(member->is_string() ? member->get<std::string>() : member->dump());
}

std::string Findings(const Outcome& outcome, const RenderOptions& options) {
  std::string text;
  for (Finding finding : outcome.findings) {
    finding.hint = WithCommands(finding.hint);
    text += RenderFinding(finding, options.terminal);
  }
  return text;
}

// The next step: agents get a tool's name, people the command.
std::string NextText(const Json& data) {
  std::string next = AnyText(data, "next");
  const Operation* operation = FindToolOperation(next);
  if (operation == nullptr) return next;
  return fmt::format("sibyl {} {}", operation->name, AnyText(data, "plan"));
}

std::string ProgressText(const Json& data) {
  const Json& progress = data["progress"];
  const std::string open = AnyText(progress, "open");  // of a status only
  std::string text = fmt::format(
      "sibyl: {}{} waiting, {} held, {} done", open.empty() ? open : open + " open, ",
      AnyText(progress, "waiting"), AnyText(progress, "running"), AnyText(progress, "done"));
  if (progress.contains("published") && progress["published"] != progress["done"]) {
    text += fmt::format(" ({} published)", AnyText(progress, "published"));
  }
  text += fmt::format(", {} failed", AnyText(progress, "failed"));
  for (const char* state : {"disabled", "tbd", "refused"}) {
    if (progress.value(state, 0) > 0)
      text += fmt::format(", {} {}", progress.value(state, 0), state);
  }
  return text + "\n";
}

std::string BudgetLine(const Json& part) {
  const std::string budget = AnyText(part, "line_budget");
  return budget.empty() ? budget : fmt::format("lines: at most {}\n", budget);
}

// "sources: cutlass, pytorch"; nothing for an empty list.
std::string ListLine(std::string_view name, const Json& list) {
  std::vector<std::string> texts;
  texts.reserve(list.size());
  for (const Json& text : list) texts.push_back(Harmless(text.get<std::string>()));
  return texts.empty() ? std::string() : fmt::format("{}: {}\n", name, Join(texts, ", "));
}

}  // namespace

Rendered RenderPlanStatus(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = Findings(outcome, options)};
  for (const Json& part : data["parts"]) {
    rendered.results += fmt::format("PART {} {}: {}", AnyText(part, "number"),
                                    AnyText(part, "target"), AnyText(part, "state"));
    if (part["state"] == "done" && !part.value("published", false)) {
      rendered.results += ", not published";
    }
    for (const char* member : {"step", "reason"}) {
      if (!AnyText(part, member).empty()) rendered.results += ", " + AnyText(part, member);
    }
    if (part.contains("covered")) {
      rendered.results +=
          fmt::format(", {} of {} points", AnyText(part, "covered"), AnyText(part, "points"));
    }
    if (part.contains("revision")) {
      rendered.results += fmt::format(", revision {}", AnyText(part, "revision"));
    }
    rendered.results += '\n';
  }
  rendered.talk += ProgressText(data) + "sibyl: next: " + NextText(data) + "\n";
  return rendered;
}

Rendered RenderPartClaim(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  if (data["lease"].is_null()) {
    return {.results = {},
            .talk = Findings(outcome, options) + ProgressText(data) +
                    "sibyl: no part to claim; next: " + NextText(data) + "\n"};
  }
  const Json& part = data["part"];
  const bool is_revision = data.contains("revises");
  Rendered rendered{.results = fmt::format("lease: {}\nPART {}: {}\nfile: {}\n",
                                           AnyText(data, "lease"), AnyText(part, "number"),
                                           AnyText(part, "title"), AnyText(part, "target"))};
  if (const std::string goal = AnyText(part, "goal"); !goal.empty()) {
    rendered.results += fmt::format("goal: {}\n", goal);
  }
  rendered.results += BudgetLine(part) + ListLine("sources", data["sources"]) +
                      ListLine("search for", part["queries"]) + ListLine("read", part["reads"]) +
                      ListLine("repositories", part["repositories"]) +
                      ListLine("pages", part["urls"]);
  for (const Json& section : part["sections"]) {
    const std::string budget = AnyText(section, "line_budget");
    rendered.results +=
        fmt::format("section {}: {}{}\n", AnyText(section, "section"), AnyText(section, "title"),
                    budget.empty() ? budget : fmt::format(" (at most {} lines)", budget));
    for (const Json& point : section["points"]) {
      rendered.results += fmt::format("  ### {}\n", Harmless(point.get<std::string>()));
    }
  }
  if (!data["drafted"].empty()) {
    rendered.talk =
        fmt::format("sibyl: {} drafted{}; 'sibyl part show LEASE --section N' shows one\n",
                    Count(data["drafted"].size(), "section"),
                    is_revision ? ", as the published page has them" : "");
  }
  rendered.talk += fmt::format("sibyl: the lease lasts {} s after each call that uses it\n",
                               AnyText(data, "lease_seconds"));
  return rendered;
}

Rendered RenderPartDraft(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.results = Findings(outcome, options)};
  const std::string budget = AnyText(data, "line_budget");
  rendered.talk = fmt::format("sibyl: section {}: {}; {}{}, {}\n", AnyText(data, "section"),
                              outcome.holds ? "passed the gate" : "refused by the gate",
                              Count(data["lines"].get<std::size_t>(), "line"),
                              budget.empty() ? budget : fmt::format(" of {}", budget),
                              Count(data["citations"].get<std::size_t>(), "citation"));
  const auto grounded = data["statements"]["grounded"].get<std::size_t>();
  const auto undecided = data["statements"]["undecided"].get<std::size_t>();
  if (outcome.holds && grounded + undecided > 0) {
    rendered.talk +=
        fmt::format("sibyl: {} of {} grounded", grounded, Count(grounded + undecided, "statement"));
    if (undecided > 0) {
      rendered.talk +=
          fmt::format(", {} not decided: the gate cannot tell whether the cited lines carry {}",
                      undecided, undecided == 1 ? "it" : "them");
    }
    rendered.talk += "\n";
  }
  return rendered;
}

Rendered RenderPartSubmit(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.results = Findings(outcome, options)};
  rendered.talk = fmt::format("sibyl: {}: {}\n", AnyText(data, "target"),
                              outcome.holds ? "delivered" : "refused; nothing was delivered") +
                  ProgressText(data);
  return rendered;
}

Rendered RenderPartRelease(const Outcome& outcome, const RenderOptions&) {
  return {.results = {},
          .talk = fmt::format("sibyl: part {}: {}\n", AnyText(outcome.data, "part"),
                              AnyText(outcome.data, "state"))};
}

Rendered RenderPlanFinalize(const Outcome& outcome, const RenderOptions& options) {
  if (outcome.data.value("published", false)) {
    Outcome shown = outcome;
    shown.data["next"] = NextText(outcome.data);
    return RenderExpand(shown, options);
  }
  return {.results = Findings(outcome, options),
          .talk = ProgressText(outcome.data) +
                  "sibyl: nothing was published; next: " + NextText(outcome.data) + "\n"};
}

Rendered RenderPageCorrect(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.results = Findings(outcome, options)};
  const std::string page = AnyText(data, "page");
  if (!data.value("accepted", false)) {
    rendered.talk = fmt::format("sibyl: {}: refused; nothing was changed\n", page);
    return rendered;
  }
  std::vector<std::string> sections;
  for (const Json& section : data["sections"]) sections.push_back(section.dump());
  const std::string where =
      fmt::format("{} {}", sections.size() == 1 ? "section" : "sections", Join(sections, ", "));
  rendered.talk = fmt::format(
      "sibyl: {}: {} in {}; {}\n", page, Count(data.value("replaced", std::size_t{0}), "text"),
      where, data.value("published", false) ? "published" : "it would pass the gate");
  return rendered;
}

Rendered RenderSourceRead(const Outcome& outcome, const RenderOptions& options) {
  const std::string text = outcome.data.value("text", "");
  Rendered rendered;
  if (!options.terminal.is_terminal) {
    rendered.quoted = text;
  } else {
    for (const std::string_view line : SplitLines(text)) rendered.results += Harmless(line) + '\n';
  }
  rendered.talk = fmt::format("sibyl: {}\n", AnyText(outcome.data, "citation"));
  return rendered;
}

Rendered RenderSourceOutline(const Outcome& outcome, const RenderOptions&) {
  Rendered rendered;
  for (const Json& entry : outcome.data["entries"]) {
    const std::string lines =
        fmt::format("{}-{}", AnyText(entry, "first_line"), AnyText(entry, "last_line"));
    rendered.results += fmt::format("{:>11}  {:>{}}{}\n", lines, "",
                                    2 * entry["depth"].get<std::size_t>(), AnyText(entry, "label"));
  }
  rendered.talk = fmt::format("sibyl: {}, {} lines\n", AnyText(outcome.data, "path"),
                              AnyText(outcome.data, "lines"));
  return rendered;
}

Rendered RenderSourceSymbols(const Outcome& outcome, const RenderOptions&) {
  Rendered rendered;
  for (const Json& symbol : outcome.data["symbols"]) {
    rendered.results += fmt::format(
        "{}:{}-{}  {}  {}", AnyText(symbol, "path"), symbol["lines"][0].get<std::size_t>(),
        symbol["lines"][1].get<std::size_t>(), AnyText(symbol, "kind"), AnyText(symbol, "name"));
    if (const std::string value = AnyText(symbol, "value"); !value.empty()) {
      rendered.results += " = " + value;
    }
    rendered.results += '\n';
  }
  const std::size_t shown = outcome.data["symbols"].size();
  const auto total = outcome.data["total"].get<std::size_t>();
  rendered.talk = fmt::format("sibyl: {}{}\n", Count(shown, "name"),
                              shown < total ? fmt::format(" of {}; raise --limit", total) : "");
  return rendered;
}

Rendered RenderPartShow(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = Findings(outcome, options)};
  const bool is_section = data.contains("section");
  for (const std::string_view line : SplitLines(data["text"].get_ref<const std::string&>())) {
    rendered.results += Harmless(line) + '\n';
  }
  if (is_section) return rendered;
  rendered.talk +=
      fmt::format("sibyl: {}: {} lines, {} of {} points; {}\n", AnyText(data, "target"),
                  AnyText(data, "lines"), AnyText(data, "covered"), AnyText(data, "points"),
                  outcome.holds ? "it would be delivered" : "it would be refused");
  return rendered;
}

Rendered RenderLabResults(const Outcome& outcome, const RenderOptions& options) {
  if (!outcome.data.contains("runs")) return RenderLabRun(outcome, options);
  Rendered rendered;
  for (const Json& run : outcome.data["runs"]) {
    rendered.results +=
        fmt::format("{}  {}  {}: {} measurements, {}\n", AnyText(run, "run"), AnyText(run, "time"),
                    AnyText(run, "command"), AnyText(run, "measurements"), AnyText(run, "device"));
  }
  return rendered;
}

}  // namespace sibyl::engine
