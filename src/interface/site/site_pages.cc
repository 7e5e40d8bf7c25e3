// SPDX-License-Identifier: Apache-2.0
#include "interface/site/site_pages.h"

#include "interface/room/frame.h"
#include "interface/room/json_text.h"

namespace sibyl::interface {

std::string SiteSearchPage(const RoomStyle& style) {
  Html html;
  html.Markup(
      "<div class=\"plain\"><h1>Search</h1>\n"
      "<noscript><p>Search works in the browser and needs script. The pages can be read without "
      "it.</p></noscript>\n<p class=\"dim\">Type in the box above; the beginning of a word is "
      "enough.</p>\n<div id=\"results\"></div></div>\n");
  return FramedPage(
      {.links = style.links, .title = "Search", .oracle = style.oracle, .kind = "search"}, html);
}

std::string SiteReceiptsPage(const RoomStyle& style, const Json& answer) {
  const std::string page(JsonText(answer, "file"));
  Html html;
  html.Markup("<div class=\"plain\"><p class=\"back\">");
  html.Element("a", {{"href", style.links.Page(page)}}, JsonText(answer, "title"));
  html.Markup("</p><h1>Receipts</h1>\n");
  for (const Json& one : AnswersByStatement(answer)) {
    const std::uint64_t id = JsonNumber(one["statements"].front(), "id");
    html.Open("div", {{"id", "s" + std::to_string(id)}});
    html.Add(ReceiptPart(style, one, 0));
    html.Close("div");
  }
  html.Markup("</div>\n");
  return FramedPage({.links = style.links,
                     .title = "Receipts of " + std::string(JsonText(answer, "title")),
                     .oracle = style.oracle,
                     .kind = "receipts"},
                    html);
}

std::string_view SiteSearchScript() {
  return
#include "interface/site/files/search.js.inc"
      ;
}

}  // namespace sibyl::interface
