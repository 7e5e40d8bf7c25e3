// SPDX-License-Identifier: Apache-2.0
// Asking: the statements of an answer, or that it is not known.
#include "interface/room/found_text.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/receipt_html.h"
#include "interface/room/text/markdown_html.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

void AddAnswered(const RoomStyle& style, const Json& statement, Html& html) {
  html.Markup("<li>");
  const std::string_view text = JsonText(statement, "text");
  const std::string_view path = JsonText(statement, "path");
  const std::string_view kind = JsonText(statement, "kind");
  if (const std::string_view page = JsonText(statement, "page"); !page.empty()) {
    html.Markup("<div class=\"answer md\">").Add(RenderFragment({.text = text}));
    html.Markup("</div><p class=\"dim\"><span class=\"pill zero\">page</span>");
    html.Element("a", {{"href", style.links.Page(page, JsonText(statement, "anchor"))}}, page);
    if (const auto heading = JsonText(statement, "section"); !heading.empty()) {
      html.Text(" › ").Add(RenderTitle(heading));
    }
    if (statement.contains("checked") && !JsonFlag(statement, "checked")) {
      html.Markup(" <span class=\"pill away\">not checked here ○</span>");
    }
    html.Markup("</p>");
  } else {
    AddHeading(JsonText(statement, "heading"), html);
    // A sentence may have been joined from several lines; these have no numbers.
    const HitLines lines = LinesOf(statement);
    const Json numbered = NumberedFrom(text, lines.first);
    const bool is_prose = kind == "quote" || kind == "table";
    if (lines.first == 0) {
      // Of a table of the field, a measurement or a fact.
      html.Element("p", {{"class", "answer"}}, text);
    } else if (is_prose && (path.ends_with(".md") || path.ends_with(".markdown"))) {
      html.Markup("<blockquote class=\"md\">").Add(RenderFragment({.text = text}));
      html.Markup("</blockquote>");
    } else if (numbered.size() == lines.last - lines.first + 1) {
      html.Add(NumberedLines(numbered, Json::array(), {.path = path, .first = 0}));
    } else {
      html.Markup("<blockquote>").Add(RenderCodeNames(text)).Markup("</blockquote>");
    }
  }
  html.Add(PlaceLine(style, statement)).Markup("</li>\n");
}

}  // namespace

std::string AskPage(const RoomStyle& style, const std::string& question, const Json& answer) {
  Html html;
  html.Markup("<div class=\"plain\"><h1>Ask</h1>");
  html.Open("form", {{"action", style.links.Ask()}, {"class", "form"}});
  html.Markup("<label class=\"grow\">Your question");
  html.Open("input", {{"name", "question"}, {"value", question}, {"autocomplete", "off"}});
  html.Markup("</label><button>Ask</button></form>\n");
  if (!answer.is_null()) {
    AddFindings(answer, html);
    const bool is_known = JsonFlag(answer, "known");
    if (!is_known) {
      html.Markup(
          "<p class=\"open unknown\"><strong>? Not known.</strong> The pinned sources do not "
          "answer this. "
          "What follows is only near it.</p>\n");
    }
    html.Markup("<ol class=\"hits\">\n");
    for (const Json& statement : JsonList(answer, is_known ? "statements" : "nearest")) {
      AddAnswered(style, statement, html);
    }
    html.Markup("</ol>\n");
    const Json& pages = JsonList(answer, "pages");
    if (!pages.empty()) html.Markup("<h2>Pages about it</h2><ul>");
    for (const Json& page : pages) {
      html.Open("li").Element(
          "a", {{"href", style.links.Page(JsonText(page, "page"), JsonText(page, "anchor"))}},
          JsonText(page, "title").empty() ? JsonText(page, "page") : JsonText(page, "title"));
      html.Close("li");
    }
    if (!pages.empty()) html.Markup("</ul>\n");
  }
  html.Markup("</div>\n");
  return FramedPage({.links = style.links,
                     .title = question.empty() ? "Ask" : question,
                     .oracle = style.oracle,
                     .kind = "ask"},
                    html);
}

}  // namespace sibyl::interface
