// SPDX-License-Identifier: Apache-2.0
// The first page: topics, what is new, coverage and health.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/strings.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/page_html.h"

namespace sibyl::interface {
namespace {

// The counts of statements mean the same as on the pages: marks.
struct Totals {
  std::uint64_t holds = 0;
  std::uint64_t open = 0;
  std::uint64_t away = 0;
  std::uint64_t stale = 0;
  std::uint64_t bad = 0;
  std::uint64_t code = 0;
  std::uint64_t citations = 0;
  std::uint64_t covered = 0;
  std::uint64_t planned = 0;
};

Totals TotalsOf(const Json& page) {
  const Json& marks = JsonObject(page, "marks");
  const Json& points = JsonObject(page, "points");
  return {.holds = JsonNumber(marks, "holds"),
          .open = JsonNumber(marks, "undecided"),
          .away = JsonNumber(marks, "unchecked"),
          .stale = JsonNumber(marks, "stale"),
          .bad = JsonNumber(marks, "fails"),
          .code = JsonNumber(marks, "unchecked_code"),
          .citations = JsonNumber(page, "citations"),
          .covered = JsonNumber(points, "covered"),
          .planned = JsonNumber(points, "planned")};
}

void AddTile(std::uint64_t count, HtmlLiteral name, std::string_view kind, Html& html) {
  html.Open("li", {{"class", count == 0 && kind != "ok" ? std::string_view("zero") : kind}});
  html.Markup("<b>").Number(count).Markup("</b> ").Markup(name).Markup("</li>");
}

// In a clone before its sources are fetched nothing is compared.
void AddAway(const RoomStyle& style, std::uint64_t count, Html& html) {
  if (count == 0) return;
  html.Markup("<p class=\"dim\">");
  html.Text(fmt::format("{} {} not checked here: what {} is not on ", Count(count, "statement"),
                        count == 1 ? "is" : "are", count == 1 ? "it cites" : "they cite"));
  if (style.links.is_server()) {
    html.Markup("this machine. <code>sibyl verify --restore</code> fetches it.</p>");
  } else {
    html.Markup("the machine that wrote this site.</p>");
  }
}

void AddHealth(const RoomStyle& style, const Totals& all, Html& html) {
  html.Markup(
      "<section aria-labelledby=\"health\"><h2 id=\"health\">Health</h2><ul class=\"tiles\">");
  AddTile(all.holds, "statements hold ✓", "ok", html);
  AddTile(all.open, "not decided ?", "open", html);
  if (all.away > 0) AddTile(all.away, "not checked here ○", "away", html);
  AddTile(all.stale, "stale ↻", "old", html);
  AddTile(all.bad, "fail ✗", "bad", html);
  html.Markup("</ul>");
  AddAway(style, all.away, html);
  if (all.planned > 0) {
    html.Markup("<p>Coverage: ");
    html.Element("progress",
                 {{"value", std::to_string(all.covered)},
                  {"max", std::to_string(all.planned)},
                  {"aria-label", "points covered"}},
                 "");
    html.Text(fmt::format(" {} of {} planned points are covered; {} citations.", all.covered,
                          all.planned, all.citations));
    html.Markup("</p>");
  }
  if (all.code > 0) {
    html.Element("p", {{"class", "dim"}},
                 fmt::format("◊ {} of code {} not checked: 'sibyl verify --code' compiles and "
                             "parses them in a sandbox, unless their fence says 'nocheck'.",
                             Count(all.code, "block"), all.code == 1 ? "is" : "are"));
  }
  html.Markup("</section>\n");
}

void AddUnchecked(Html& html) {
  html.Markup(
      "<section aria-labelledby=\"health\" data-unchecked><h2 id=\"health\">Health</h2><p><span "
      "class=\"pill zero\">… the pages are being checked</span><noscript>Reload the page to see "
      "what holds.</noscript></p></section>\n");
}

// A site has no file of a page that could not be read.
void AddPageLink(const RoomStyle& style, const Json& page, std::string_view name, Html& html) {
  const std::string address = style.PageIfThere(JsonText(page, "file"));
  if (address.empty()) {
    html.Text(name);
  } else {
    html.Element("a", {{"href", address}}, name);
  }
}

void AddPageRow(const RoomStyle& style, const Json& page, Html& html) {
  const Totals own = TotalsOf(page);
  html.Markup("<tr><td>");
  AddPageLink(style, page, JsonText(page, "title"), html);
  if (JsonFlag(page, "unchecked")) {
    html.Markup("</td><td></td><td></td><td></td><td></td></tr>\n");
    return;
  }
  html.Markup("</td><td class=\"num\">").Number(own.citations).Markup("</td><td>");
  if (own.planned > 0) html.Text(fmt::format("{} of {}", own.covered, own.planned));
  html.Markup("</td><td>");
  if (own.bad > 0) {
    html.Element("span", {{"class", "pill bad"}},
                 fmt::format("{} {} ✗", own.bad, own.bad == 1 ? "fails" : "fail"));
  }
  if (own.stale > 0)
    html.Element("span", {{"class", "pill old"}}, fmt::format("{} stale ↻", own.stale));
  if (own.open > 0) {
    html.Element("span", {{"class", "pill open"}}, fmt::format("{} not decided ?", own.open));
  }
  if (own.away > 0) {
    html.Element("span", {{"class", "pill away"}}, fmt::format("{} not checked here ○", own.away));
  }
  if (own.bad + own.stale + own.open + own.away == 0 && own.citations > 0) {
    html.Markup("<span class=\"pill ok\">holds ✓</span>");
  }
  if (own.code > 0) {
    html.Element("span", {{"class", "pill zero"}},
                 fmt::format("{} of code ◊", Count(own.code, "block")));
  }
  html.Markup("</td><td class=\"date\">").Text(JsonText(page, "updated")).Markup("</td></tr>\n");
}

// The index of a folder, which lists its pages again; null if there is none.
const Json* IndexOf(const std::vector<const Json*>& pages) {
  for (const Json* page : pages) {
    const std::string_view file = JsonText(*page, "file");
    if (file == "INDEX.md" || file.ends_with("/INDEX.md")) return page;
  }
  return nullptr;
}

void AddTopic(const RoomStyle& style, const std::string& topic,
              const std::vector<const Json*>& pages, Html& html) {
  const Json* index = IndexOf(pages);
  const std::string_view name = topic.empty() ? std::string_view("This oracle") : topic;
  html.Markup("<section class=\"topic\"><h3>");
  if (index != nullptr && pages.size() > 1) {
    AddPageLink(style, *index, name, html);
  } else {
    html.Text(name);
  }
  html.Markup("</h3>");
  html.Markup(
      "<div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">page</th><th scope=\"col\" "
      "class=\"num\">citations</th>"
      "<th scope=\"col\">points</th><th scope=\"col\">health</th><th "
      "scope=\"col\">updated</th></tr>\n");
  for (const Json* page : pages) {
    if (page != index || pages.size() == 1) AddPageRow(style, *page, html);
  }
  html.Markup("</table></div></section>\n");
}

void AddNew(const RoomStyle& style, std::vector<const Json*> pages, Html& html) {
  std::erase_if(pages, [](const Json* page) { return JsonText(*page, "updated").empty(); });
  std::stable_sort(pages.begin(), pages.end(), [](const Json* a, const Json* b) {
    return JsonText(*a, "updated") > JsonText(*b, "updated");
  });
  constexpr std::size_t kMost = 5;
  if (pages.empty()) return;
  html.Markup("<section aria-labelledby=\"new\"><h2 id=\"new\">What is new</h2><ul class=\"new\">");
  for (std::size_t i = 0; i < std::min(kMost, pages.size()); ++i) {
    html.Open("li").Element("span", {{"class", "date"}}, JsonText(*pages[i], "updated")).Text(" ");
    AddPageLink(style, *pages[i], JsonText(*pages[i], "title"), html);
    html.Close("li");
  }
  html.Markup("</ul></section>\n");
}

// One that lists every page would hide everything below it.
void AddAbout(std::string_view about, Html& html) {
  constexpr std::size_t kShort = 400;
  constexpr std::size_t kShown = 200;
  const std::size_t end = about.rfind(' ', kShown);
  if (about.size() <= kShort || end == std::string_view::npos) {
    html.Element("p", {{"class", "lead"}}, about);
    return;
  }
  html.Markup("<details class=\"lead\"><summary>").Text(about.substr(0, end));
  html.Markup(" …</summary>").Text(about.substr(end)).Markup("</details>");
}

void AddSources(const RoomStyle& style, const Json& sources, Html& html) {
  const Json& list = JsonList(sources, "sources");
  if (list.empty()) return;
  html.Markup("<section aria-labelledby=\"pins\"><h2 id=\"pins\">Sources</h2><ul class=\"pins\">");
  for (const Json& source : list) {
    const Json& pin = JsonObject(source, "pin");
    const std::string_view id =
        JsonText(pin, "commit").empty() ? JsonText(pin, "tree") : JsonText(pin, "commit");
    html.Markup("<li>");
    const std::string address = style.links.Source(JsonText(source, "name"), "");
    if (address.empty()) {
      html.Element("b", {}, JsonText(source, "name"));
    } else {
      html.Element("a", {{"href", address}}, JsonText(source, "name"));
    }
    html.Text(" ").Element("code", {}, id.substr(0, 7)).Text(" ");
    html.Element("span", {{"class", "date"}}, JsonText(pin, "date").substr(0, 10));
    html.Markup("</li>");
  }
  html.Markup("</ul></section>\n");
}

}  // namespace

std::string HomePage(const RoomStyle& style, const HomeAnswers& answers) {
  Totals all;
  std::map<std::string, std::vector<const Json*>> topics;
  std::vector<const Json*> pages;
  for (const Json& page : JsonList(answers.pages, "pages")) {
    const Totals own = TotalsOf(page);
    all.holds += own.holds;
    all.open += own.open;
    all.away += own.away;
    all.stale += own.stale;
    all.bad += own.bad;
    all.code += own.code;
    all.citations += own.citations;
    all.covered += own.covered;
    all.planned += own.planned;
    topics[std::string(JsonText(page, "topic"))].push_back(&page);
    pages.push_back(&page);
  }
  const std::string& title = answers.oracle.title.empty() ? style.oracle : answers.oracle.title;
  Html html;
  html.Markup("<div class=\"plain\">").Element("h1", {}, title);
  if (const auto& about = answers.oracle.about; !about.empty()) {
    AddAbout(about, html);
  }
  if (pages.empty())
    html.Markup("<p>This oracle has no pages yet. 'sibyl expand' writes them.</p>");
  if (JsonFlag(answers.pages, "unchecked")) {
    AddUnchecked(html);
  } else if (!pages.empty()) {
    AddHealth(style, all, html);
  }
  AddNew(style, pages, html);
  html.Markup("<section aria-labelledby=\"topics\"><h2 id=\"topics\">Topics</h2>\n");
  for (const auto& [topic, own] : topics) {
    if (!topic.empty()) AddTopic(style, topic, own, html);
  }
  if (const auto root = topics.find(""); root != topics.end()) {
    AddTopic(style, "", root->second, html);
  }
  html.Markup("</section>\n");
  AddSources(style, answers.sources, html);
  html.Markup("</div>\n");
  return FramedPage({.links = style.links, .title = title, .oracle = style.oracle, .kind = "home"},
                    html);
}

}  // namespace sibyl::interface
