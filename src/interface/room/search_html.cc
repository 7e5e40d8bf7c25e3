// SPDX-License-Identifier: Apache-2.0
// Searching.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
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

constexpr std::size_t kFewHits = 20;
constexpr std::size_t kMostHitsShown = 100;
constexpr std::size_t kMostMatchesShown = 500;

// What is marked in a page.
struct PageMarks {
  std::vector<std::string> wanted;
  std::string match = {};
};

// From the line before the first that has a wanted word: of a long snippet only the begin is seen.
std::string_view FromFirstWanted(std::string_view text, const std::vector<std::string>& wanted) {
  std::size_t line = 0;
  std::size_t before = 0;
  while (line < text.size()) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    const std::string_view words = text.substr(line, end - line);
    // Without its begin, a block of code is not one.
    if (words.starts_with("```")) return text;
    const Json marks = MarksIn(Json::array({Json::array({1, std::string(words)})}), wanted);
    if (!marks.empty()) return text.substr(before);
    if (!Trim(words).empty()) before = line;
    line = end + 1;
  }
  return text;
}

// A section of a page of the oracle.
void AddPageHit(const RoomStyle& style, const Json& hit, const Json& snippet,
                const PageMarks& marks, Html& html) {
  const std::string_view heading = JsonText(hit, "heading");
  const std::string_view title = JsonText(hit, "title");
  html.Markup("<li class=\"pg\"><h3>");
  html.Open("a", {{"href", style.links.Page(JsonText(hit, "page"), JsonText(hit, "anchor"))}});
  html.Add(RenderTitle(heading.empty() ? title : heading)).Close("a").Markup("</h3>");
  html.Markup("<p class=\"dim\"><span class=\"pill zero\">page</span>");
  if (const auto topic = JsonText(hit, "topic"); !topic.empty()) html.Text(topic).Text(" › ");
  html.Text(title).Markup("</p><div class=\"md\">");
  // It may begin within a block of code.
  const std::string_view shown = JsonText(snippet, "text");
  const std::string text =
      JsonFlag(snippet, "in_code")
          ? "```\n" + std::string(shown)
          : std::string(marks.wanted.empty() ? shown : FromFirstWanted(shown, marks.wanted));
  html.Add(
      RenderFragment({.text = WithoutTables(text), .wanted = marks.wanted, .match = marks.match}));
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

// Of a regular expression, the pages' lines first; the sources keep half of the places.
struct ShownMatches {
  std::size_t of_pages = 0;
  std::size_t of_sources = 0;
};

ShownMatches ChooseMatches(std::size_t pages, std::size_t sources, std::size_t most) {
  const std::size_t of_pages = std::min(pages, std::max(most / 2, most - std::min(most, sources)));
  return {.of_pages = of_pages, .of_sources = std::min(sources, most - of_pages)};
}

// "20 of 61 lines", and where the others are.
void AddMatchCount(const RoomStyle& style, const SearchForm& form, const Json& found,
                   std::size_t shown, Html& html) {
  const std::size_t total =
      JsonList(found, "matches").size() + JsonList(found, "page_matches").size();
  const bool is_complete = JsonFlag(found, "complete");
  if (total == 0) return;
  html.Markup("<p class=\"dim\">");
  html.Text(shown == total && is_complete
                ? Count(total, "line")
                : fmt::format("{} of {}{} lines", shown, is_complete ? "" : "more than ", total));
  const std::size_t next = std::min<std::size_t>(form.most * 5, kMostMatchesShown);
  if (shown < total && next > form.most) {
    html.Text(" ").Element("a", {{"class", "all"}, {"href", form.Address(style, next)}},
                           next >= total ? "show all" : fmt::format("show {}", next));
  } else if (shown < total || !is_complete) {
    html.Markup("; <code>sibyl search --regex</code> shows all of them");
  }
  html.Markup("</p>\n");
}

// Where the match is in the only line.
Json MatchIn(const Json& match) {
  const Json& range = JsonList(match, "range");
  if (range.size() != 2) return Json::array();
  return Json::array({Json::array({JsonNumber(match, "line"), range[0], range[1]})});
}

// As it is written in the Markdown: of a match across code, its longest piece.
std::string MatchedText(const Json& match) {
  const Json& range = JsonList(match, "range");
  const std::string_view text = JsonText(match, "text");
  if (range.size() != 2) return {};
  const auto begin = std::min(range[0].get<std::size_t>(), text.size());
  const auto end = std::min(range[1].get<std::size_t>(), text.size());
  std::string_view rest = text.substr(begin, end - std::min(begin, end));
  std::string_view longest;
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, rest.find_first_of("`*|"));
    if (piece.size() > longest.size()) longest = piece;
    rest.remove_prefix(std::min(piece.size() + 1, rest.size()));
  }
  return std::string(longest);
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

