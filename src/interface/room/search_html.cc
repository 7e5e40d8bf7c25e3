// SPDX-License-Identifier: Apache-2.0
// Searching.
#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

#include "base/percent.h"
#include "base/strings.h"
#include "evidence/citation.h"
#include "interface/room/found_text.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/receipt_html.h"
#include "interface/room/text/markdown_html.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

// A section of a page of the oracle.
void AddPageHit(const RoomStyle& style, const Json& hit, const Json& snippet,
                const std::vector<std::string>& wanted, Html& html) {
  const std::string_view heading = JsonText(hit, "heading");
  const std::string_view title = JsonText(hit, "title");
  html.Markup("<li class=\"pg\"><h3>");
  html.Open("a", {{"href", style.links.Page(JsonText(hit, "page"), JsonText(hit, "anchor"))}});
  html.Add(RenderTitle(heading.empty() ? title : heading)).Close("a").Markup("</h3>");
  html.Markup("<p class=\"dim\"><span class=\"pill zero\">page</span>");
  if (const auto topic = JsonText(hit, "topic"); !topic.empty()) html.Text(topic).Text(" › ");
  html.Text(title).Markup("</p><div class=\"md\">");
  // It may begin within a block of code.
  const std::string text =
      (JsonFlag(snippet, "in_code") ? "```\n" : "") + std::string(JsonText(snippet, "text"));
  html.Add(RenderFragment({.text = WithoutTables(text), .wanted = wanted}));
  html.Markup("</div><div class=\"cite\">");
  const std::string_view anchor = JsonText(hit, "anchor");
  html.Element("code", {{"class", "id sr"}, {"data-link", "1"}},
               style.links.Page(JsonText(hit, "page"), anchor));
  html.Markup("<button type=\"button\" class=\"copy\" hidden>Copy link</button></div></li>\n");
}

void AddSnippet(const Json& hit, const std::vector<std::string>& wanted, Html& html) {
  const Json& snippet = JsonObject(hit, "snippet");
  const Json lines = NumberedFrom(JsonText(snippet, "text"), JsonNumber(snippet, "first_line"));
  if (!lines.empty())
    html.Add(NumberedLines(lines, MarksIn(lines, wanted), {.path = JsonText(hit, "path")}));
}

void AddCard(const RoomStyle& style, const Json& card, Html& html) {
  html.Markup("<li class=\"card\"><h3><code>").Text(JsonText(card, "name")).Markup("</code> ");
  html.Element("span", {{"class", "dim"}}, JsonText(card, "kind"));
  if (const auto value = JsonText(card, "value"); !value.empty()) {
    html.Markup(" = <code>").Text(value).Markup("</code>");
  }
  html.Markup("</h3>").Add(PlaceLine(style, card));
  for (const char* name : {"signature", "documentation"}) {
    if (const auto text = JsonText(card, name); !text.empty()) {
      html.Element("pre", {{"tabindex", "0"}}, text);
    }
  }
  html.Markup("</li>\n");
}

void AddChoice(std::string_view value, std::string_view name, std::string_view chosen, Html& html) {
  // An empty value is written too: it means "all".
  html.Markup("<option value=\"").Text(value).Markup("\"");
  if (value == chosen) html.Markup(" selected");
  html.Markup(">").Text(name).Markup("</option>");
}

// Where a citation leads that is not of a source: to a run, or to a page of the web.
Html OtherPlace(const RoomStyle& style, const std::string& citation) {
  const Result<evidence::Citation> parsed = evidence::ParseCitation(citation);
  Html html;
  if (!parsed.ok()) return html.Element("span", {{"class", "dim"}}, citation);
  if (const auto* lab = std::get_if<evidence::LabCitation>(&*parsed)) {
    return html.Element("a", {{"class", "where"}, {"href", style.links.Lab(lab->run)}},
                        fmt::format("lab run {}, {}", lab->run, lab->metric));
  }
  if (const auto* fact = std::get_if<evidence::FactCitation>(&*parsed)) {
    constexpr std::size_t kDigits = 12;
    return html.Element(
        "span", {{"class", "where"}},
        fmt::format("{} {} of {}", fact->inspector, fact->key, fact->sha256.substr(0, kDigits)));
  }
  return html;
}

}  // namespace

