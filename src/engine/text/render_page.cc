// SPDX-License-Identifier: Apache-2.0
// Formats the pages of an oracle and their receipts for people.
#include <fmt/format.h>

#include "base/one_line.h"
#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"

namespace sibyl::engine {
namespace {

Style StyleOfVerdict(const std::string& verdict) {
  if (verdict == "supported") return Style::kGreen;
  const bool is_open =
      verdict == "undecidable" || verdict == "unchecked" || verdict == "unchecked_code";
  return is_open ? Style::kYellow : Style::kRed;
}

std::string ReceiptLine(const Json& receipt) {
  std::string where = Text(receipt, "path");
  if (const std::uint64_t first = Number(receipt, "first_line"); first > 0) {
    where += fmt::format(":{}-{}", first, Number(receipt, "last_line"));
  }
  if (where.empty()) where = Text(receipt, "link");
  const std::string source = Text(receipt, "source");
  std::string text = fmt::format("[^{}]: {}{}{}: {}", Text(receipt, "label"), source,
                                 source.empty() ? "" : "@" + Text(receipt, "pin") + " ", where,
                                 Text(receipt, "state"));
  const std::string message = Text(receipt, "message");
  if (!message.empty() && Text(receipt, "state") != "holds") text += ": " + message;
  return text + '\n';
}

}  // namespace

Rendered RenderSourceFiles(const Outcome& outcome, const RenderOptions& /*options*/) {
  std::string text;
  for (const Json& name : outcome.data["folders"]) text += TextOf(name) + "/\n";
  for (const Json& name : outcome.data["files"]) text += TextOf(name) + '\n';
  return {.results = std::move(text), .talk = {}};
}

Rendered RenderPageList(const Outcome& outcome, const RenderOptions& options) {
  std::string text;
  for (const Json& page : outcome.data["pages"]) {
    const Json& counts = page["counts"];
    const std::uint64_t failed =
        Number(counts, "contradicted") + Number(counts, "absent") + Number(counts, "stale");
    text +=
        fmt::format("{}  {}; {}, {}", Styled(Text(page, "file"), Style::kBold, options.terminal),
                    Text(page, "title"), Count(Number(page, "citations"), "citation"),
                    Count(Number(counts, "supported"), "check holds", "checks hold"));
    if (failed > 0) text += fmt::format(", {} fail", failed);
    if (const std::uint64_t open = Number(counts, "undecidable"); open > 0) {
      text += fmt::format(", {} not decided", open);
    }
    text += '\n';
  }
  return {.results = std::move(text), .talk = {}};
}

Rendered RenderPageShow(const Outcome& outcome, const RenderOptions& options) {
  std::string text = Styled(Text(outcome.data, "title"), Style::kBold, options.terminal) + '\n';
  for (const Json& unit : outcome.data["statements"]) {
    const std::string verdict = Text(unit, "verdict");
    text += fmt::format("\n{}. {} (line {}): {}\n", Number(unit, "id"),
                        Styled(verdict, StyleOfVerdict(verdict), options.terminal),
                        Number(unit, "line"), OneLine(unit.value("text", std::string())));
    for (const Json& check : unit["checks"]) {
      if (Text(check, "verdict") == "supported") continue;
      text += fmt::format("   {}: {}\n", Text(check, "code"), Text(check, "message"));
    }
    for (const Json& label : unit["citations"]) text += fmt::format("   [^{}]\n", TextOf(label));
  }
  text += '\n';
  for (const Json& receipt : outcome.data["receipts"]) {
    text += ReceiptLine(receipt);
    if (!options.arguments.Has("statement") || !receipt.contains("lines")) continue;
    for (const Json& line : receipt["lines"]) {
      text += fmt::format("  {:>5}  {}\n", line[0].get<std::size_t>(), TextOf(line[1]));
    }
  }
  return {.results = std::move(text), .talk = {}};
}

}  // namespace sibyl::engine
