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
  return fmt::format("sibyl: {}{} waiting, {} held, {} done, {} failed\n",
                     open.empty() ? open : open + " open, ", AnyText(progress, "waiting"),
                     AnyText(progress, "running"), AnyText(progress, "done"),
                     AnyText(progress, "failed"));
}

}  // namespace

Rendered RenderPlanStatus(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = Findings(outcome, options)};
  for (const Json& part : data["parts"]) {
    rendered.results += fmt::format("PART {} {}: {}", AnyText(part, "number"),
                                    AnyText(part, "target"), AnyText(part, "state"));
    for (const char* member : {"step", "reason"}) {
      if (!AnyText(part, member).empty()) rendered.results += ", " + AnyText(part, member);
    }
    if (part.contains("covered")) {
      rendered.results +=
          fmt::format(", {} of {} points", AnyText(part, "covered"), AnyText(part, "points"));
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
  Rendered rendered{.results = fmt::format("lease: {}\nPART {}: {}\nfile: {}\n",
                                           AnyText(data, "lease"), AnyText(part, "number"),
                                           AnyText(part, "title"), AnyText(part, "target"))};
  for (const Json& section : part["sections"]) {
    rendered.results +=
        fmt::format("section {}: {}\n", AnyText(section, "section"), AnyText(section, "title"));
    for (const Json& point : section["points"]) {
      rendered.results += fmt::format("  ### {}\n", Harmless(point.get<std::string>()));
    }
  }
  rendered.talk = fmt::format("sibyl: the lease lasts {} s after each call that uses it\n",
                              AnyText(data, "lease_seconds"));
  return rendered;
}

Rendered RenderPartDraft(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.results = Findings(outcome, options)};
  rendered.talk = fmt::format("sibyl: section {}: {}; {}\n", AnyText(data, "section"),
                              outcome.holds ? "passed the gate" : "refused by the gate",
                              Count(data["citations"].get<std::size_t>(), "citation"));
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
  if (outcome.data.value("published", false)) return RenderExpand(outcome, options);
  return {.results = Findings(outcome, options),
          .talk = ProgressText(outcome.data) +
                  "sibyl: nothing was published; next: " + NextText(outcome.data) + "\n"};
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

Rendered RenderLabResults(const Outcome& outcome, const RenderOptions& options) {
  if (!outcome.data.contains("runs")) return RenderLabRun(outcome, options);
  Rendered rendered;
  for (const Json& run : outcome.data["runs"]) {
    rendered.results +=
        fmt::format("{} {} {}, {} measurements\n", AnyText(run, "run"), AnyText(run, "time"),
                    AnyText(run, "device"), AnyText(run, "measurements"));
  }
  return rendered;
}

}  // namespace sibyl::engine
