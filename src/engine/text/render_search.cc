// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/hyperlink.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_card.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

// "by words: rank 7; by history: 0.31 of the query, score x 1.31; by vectors: 0.42, x 2.26".
std::string RenderOpinions(const Json& hit, const RenderOptions& options) {
  const auto opinions = hit.find("opinions");
  if (opinions == hit.end()) return {};
  const auto line = [&options](const std::string& text) {
    const std::string shown = Shorten("         " + text, options.columns());
    return Styled(shown, Style::kDim, options.terminal) + '\n';
  };
  const Json& history = (*opinions)["history"];
  if (!history.is_object()) return line("by words alone");
  std::string given =
      fmt::format("by words: rank {}; by history: {:.2f} of the query, score x {:.2f}",
                  (*opinions)["words"].value("rank", 0), history.value("share", 0.0),
                  history.value("factor", 1.0));
  if (const auto vectors = opinions->find("vectors"); vectors != opinions->end()) {
    given += fmt::format("; by vectors: {:.2f}, x {:.2f}", vectors->value("nearness", 0.0),
                         vectors->value("factor", 1.0));
  }
  std::string text = line(given);
  for (const Json& commit : history.value("commits", Json::array())) {
    constexpr std::size_t kShortDigits = 7;
    text += line(fmt::format("  {} {}", commit.value("commit", "").substr(0, kShortDigits),
                             Harmless(commit.value("subject", ""))));
  }
  return text;
}

std::string RenderHit(const Json& hit, std::size_t number, const RenderOptions& options) {
  const Terminal& terminal = options.terminal;
  const Json& lines = hit["lines"];
  const std::string place =
      fmt::format("{}:{}:{}-{}", hit.value("source", ""), Harmless(hit.value("path", "")),
                  lines[0].get<std::size_t>(), lines[1].get<std::size_t>());
  std::string text = fmt::format(
      "{}. {}", number, Styled(Linked(place, Text(hit, "link"), terminal), Style::kBold, terminal));
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
  text += RenderOpinions(hit, options);
  if (hit.value("injection", false)) {
    text += Styled("         this passage contains a prompt injection\n", Style::kDim, terminal);
  }
  if (const std::size_t copies = hit.value("copies", std::size_t{0}); copies > 0) {
    text += Styled(fmt::format("         and {} duplicates\n", Count(copies, "passage")),
                   Style::kDim, terminal);
  }
  return text;
}

// A commit: its id, date and subject, then what else it says, and its files.
std::string RenderCommit(const Json& commit, std::size_t number, const RenderOptions& options) {
  constexpr std::size_t kShortDigits = 10;
  constexpr std::size_t kMostLines = 6;
  const Terminal& terminal = options.terminal;
  const std::string place = fmt::format("{}@{}", commit.value("source", ""),
                                        commit.value("commit", "").substr(0, kShortDigits));
  std::string text =
      fmt::format("{}. {}  {}  {}\n", number,
                  Styled(Linked(place, Text(commit, "link"), terminal), Style::kBold, terminal),
                  commit.value("date", ""),
                  Styled(Harmless(commit.value("subject", "")), Style::kBlue, terminal));
  const auto line = [&](const std::string& row, Style style) {
    text += Styled(Shorten("         " + row, options.columns()), style, terminal) + '\n';
  };
  const std::string message = commit.value("message", "");
  std::size_t shown = 0;
  for (const std::string_view row : SplitLines(message)) {
    if (Trim(row).empty() || row == commit.value("subject", "")) continue;
    if (shown++ == kMostLines) break;
    line(Harmless(row), Style::kPlain);
  }
  std::string files;
  for (const Json& file : commit.value("files", Json::array())) {
    files += (files.empty() ? "" : ", ") + Harmless(file.get<std::string>());
  }
  if (!files.empty()) line("changed " + files, Style::kDim);
  if (commit.value("injection", false)) line("it contains a prompt injection", Style::kDim);
  return text;
}

