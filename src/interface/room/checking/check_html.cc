// SPDX-License-Identifier: Apache-2.0
// Checking: a pasted text underlined with the reasons, and the forms.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "interface/room/checking/artifact_html.h"
#include "interface/room/checking/checked_text.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/text/markdown_html.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

struct Reason {
  std::size_t number = 0;  // in the list below the text
  const Json* finding = nullptr;
};

bool IsTrouble(const Json& finding) {
  const std::string_view verdict = JsonText(finding, "verdict");
  return !verdict.empty() && verdict != "supported";
}

bool IsUndecided(const Reason& reason) {
  return JsonText(*reason.finding, "verdict") == "undecidable";
}

// Where the finding's text is in its line; the whole line if it is not there.
UnderlinedPlace PlaceIn(std::string_view line, const Reason& reason) {
  const Json& finding = *reason.finding;
  UnderlinedPlace place{.end = line.size(),
                        .number = reason.number,
                        .kind = IsUndecided(reason) ? "unsure" : "err",
                        .reason = JsonText(finding, "message")};
  const std::string_view text = JsonText(finding, "text");
  const std::uint64_t column = JsonNumber(finding, "column");
  std::size_t at = std::string_view::npos;
  if (!text.empty() && column > 0 && column <= line.size()) at = line.find(text, column - 1);
  if (at == std::string_view::npos && !text.empty()) at = line.find(text);
  if (at == std::string_view::npos) return place;
  place.begin = at;
  place.end = at + text.size();
  return place;
}

// "cmake@03676b0 Help/x.rst:8-13" as a link to the source browser.
Html PlaceOf(const RoomStyle& style, std::string_view where, const Json& sources) {
  const std::size_t blank = std::min(where.find(' '), where.size());
  const std::string_view name = where.substr(0, std::min(where.find('@'), blank));
  std::string_view path = where.substr(std::min(blank + 1, where.size()));
  const bool is_source = std::any_of(sources.begin(), sources.end(), [name](const Json& source) {
    return JsonText(source, "name") == name;
  });
  Html html;
  if (!is_source || path.empty()) {
    const std::string address = SafeAddress(where);
    if (address.empty()) return html.Text(where);
    return html.Element("a", {{"href", address}, {"class", "ext"}, {"rel", "noopener noreferrer"}},
                        where);
  }
  const std::size_t colon = path.rfind(':');
  const std::string_view range = colon == path.npos ? "" : path.substr(colon + 1);
  const std::size_t dash = std::min(range.find('-'), range.size());
  const auto first = ParseNumber<std::size_t>(range.substr(0, dash));
  const auto last = ParseNumber<std::size_t>(range.substr(std::min(dash + 1, range.size())));
  if (first) path = path.substr(0, colon);
  return html.Element("a",
                      {{"class", "where"},
                       {"href", style.links.Source(name, path,
                                                   {.first = first.value_or(0),
                                                    .last = last.value_or(first.value_or(0))})}},
                      where);
}

void AddReason(const RoomStyle& style, const Reason& reason, const Json& sources, Html& html) {
  const Json& finding = *reason.finding;
  const std::string_view verdict = JsonText(finding, "verdict");
  const std::uint64_t line = JsonNumber(finding, "line");
  html.Open("li", {{"id", WhyAnchor(reason.number)}, {"value", std::to_string(reason.number)}});
  html.Markup("<span class=\"pill ");
  html.Text(VerdictClass(verdict)).Markup("\">").Text(VerdictWord(verdict)).Text(" ");
  html.Text(VerdictSign(verdict)).Markup("</span> ");
  html.Element("a", {{"href", '#' + LineAnchor(line)}}, fmt::format("line {}", line));
  html.Text(": ").Add(RenderCodeNames(JsonText(finding, "message")));
  const std::string_view nearest = JsonText(finding, "nearest");
  const std::string_view where = JsonText(finding, "where");
  if (!nearest.empty() || !where.empty()) {
    html.Markup("<span class=\"near note\">");
    if (!nearest.empty()) html.Markup("nearest: <b>").Text(nearest).Markup("</b> ");
    html.Add(PlaceOf(style, where, sources)).Markup("</span>");
  }
  html.Markup("</li>\n");
}

// A long list is folded after the first few.
void AddReasons(const RoomStyle& style, const std::vector<Reason>& reasons, const Json& sources,
                Html& html) {
  constexpr std::size_t kMostShown = 8;
  if (reasons.empty()) return;
  // One or two more are not worth a click.
  const std::size_t shown = reasons.size() <= kMostShown + 2 ? reasons.size() : kMostShown;
  html.Markup("<ol class=\"reasons\">\n");
  for (std::size_t i = 0; i < shown; ++i) AddReason(style, reasons[i], sources, html);
  html.Markup("</ol>\n");
  if (shown == reasons.size()) return;
  html.Markup("<details><summary>");
  html.Text(fmt::format("{} more {}", reasons.size() - shown,
                        IsUndecided(reasons.front()) ? "not decided" : "that fail or are stale"));
  html.Markup("</summary><ol class=\"reasons\">\n");
  for (std::size_t i = shown; i < reasons.size(); ++i) AddReason(style, reasons[i], sources, html);
  html.Markup("</ol></details>\n");
}

void AddCountPill(std::string_view words, std::uint64_t count, std::string_view kind, Html& html) {
  html.Open("span", {{"class", count == 0 ? "pill zero" : "pill " + std::string(kind)}});
  html.Number(count).Text(" ").Text(words).Close("span");
}

