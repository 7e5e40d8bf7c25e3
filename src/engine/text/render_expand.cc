// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "base/utf8.h"
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

std::string WhyNot(const std::string& state) {
  if (state == "done") return "already done";
  if (state == "not-asked") return "not requested";
  if (state == "refused") return "refused, see above";
  return state;
}

/// Which columns of the result fit, and how wide the names of the files are.
struct ResultTable {
  std::size_t columns = 0;
  std::size_t file = 4;
  bool has_planned = true;
  bool has_citations = true;
  bool has_lines = true;

  std::size_t others() const {
    constexpr std::size_t kPartAndPoints = 4 + 2 + 2 + 9;
    return kPartAndPoints + (has_planned ? 9U : 0U) + (has_citations ? 11U : 0U) +
           (has_lines ? 7U : 0U);
  }
  /// Where the figures of a part start.
  std::size_t figures() const { return 4 + 2 + file + 2 + (has_planned ? 9U : 0U); }
};

// In a narrow window the least interesting columns are dropped, then names are
// shortened; --json has everything.
ResultTable ChooseColumns(const Json& parts, std::size_t columns) {
  constexpr std::size_t kLeastName = 16;
  ResultTable table{.columns = columns};
  for (const Json& part : parts) {
    table.file = std::max(table.file, DisplayWidth(Text(part, "target")));
  }
  const std::size_t name = std::min(table.file, kLeastName);
  for (bool* column : {&table.has_planned, &table.has_citations, &table.has_lines}) {
    if (table.others() + name > columns) *column = false;
  }
  const std::size_t room = columns > table.others() ? columns - table.others() : 1;
  table.file = std::min(table.file, room);
  return table;
}

std::string Figures(const Json& part, const ResultTable& table) {
  std::string text;
  if (table.has_lines) text += fmt::format("{:>5}  ", Number(part, "lines"));
  text += fmt::format("{:>9}",
                      fmt::format("{} of {}", Number(part, "covered"), Number(part, "points")));
  if (table.has_citations) text += fmt::format("  {:>9}", Number(part, "citations"));
  return text;
}

// "failed: reason" behind the name where there is room, otherwise below it.
std::string Explained(std::string_view what, Style style, const std::string& reason,
                      const ResultTable& table, const Terminal& terminal) {
  constexpr std::size_t kBelow = 6;
  constexpr std::size_t kLeastRoom = 30;
  const std::size_t start = table.figures();
  const bool is_beside = start + kLeastRoom <= table.columns;
  const std::size_t indent = is_beside ? start : kBelow;
  const std::string text =
      Wrap(ShortenWords(fmt::format("{}: {}", what, reason), table.columns - indent),
           {.columns = table.columns, .first_indent = indent, .indent = indent});
  return (is_beside ? "" : "\n" + std::string(kBelow, ' ')) +
         Styled(text.substr(0, what.size()), style, terminal) + text.substr(what.size());
}

std::string Delivery(const Json& part, const ResultTable& table, const Terminal& terminal) {
  const std::string state = Text(part, "state");
  const std::string reason = Text(part, "reason");
  if (state == "delivered") return Figures(part, table);
  if (state == "failed") return Explained("failed", Style::kRed, reason, table, terminal);
  if (state == "left") return Explained("not done", Style::kYellow, reason, table, terminal);
  return Styled(WhyNot(state), Style::kDim, terminal);
}

std::string RenderReport(const Json& data, const RenderOptions& options) {
  const Terminal& terminal = options.terminal;
  const ResultTable table = ChooseColumns(data["parts"], options.columns());
  std::string head = fmt::format("part  {}  ", PadRight("file", table.file));
  if (table.has_planned) head += "planned  ";
  if (table.has_lines) head += "lines  ";
  head += "   points";
  if (table.has_citations) head += "  citations";
  std::string text = Styled(head, Style::kBold, terminal) + '\n';
  for (const Json& part : data["parts"]) {
    text += fmt::format("{:>4}  {}  ", Number(part, "number"),
                        PadRight(ElideMiddle(Text(part, "target"), table.file), table.file));
    if (table.has_planned) text += fmt::format("{:>7}  ", Planned(part));
    const std::string delivery = Delivery(part, table, terminal);
    while (delivery.starts_with('\n') && text.ends_with(' ')) text.pop_back();
    text += delivery + '\n';
  }
  return text;
}

// Long lines are broken between words on a terminal, never in a pipe.
std::string Wrapped(const std::string& talk, const RenderOptions& options) {
  constexpr std::size_t kIndent = 2;
  std::string text;
  for (const std::string_view line : SplitLines(talk)) {
    const bool is_long = DisplayWidth(line) > options.columns();
    text +=
        is_long ? Wrap(line, {.columns = options.columns(), .indent = kIndent}) : std::string(line);
    text += '\n';
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
  std::size_t left_out = 0;
  for (const Json& part : data["parts"]) left_out += part.value("left_out", Json::array()).size();
  if (left_out > 0) {
    text += fmt::format("sibyl: {} left out; the drop of the part has each, with the reason\n",
                        Count(left_out, "statement"));
  }
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
  std::string text =
      fmt::format("{}: {}, about {} tokens", Text(model, "name"),
                  Count(Number(cost, "requests"), "request"), Number(cost, "tokens"));
  // How much a model reads and writes is known after its first part.
  if (Number(model, "parts_measured") == 0 && Number(cost, "tokens") > 0) {
    text += fmt::format(" ({} to {}, by the model)", model["range"][0].get<std::uint64_t>(),
                        model["range"][1].get<std::uint64_t>());
  }
  text += fmt::format(", at most {}", Number(cost, "most_tokens"));
  if (model.value("most_cost", 0.0) > 0) {
    text += fmt::format("; about {:.2f}, at most {:.2f}", model.value("likely_cost", 0.0),
                        model.value("most_cost", 0.0));
  }
  std::vector<std::string> stages;
  for (const auto& [stage, cost_of] : model["stages"].items()) {
    if (Number(cost_of, "requests") > 0) {
      stages.push_back(fmt::format("{} {}", stage, Number(cost_of, "requests")));
    }
  }
  return stages.empty() ? text : text + " (" + Join(stages, ", ") + ")";
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
  return {.results = RenderReport(outcome.data, options),
          .talk = RenderTalk(outcome, options) +
                  Wrapped(Summary(outcome.data) + Spent(outcome.data), options)};
}

}  // namespace sibyl::engine