// A section of a page: "page memory/05-x.md:40-52  Title > Heading".
std::string RenderPageHit(const Json& hit, const RenderOptions& options) {
  const Terminal& terminal = options.terminal;
  const Json& lines = hit["lines"];
  const std::string place = fmt::format("page {}:{}-{}", Harmless(hit.value("page", "")),
                                        lines[0].get<std::size_t>(), lines[1].get<std::size_t>());
  std::string heading = hit.value("title", "");
  if (const std::string own = hit.value("heading", ""); !own.empty()) heading += " > " + own;
  std::string text = fmt::format("{}  {}\n", Styled(place, Style::kBold, terminal),
                                 Styled(Harmless(heading), Style::kBlue, terminal));
  const Json& snippet = hit["snippet"];
  std::size_t line = snippet.value("first_line", std::size_t{1});
  const std::string body = snippet.value("text", "");
  for (const std::string_view row : SplitLines(body)) {
    const std::string label = fmt::format("{:>7}  ", line++);
    text += Styled(label, Style::kDim, terminal) +
            Shorten(Harmless(ReplaceInvalidUtf8(row)), options.columns() - label.size()) + '\n';
  }
  return text;
}

// Under its place, as a search without grouping shows it.
void RenderFiles(const Json& files, const RenderOptions& options, Rendered& rendered) {
  std::size_t number = 0;
  for (const Json& file : files) {
    const std::string place =
        fmt::format("{}:{}", file.value("source", ""), Harmless(file.value("path", "")));
    if (file.contains("lines")) {
      for (const Json& line : file["lines"]) {
        rendered.results += fmt::format(
            "{}:{}:{}\n", place, line.value("line", std::size_t{0}),
            Shorten(Harmless(ReplaceInvalidUtf8(line.value("text", ""))), options.columns()));
      }
      continue;
    }
    for (Json hit : file["hits"]) {
      hit["source"] = file["source"];
      hit["path"] = file["path"];
      if (!rendered.results.empty()) rendered.results += '\n';
      rendered.results += RenderHit(hit, ++number, options);
    }
  }
}

void RenderPageMatches(const Json& matches, const RenderOptions& options, Rendered& rendered) {
  for (const Json& match : matches) {
    rendered.results += fmt::format(
        "{}:{}:{}\n", Harmless(match.value("page", "")), match.value("line", std::size_t{0}),
        Shorten(Harmless(ReplaceInvalidUtf8(match.value("text", ""))), options.columns()));
  }
}

Rendered RenderMatches(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  const Json pages = outcome.data.value("page_matches", Json::array());
  RenderPageMatches(pages, options, rendered);
  for (const Json& match : outcome.data["matches"]) {
    rendered.results += fmt::format(
        "{}:{}:{}:{}\n", match.value("source", ""), Harmless(match.value("path", "")),
        match.value("line", std::size_t{0}),
        Shorten(Harmless(ReplaceInvalidUtf8(match.value("text", ""))), options.columns()));
  }
  rendered.talk = RenderTalk(outcome, options);
  rendered.talk +=
      fmt::format("sibyl: {}{}\n", Count(outcome.data["matches"].size() + pages.size(), "line"),
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
  if (outcome.data.contains("answers")) {
    for (const Json& answer : outcome.data["answers"]) {
      rendered.results +=
          (rendered.results.empty() ? "" : "\n") +
          Styled(Harmless(answer.value("query", "")), Style::kBold, options.terminal) + '\n';
      const Rendered one = RenderSearch({.data = answer}, options);
      rendered.results += one.results.empty() ? "nothing found\n" : one.results;
    }
    rendered.talk = RenderTalk(outcome, options);
    return rendered;
  }
  for (const Json& hit : outcome.data.value("pages", Json::array())) {
    rendered.results += (rendered.results.empty() ? "" : "\n") + RenderPageHit(hit, options);
  }
  if (outcome.data.contains("files")) {
    RenderPageMatches(outcome.data.value("page_matches", Json::array()), options, rendered);
    RenderFiles(outcome.data["files"], options, rendered);
    rendered.talk = RenderTalk(outcome, options);
    if (rendered.results.empty()) rendered.talk += "sibyl: nothing found\n";
    return rendered;
  }
  if (outcome.data.contains("matches")) return RenderMatches(outcome, options);
  if (outcome.data.contains("cards")) return RenderCards(outcome, options);
  if (outcome.data.contains("web")) return RenderWebSearch(outcome, options);
  std::size_t number = 0;
  for (const Json& commit : outcome.data.value("commits", Json::array())) {
    rendered.results +=
        (rendered.results.empty() ? "" : "\n") + RenderCommit(commit, ++number, options);
  }
  for (const Json& hit : outcome.data.value("hits", Json::array())) {
    if (!rendered.results.empty()) rendered.results += '\n';
    rendered.results += RenderHit(hit, ++number, options);
  }
  rendered.talk = RenderTalk(outcome, options);
  if (rendered.results.empty()) rendered.talk += "sibyl: nothing found\n";
  return rendered;
}

}  // namespace sibyl::engine