// What the counts leave out.
void AddUnfinished(const Json& audit, Html& html) {
  for (const Json& finding : JsonList(audit, "findings")) {
    if (JsonText(finding, "code") != "audit/unfinished") continue;
    html.Markup("<p class=\"open unknown\"><strong>?</strong> ");
    html.Element("a", {{"href", '#' + LineAnchor(JsonNumber(finding, "line"))}},
                 fmt::format("From line {}", JsonNumber(finding, "line")));
    html.Markup(" on nothing was checked: the time was up. <code>sibyl audit</code> has no limit.");
    html.Markup("</p>\n");
  }
}

void AddAudited(const RoomStyle& style, const CheckAnswers& answers, Html& html) {
  const Json& audit = answers.audit;
  const Json& counts = JsonObject(audit, "counts");
  html.Markup("<section><h2>What the sources say</h2><p>");
  if (Trim(answers.text).empty()) {
    html.Markup("Nothing to check: the text is empty.</p></section>\n");
    return;
  }
  const std::uint64_t holds = JsonNumber(counts, "supported");
  const std::uint64_t fails = JsonNumber(counts, "contradicted") + JsonNumber(counts, "absent");
  AddCountPill(holds == 1 ? "holds ✓" : "hold ✓", holds, "ok", html);
  AddCountPill(fails == 1 ? "fails ✗" : "fail ✗", fails, "bad", html);
  AddCountPill("stale ↻", JsonNumber(counts, "stale"), "old", html);
  AddCountPill("not decided ?", JsonNumber(counts, "undecidable"), "open", html);
  html.Markup("</p>\n");
  AddUnfinished(audit, html);
  if (JsonList(audit, "findings").empty()) {
    html.Markup("<p>It says nothing that can be looked up in the pinned sources.</p>\n");
  }
  std::vector<Reason> failing;
  std::vector<Reason> undecided;
  for (const Json& finding : JsonList(audit, "findings")) {
    if (!IsTrouble(finding)) continue;
    const Reason reason{.finding = &finding};
    (IsUndecided(reason) ? undecided : failing).push_back(reason);
  }
  // Numbered as they are listed.
  std::size_t count = 0;
  const std::vector<std::string_view> lines = SplitLines(answers.text);
  UnderlinedPlaces places;
  for (std::vector<Reason>* reasons : {&failing, &undecided}) {
    std::stable_sort(reasons->begin(), reasons->end(), [](const Reason& a, const Reason& b) {
      return JsonNumber(*a.finding, "line") < JsonNumber(*b.finding, "line");
    });
    for (Reason& reason : *reasons) {
      reason.number = ++count;
      const std::uint64_t line = JsonNumber(*reason.finding, "line");
      if (line < 1 || line > lines.size()) continue;
      places[line].push_back(PlaceIn(lines[line - 1], reason));
    }
  }
  AddCheckedText(answers.text, std::move(places), html);
  const Json& sources = JsonList(answers.sources, "sources");
  AddReasons(style, failing, sources, html);
  AddReasons(style, undecided, sources, html);
  html.Markup("</section>\n");
}

void AddForms(const CheckAnswers& answers, Html& html) {
  html.Markup(
      "<form method=\"post\" action=\"/check\"><h2>Markdown</h2><label>Paste or drop a text; what "
      "the pinned sources do not bear out is underlined"
      "<textarea name=\"text\" rows=\"10\" data-drop class=\"full\" spellcheck=\"false\">\n");
  html.Text(answers.kind == "markdown" ? std::string_view(answers.text) : std::string_view());
  html.Markup(
      "</textarea></label><p><button name=\"kind\" value=\"markdown\">Check</button></p></form>\n"
      "<form method=\"post\" action=\"/check\" data-upload><h2>Dockerfile, CMake cache or "
      "library</h2><label>Paste a Dockerfile or CMakeCache.txt, or drop a file here"
      "<textarea name=\"text\" rows=\"5\" data-drop class=\"full\" spellcheck=\"false\">\n");
  html.Text(answers.kind == "artifact" ? std::string_view(answers.text) : std::string_view());
  html.Markup(
      "</textarea></label><div class=\"form\"><label>Library or other file, up to 8 MB"
      "<input type=\"file\" name=\"file\"></label><label>GPU (optional)");
  html.Open("input",
            {{"name", "gpu"}, {"value", answers.gpu}, {"placeholder", "H200"}, {"size", "10"}});
  html.Markup("</label><label>Driver (optional)");
  html.Open("input", {{"name", "driver"},
                      {"value", answers.driver},
                      {"placeholder", "580.65.06"},
                      {"size", "12"}});
  html.Markup(
      "</label><button name=\"kind\" value=\"artifact\">Inspect</button></div>"
      "<p class=\"dim\">Larger files: <code>sibyl inspect FILE</code></p></form>\n");
}

void AddFailure(const Json& answer, Html& html) {
  const Json& error = JsonObject(answer, "error");
  if (error.empty()) return;
  html.Markup("<p class=\"bad unknown\">✗ ").Text(JsonText(error, "message"));
  if (const auto hint = JsonText(error, "hint"); !hint.empty()) html.Text("; ").Text(hint);
  html.Markup("</p>\n");
}

}  // namespace

std::string CheckPage(const RoomStyle& style, const CheckAnswers& answers) {
  Html html;
  html.Markup("<div class=\"plain\"><h1>Check</h1>\n<div id=\"checked\">\n");
  AddFailure(answers.audit, html);
  AddFailure(answers.inspection, html);
  if (answers.audit.contains("counts")) AddAudited(style, answers, html);
  for (const Json& artifact : JsonList(answers.inspection, "artifacts"))
    AddArtifact(artifact, answers, html);
  html.Markup("</div>\n");
  AddForms(answers, html);
  html.Markup("</div>\n");
  return FramedPage(
      {.links = style.links, .title = "Check", .oracle = style.oracle, .kind = "check"}, html);
}

}  // namespace sibyl::interface
