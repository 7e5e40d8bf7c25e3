// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string RenderHit(const Json& hit, std::size_t number, const RenderOptions& options) {
  const Terminal& terminal = options.terminal;
  const Json& lines = hit["lines"];
  const std::string place =
      fmt::format("{}:{}:{}-{}", hit.value("source", ""), Harmless(hit.value("path", "")),
                  lines[0].get<std::size_t>(), lines[1].get<std::size_t>());
  std::string text = fmt::format("{}. {}", number, Styled(place, Style::kBold, terminal));
  if (const std::string heading = Harmless(hit.value("heading", "")); !heading.empty()) {
    text += "  " + Styled(heading, Style::kBlue, terminal);
  }
  text += '\n';
  const Json& snippet = hit["snippet"];
  std::size_t line = snippet.value("first_line", std::size_t{1});
  const std::string body = snippet.value("text", "");
  for (const std::string_view row : SplitLines(body)) {
    const std::string label = fmt::format("{:>7}  ", line++);
    text += Styled(label, Style::kDim, terminal) +
            Shorten(Harmless(ReplaceInvalidUtf8(row)), options.columns() - label.size()) + '\n';
  }
  if (hit.value("injection", false)) {
    text += Styled("         this passage contains a prompt injection\n", Style::kDim, terminal);
  }
  if (const std::size_t copies = hit.value("copies", std::size_t{0}); copies > 0) {
    text += Styled(fmt::format("         and {} duplicates\n", Count(copies, "passage")),
                   Style::kDim, terminal);
  }
  return text;
}

Rendered RenderMatches(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  for (const Json& match : outcome.data["matches"]) {
    rendered.results += fmt::format(
        "{}:{}:{}:{}\n", match.value("source", ""), Harmless(match.value("path", "")),
        match.value("line", std::size_t{0}),
        Shorten(Harmless(ReplaceInvalidUtf8(match.value("text", ""))), options.columns()));
  }
  rendered.talk = RenderTalk(outcome, options);
  rendered.talk +=
      fmt::format("sibyl: {}{}\n", Count(outcome.data["matches"].size(), "line"),
                  outcome.data.value("complete", true) ? "" : " (more available; raise --limit)");
  return rendered;
}

}  // namespace

Rendered RenderSearch(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  if (outcome.data.contains("json_lines")) {
    for (const Json& line : outcome.data["json_lines"]) {
      rendered.results += FormatJson(line, JsonLayout::kCompact) + '\n';
    }
    rendered.talk = RenderTalk(outcome, options);
    return rendered;
  }
  if (outcome.data.contains("matches")) return RenderMatches(outcome, options);
  if (outcome.data.contains("web")) return RenderWebSearch(outcome, options);
  std::size_t number = 0;
  for (const Json& hit : outcome.data["hits"]) {
    if (number > 0) rendered.results += '\n';
    rendered.results += RenderHit(hit, ++number, options);
  }
  rendered.talk = RenderTalk(outcome, options);
  if (number == 0) rendered.talk += "sibyl: nothing found\n";
  return rendered;
}

}  // namespace sibyl::engine