std::string SearchForm::Address(const RoomStyle& style, std::size_t count) const {
  std::string address = fmt::format("{}?q={}", style.links.Search(), EncodeUrlValue(query));
  for (const auto& [name, value] :
       {std::pair("mode", &mode), std::pair("source", &source), std::pair("language", &language)}) {
    if (!value->empty()) address += fmt::format("&{}={}", name, EncodeUrlValue(*value));
  }
  return address + fmt::format("&n={}", count);
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
  const ShownMatches shown = ChooseMatches(page_matches.size(), matches.size(), form.most);
  if (hits.empty() && cards.empty() && matches.empty() && pages.empty() && page_matches.empty()) {
    html.Markup("<p class=\"open unknown\"><strong>?</strong> Nothing was found.</p>\n");
  }
  AddMatchCount(style, form, answers.found, shown.of_pages + shown.of_sources, html);
  html.Markup("<ol class=\"hits\">\n");
  for (const Json& page : pages) {
    AddPageHit(style, page, JsonObject(page, "snippet"), {.wanted = wanted}, html);
  }
  for (std::size_t i = 0; i < shown.of_pages; ++i) {
    AddPageHit(style, page_matches[i], page_matches[i],
               {.wanted = {}, .match = MatchedText(page_matches[i])}, html);
  }
  for (const Json& card : cards) AddCard(style, card, html);
  for (const Json& hit : hits) {
    html.Markup("<li>");
    AddHeading(JsonText(hit, "heading"), html);
    html.Add(PlaceLine(style, hit));
    AddSnippet(hit, wanted, html);
    html.Markup("</li>\n");
  }
  for (std::size_t i = 0; i < shown.of_sources; ++i) {
    const Json& match = matches[i];
    html.Markup("<li>").Add(PlaceLine(style, match));
    html.Add(NumberedLines(NumberedFrom(JsonText(match, "text"), JsonNumber(match, "line")),
                           MatchIn(match), {.path = JsonText(match, "path")}));
    html.Markup("</li>\n");
  }
  html.Markup("</ol>\n");
  const std::size_t listed = form.mode == "cards" ? cards.size() : hits.size();
  if (form.mode != "regex" && listed >= form.most && form.most < kMostHitsShown) {
    const std::size_t next = form.most < kFewHits ? kFewHits : kMostHitsShown;
    html.Markup("<p class=\"more\">");
    html.Element("a", {{"href", form.Address(style, next)}}, "More results").Markup("</p>\n");
  }
  return html;
}

std::string SearchPage(const RoomStyle& style, const SearchForm& form, const Json& sources,
                       const Html& results) {
  Html html;
  html.Markup("<div class=\"plain\"><h1>Search</h1>");
  html.Open("form", {{"action", style.links.Search()}, {"class", "form"}, {"id", "filters"}});
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
  html.Markup("</datalist></label><button>Search</button></form>\n<div id=\"found\">")
      .Add(results)
      .Markup("</div></div>\n");
  return FramedPage(
      {.links = style.links,
       .title = form.query.empty() ? "Search" : "Search: " + form.query,
       .oracle = style.oracle,
       .kind = "search",
       .query = form.query,
       .filters = {{"mode", form.mode}, {"source", form.source}, {"language", form.language}}},
      html);
}

}  // namespace sibyl::interface