Html PlaceLine(const RoomStyle& style, const Json& hit) {
  const HitLines lines = LinesOf(hit);
  const std::string_view source = JsonText(hit, "source");
  const std::string_view path = JsonText(hit, "path");
  const std::string citation(JsonText(hit, "citation"));
  Html html;
  html.Markup("<div class=\"cite\">");
  const std::string range = lines.first == 0 ? ""
                            : lines.first == lines.last
                                ? fmt::format(":{}", lines.first)
                                : fmt::format(":{}-{}", lines.first, lines.last);
  if (source.empty()) {
    html.Add(OtherPlace(style, citation));
  } else {
    html.Element(
        "a",
        {{"class", "where"},
         {"href",
          style.links.Source(
              source, path, {.first = lines.first, .last = lines.last, .blob = BlobOf(citation)})}},
        fmt::format("{} {}{}", source, path, range));
  }
  if (const std::string link = SafeAddress(JsonText(hit, "link")); !link.empty()) {
    html.Element("a", {{"href", link}, {"class", "ext"}, {"rel", "noopener noreferrer"}},
                 "permalink");
  }
  html.Element("code", {{"class", "id sr"}}, citation);
  html.Markup("<button type=\"button\" class=\"copy\" hidden>Copy citation</button></div>\n");
  return html;
}

Html SearchPart(const RoomStyle& style, const SearchForm& form, const SearchAnswers& answers) {
  Html html;
  if (form.mode.empty() && Contains(form.query, " ")) {
    html.Markup("<p class=\"toask\">");
    html.Element(
        "a",
        {{"href", fmt::format("{}?question={}", style.links.Ask(), EncodeUrlValue(form.query))}},
        fmt::format("Ask: {}", form.query));
    html.Markup("</p>\n");
  }
  AddFindings(answers.found, html);
  const Json& hits = JsonList(answers.found, "hits");
  const Json& matches = JsonList(answers.found, "matches");
  const Json& cards =
      form.mode == "cards" ? JsonList(answers.found, "cards") : JsonList(answers.cards, "cards");
  const Json& pages = JsonList(answers.found, "pages");
  const std::vector<std::string> wanted = WantedWords(form.query);
  const Json& page_matches = JsonList(answers.found, "page_matches");
  if (hits.empty() && cards.empty() && matches.empty() && pages.empty() && page_matches.empty()) {
    html.Markup("<p class=\"open unknown\"><strong>?</strong> Nothing was found.</p>\n");
  }
  html.Markup("<ol class=\"hits\">\n");
  for (const Json& page : pages) {
    AddPageHit(style, page, JsonObject(page, "snippet"), wanted, html);
  }
  for (const Json& match : page_matches) {
    AddPageHit(style, match, match, {}, html);
  }
  for (const Json& card : cards) AddCard(style, card, html);
  for (const Json& hit : hits) {
    html.Markup("<li>");
    AddHeading(JsonText(hit, "heading"), html);
    html.Add(PlaceLine(style, hit));
    AddSnippet(hit, wanted, html);
    html.Markup("</li>\n");
  }
  for (const Json& match : matches) {
    html.Markup("<li>").Add(PlaceLine(style, match));
    html.Add(NumberedLines(NumberedFrom(JsonText(match, "text"), JsonNumber(match, "line")),
                           Json::array(), {.path = JsonText(match, "path")}));
    html.Markup("</li>\n");
  }
  html.Markup("</ol>\n");
  return html;
}

std::string SearchPage(const RoomStyle& style, const SearchForm& form, const Json& sources,
                       const Html& results) {
  Html html;
  html.Markup("<div class=\"plain\"><h1>Search</h1>");
  html.Open("form", {{"action", style.links.Search()}, {"class", "form"}});
  html.Markup("<label class=\"grow\">Words, names, or a regular expression");
  html.Open("input", {{"name", "q"}, {"value", form.query}, {"autocomplete", "off"}});
  html.Markup("</label><label>What <select name=\"mode\">");
  AddChoice("", "pages and passages", form.mode, html);
  AddChoice("cards", "definitions", form.mode, html);
  AddChoice("regex", "regular expression", form.mode, html);
  html.Markup("</select></label><label>Source <select name=\"source\">");
  AddChoice("", "all", form.source, html);
  for (const Json& source : JsonList(sources, "sources")) {
    AddChoice(JsonText(source, "name"), JsonText(source, "name"), form.source, html);
  }
  html.Markup("</select></label><label>Language");
  html.Open("input", {{"name", "language"},
                      {"value", form.language},
                      {"size", "10"},
                      {"list", "languages"},
                      {"placeholder", "all"}});
  html.Markup("<datalist id=\"languages\">");
  for (const char* language :
       {"c", "c++", "cmake", "cuda", "dockerfile", "markdown", "python", "rst", "rust", "shell"}) {
    html.Open("option", {{"value", language}}).Close("option");
  }
  html.Markup("</datalist></label><button>Search</button></form>\n")
      .Add(results)
      .Markup("</div>\n");
  return FramedPage({.links = style.links,
                     .title = form.query.empty() ? "Search" : "Search: " + form.query,
                     .oracle = style.oracle,
                     .kind = "search",
                     .query = form.query},
                    html);
}

}  // namespace sibyl::interface
