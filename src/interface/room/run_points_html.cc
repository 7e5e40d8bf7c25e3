// SPDX-License-Identifier: Apache-2.0
#include "interface/room/run_points_html.h"

#include <string>

#include "base/strings.h"
#include "interface/room/json_text.h"
#include "interface/room/text/markdown_html.h"

namespace sibyl::interface {
namespace {

// Texts of plans are Markdown; writers that work offline keep them plain, and then "__init__" is a
// name.
Html PlannedText(std::string_view text) {
  const bool is_markdown = Contains(text, "`") || (Contains(text, "*") && !Contains(text, "_"));
  return is_markdown ? RenderSentence(text) : RenderTitle(text);
}

void AddPoint(const RoomStyle& style, const Json& job, const Json& point, Html& html) {
  const std::string_view state = JsonText(point, "state");
  const bool is_published = JsonText(job, "state") == "done";
  html.Markup("<tr><td>").Add(PlannedText(JsonText(point, "point"))).Markup("</td><td>");
  html.Element("span", {{"class", "pill " + std::string(ClassOfState(state))}},
               state == "covered" ? "covered ✓"
               : state == "open"  ? "not found ?"
                                  : "not written");
  if (const auto where = JsonText(point, "where"); !where.empty()) {
    const std::string link = style.PageIfThere(JsonText(job, "name"), JsonText(point, "anchor"));
    if (is_published && !JsonText(point, "anchor").empty() && !link.empty()) {
      html.Open("a", {{"href", link}}).Add(RenderTitle(where)).Close("a");
    } else if (Contains(where, "](")) {
      // Another page has it already.
      html.Add(RenderSentence(where, {.links = style.links,
                                      .page = std::string(JsonText(job, "name")),
                                      .has_page = style.has_page}));
    } else {
      html.Add(RenderTitle(where));
    }
  }
  if (const auto nearest = JsonText(point, "nearest"); !nearest.empty()) {
    html.Markup("<span class=\"near\">").Add(RenderTitle(nearest)).Markup("</span>");
  }
  html.Markup("</td></tr>\n");
}

// What was written for the page and is not on it, with the reasons.
void AddLeftOut(const Json& job, Html& html) {
  const Json& left_out = JsonList(job, "left_out");
  if (left_out.empty()) return;
  html.Open("details", {{"data-key", "left out of " + std::string(JsonText(job, "name"))}});
  html.Markup("<summary>").Text(Count(left_out.size(), "sentence"));
  html.Markup(" left out</summary><ul>\n");
  for (const Json& one : left_out) {
    html.Markup("<li>")
        .Add(PlannedText(JsonText(one, "text")))
        .Markup("<span class=\"near note\">");
    html.Add(RenderTitle(JsonText(one, "reason"))).Markup("</span></li>\n");
  }
  html.Markup("</ul></details>");
}

}  // namespace

std::string_view ClassOfState(std::string_view state) {
  if (state == "done" || state == "finished" || state == "covered") return "ok";
  if (state == "failed" || state == "lost" || state == "refused") return "bad";
  const bool is_open = state == "running" || state == "interrupted" || state == "open";
  return is_open ? "open" : "zero";
}

void AddPartName(const RoomStyle& style, const Json& job, Html& html) {
  const std::string_view name = JsonText(job, "name");
  const bool is_page = JsonText(job, "state") == "done" && name.ends_with(".md");
  if (const std::string page = is_page ? style.PageIfThere(name) : ""; !page.empty()) {
    html.Element("a", {{"href", page}}, name);
  } else {
    html.Text(name);
  }
}

void AddStatePill(std::string_view state, Html& html) {
  html.Element("span", {{"class", "pill " + std::string(ClassOfState(state))}}, state);
}

void AddPointsOfPart(const RoomStyle& style, const Json& job, Html& html) {
  const Json& sections = JsonList(job, "planned");
  if (sections.empty()) return;
  html.Open("section",
            {{"class", "part"}, {"data-key", "points of " + std::string(JsonText(job, "name"))}});
  html.Markup("<h3>");
  AddPartName(style, job, html);
  html.Text(" ");
  AddStatePill(JsonText(job, "state"), html);
  html.Markup("</h3>");
  if (const auto reason = JsonText(job, "reason"); !reason.empty()) {
    html.Markup("<p class=\"why\">").Add(RenderTitle(reason)).Markup("</p>");
  }
  html.Markup(
      "<div class=\"wide\" tabindex=\"0\"><table class=\"points\"><tr><th "
      "scope=\"col\">planned</th>"
      "<th scope=\"col\">delivered</th></tr>\n");
  for (const Json& section : sections) {
    html.Markup("<tr><th colspan=\"2\" scope=\"rowgroup\">");
    html.Add(PlannedText(JsonText(section, "title")));
    html.Markup("</th></tr>\n");
    for (const Json& point : JsonList(section, "points")) AddPoint(style, job, point, html);
  }
  html.Markup("</table></div>");
  AddLeftOut(job, html);
  html.Markup("</section>\n");
}

}  // namespace sibyl::interface
