// SPDX-License-Identifier: Apache-2.0
#include "interface/room/frame.h"

namespace sibyl::interface {
namespace {

void AddSection(const std::string& address, std::string_view name, bool is_current, Html& html) {
  if (address.empty()) return;
  html.Open("a", {{"href", address}, {"aria-current", is_current ? "page" : ""}});
  html.Text(name).Close("a");
}

}  // namespace

std::string FramedPage(const PageFrame& frame, const Html& content) {
  const LinkStyle& links = frame.links;
  Html html;
  html.Markup(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\">"
      "<meta name=\"referrer\" content=\"same-origin\"><title>");
  html.Text(frame.title);
  if (frame.title != frame.oracle) html.Text(" · ").Text(frame.oracle);
  html.Markup("</title>");
  // A server says it in a header.
  if (!links.is_server()) {
    html.Markup(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'\">");
  }
  html.Open("link", {{"rel", "stylesheet"}, {"href", links.Asset("room.css")}});
  html.Open("link",
            {{"rel", "icon"}, {"href", links.Asset("icon.svg")}, {"type", "image/svg+xml"}});
  html.Open("script", {{"src", links.Asset("room.js")}, {"defer", "defer"}}).Close("script");
  // A server searches.
  if (!links.is_server()) {
    html.Open("script", {{"src", links.Asset("search.js")}, {"defer", "defer"}}).Close("script");
  }
  html.Markup("</head>\n");
  html.Open("body", {{"class", frame.kind}, {"data-search", links.is_server() ? "/search" : ""}});
  html.Markup("<a class=\"skip\" href=\"#main\">Skip to the content</a>\n<header class=\"top\">");
  html.Element("a", {{"class", "brand"}, {"href", links.Home()}}, frame.oracle);
  html.Open("form", {{"role", "search"}, {"action", links.Search()}, {"class", "find"}});
  const std::string_view what = links.is_server() ? "Search pages and sources" : "Search the pages";
  html.Element("label", {{"class", "sr"}, {"for", "q"}}, what);
  html.Open("input", {{"id", "q"},
                      {"name", "q"},
                      {"type", "search"},
                      {"placeholder", what},
                      {"autocomplete", "off"},
                      {"spellcheck", "false"},
                      {"value", frame.query}});
  for (const auto& [name, value] : frame.filters) {
    if (value.empty()) continue;
    html.Open("input", {{"type", "hidden"}, {"name", name}, {"value", value}});
  }
  html.Markup("<button>Search</button></form><nav aria-label=\"Sections\">");
  AddSection(links.Home(), "Pages", frame.kind == "home", html);
  AddSection(links.Ask(), "Ask", frame.kind == "ask", html);
  AddSection(links.Sources(), "Sources", frame.kind == "source", html);
  AddSection(links.Runs(), "Runs", frame.kind == "runs", html);
  AddSection(links.Check(), "Check", frame.kind == "check", html);
  AddSection(links.Labs(), "Labs", frame.kind == "labs", html);
  html.Markup(
      "</nav></header>\n<div id=\"live\" role=\"region\" aria-label=\"Search results\" "
      "hidden></div>\n<main id=\"main\" tabindex=\"-1\">\n");
  html.Add(content);
  html.Markup(
      "</main>\n<footer class=\"foot\">Made with sibyl. Every statement shows the lines that "
      "it cites. Press <kbd>?</kbd> for keys.</footer><p id=\"said\" class=\"sr\" "
      "role=\"status\"></p></body></html>\n");
  return html.Take();
}

}  // namespace sibyl::interface
