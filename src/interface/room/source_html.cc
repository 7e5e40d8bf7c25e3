// SPDX-License-Identifier: Apache-2.0
// The pinned sources: a list, folders, files with their outline.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/line_span.h"
#include "engine/shown_lines.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/receipt_html.h"
#include "interface/room/text/markdown_html.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

// "cmake / Help / prop_tgt", each linked.
void AddPath(const RoomStyle& style, std::string_view source, std::string_view path, Html& html) {
  html.Markup("<nav class=\"back\" aria-label=\"Path\">");
  html.Element("a", {{"href", style.links.Sources()}}, "Sources").Text(" / ");
  html.Element("a", {{"href", style.links.Source(source, "")}}, source);
  for (std::size_t slash = path.find('/'), begin = 0; slash != std::string_view::npos;
       begin = slash + 1, slash = path.find('/', begin)) {
    html.Text(" / ").Element("a", {{"href", style.links.Source(source, path.substr(0, slash + 1))}},
                             path.substr(begin, slash - begin));
  }
  html.Markup("</nav>\n");
}

std::string FramedSource(const RoomStyle& style, std::string title, const Html& html) {
  return FramedPage(
      {.links = style.links, .title = std::move(title), .oracle = style.oracle, .kind = "source"},
      html);
}

// The namespace that most of the outermost entries are in, with its "::".
std::string CommonScope(const Json& entries) {
  std::map<std::string, std::size_t> scopes;
  for (const Json& entry : entries) {
    const std::string_view label = JsonText(entry, "label");
    const std::size_t end = label.rfind("::");
    if (JsonNumber(entry, "depth") > 0 || end == std::string_view::npos) continue;
    ++scopes[std::string(label.substr(0, end + 2))];
  }
  std::string common;
  std::size_t most = 1;
  for (const auto& [scope, count] : scopes) {
    if (count > most) {
      common = scope;
      most = count;
    }
  }
  return common;
}

// An entry is named without what encloses it.
class ShortLabels {
 public:
  explicit ShortLabels(const Json& entries) : scope_(CommonScope(entries)) {}

  std::string_view Next(const Json& entry) {
    const std::string_view label = JsonText(entry, "label");
    const std::uint64_t depth = JsonNumber(entry, "depth");
    around_.resize(std::min<std::size_t>(depth, around_.size()));
    std::string_view shown = label;
    if (!around_.empty() && label.starts_with(around_.back() + "::")) {
      shown.remove_prefix(around_.back().size() + 2);
    } else if (label.starts_with(scope_) && label.size() > scope_.size()) {
      shown.remove_prefix(scope_.size());
    }
    around_.emplace_back(label);
    return shown;
  }

 private:
  std::string scope_;
  std::vector<std::string> around_;  // the labels of the entries around the next one
};

// A definition outside of the lines that are shown is on another page.
Html OutlineOf(const RoomStyle& style, const SourceAnswers& answers) {
  const Json& outline = answers.outline;
  Html html;
  const Json& entries = JsonList(outline, "entries");
  if (entries.empty()) return html.Markup("<div></div>");
  html.Markup("<nav class=\"toc\" aria-label=\"Outline\"><details><summary>Outline</summary>");
  constexpr std::size_t kWorthFiltering = 30;
  if (entries.size() > kWorthFiltering) {
    html.Markup(
        "<input data-filter hidden type=\"search\" placeholder=\"Filter\" aria-label=\"Filter the "
        "outline\" class=\"full\">");
  }
  html.Markup("<ol>");
  ShortLabels labels(entries);
  for (const Json& entry : entries) {
    html.Open("li", {{"class", JsonNumber(entry, "depth") > 0 ? "sub" : ""}});
    // Of a declaration, where its name is, not its documentation.
    const std::uint64_t line =
        entry.contains("line") ? JsonNumber(entry, "line") : JsonNumber(entry, "first_line");
    const bool is_shown = line >= JsonNumber(answers.text, "first_line") &&
                          line <= JsonNumber(answers.text, "last_line");
    const std::string page =
        style.links.Source(JsonText(answers.text, "source"), JsonText(answers.text, "path"),
                           {.blob = BlobOf(JsonText(answers.text, "citation"))});
    constexpr std::uint64_t kBefore = 40;  // its documentation
    const std::string before =
        is_shown ? std::string()
                 : fmt::format("{}&start={}", page, line > kBefore ? line - kBefore : 1);
    const std::string_view label = JsonText(entry, "label");
    const std::string_view shown = labels.Next(entry);
    html.Open("a", {{"href", fmt::format("{}#L{}", before, line)},
                    {"title", shown == label ? std::string_view() : label}});
    html.Add(RenderCodeNames(shown)).Close("a");
    html.Markup("</li>");
  }
  html.Markup("</ol></details></nav>\n");
  return html;
}

}  // namespace

std::string SourcesPage(const RoomStyle& style, const Json& sources) {
  Html html;
  html.Markup(
      "<div class=\"plain\"><h1>Sources</h1><div class=\"wide\" tabindex=\"0\"><table><tr><th "
      "scope=\"col\">source</th>"
      "<th scope=\"col\">from</th><th scope=\"col\">pin</th><th scope=\"col\">date</th>"
      "<th scope=\"col\">state</th></tr>\n");
  for (const Json& source : JsonList(sources, "sources")) {
    const Json& pin = JsonObject(source, "pin");
    const std::string_view id =
        JsonText(pin, "commit").empty() ? JsonText(pin, "tree") : JsonText(pin, "commit");
    html.Markup("<tr><td>");
    html.Element("a", {{"href", style.links.Source(JsonText(source, "name"), "")}},
                 JsonText(source, "name"));
    html.Markup("</td><td>").Text(JsonText(source, "origin")).Markup("</td><td><code>");
    html.Text(id.substr(0, 10)).Markup("</code></td><td class=\"date\">");
    html.Text(JsonText(pin, "date").substr(0, 10)).Markup("</td><td>");
    html.Text(JsonText(source, "state")).Markup("</td></tr>\n");
  }
  html.Markup("</table></div></div>\n");
  return FramedSource(style, "Sources", html);
}

std::string FolderPage(const RoomStyle& style, const Json& folder) {
  const std::string_view source = JsonText(folder, "source");
  const std::string path(JsonText(folder, "folder"));
  Html html;
  html.Markup("<div class=\"plain\">");
  AddPath(style, source, path, html);
  html.Element("h1", {}, path.empty() ? source : std::string_view(path));
  html.Markup("<p class=\"dim\">pinned at <code>").Text(JsonText(folder, "pin")).Markup("</code> ");
  html.Text(JsonText(folder, "date").substr(0, 10)).Markup("</p><ul class=\"pins\">\n");
  for (const Json& name : JsonList(folder, "folders")) {
    const auto text = name.get<std::string>() + '/';
    html.Open("li").Element("a", {{"href", style.links.Source(source, path + text)}}, text);
    html.Close("li");
  }
  for (const Json& name : JsonList(folder, "files")) {
    const auto text = name.get<std::string>();
    html.Open("li").Element("a", {{"href", style.links.Source(source, path + text)}}, text);
    html.Close("li");
  }
  html.Markup("</ul>");
  if (!JsonFlag(folder, "complete")) html.Markup("<p class=\"dim\">The list is cut.</p>");
  html.Markup("</div>\n");
  return FramedSource(style, std::string(source) + " " + path, html);
}

std::string SourcePage(const RoomStyle& style, const SourceAnswers& answers) {
  const Json& text = answers.text;
  const std::string_view source = JsonText(text, "source");
  const std::string_view path = JsonText(text, "path");
  std::uint64_t number = JsonNumber(text, "first_line");
  Json lines = Json::array();
  for (const std::string_view line : LinesWithoutEnds(JsonText(text, "text"))) {
    lines.push_back(Json::array({number++, engine::ShownLineWithMark(line, 0, 0).text}));
  }
  Html html;
  html.Markup("<div class=\"split\">").Add(OutlineOf(style, answers)).Markup("<div>");
  AddPath(style, source, path, html);
  html.Element("h1", {}, path.substr(path.rfind('/') + 1))
      .Add(PlaceLine(style, answers.marked == nullptr ? text : *answers.marked));
  if (!answers.note.empty()) {
    html.Markup("<p class=\"old unknown\">↻ ").Text(answers.note).Text(" ");
    html.Element("a", {{"href", style.links.Source(source, path)}}, "The file at the pin");
    html.Markup("</p>");
  }
  if (JsonFlag(text, "injection")) {
    html.Markup(
        "<p class=\"bad unknown\">✗ These lines contain text that addresses language models.</p>");
  }
  if (const std::uint64_t first = JsonNumber(text, "first_line"); first > 1) {
    constexpr std::uint64_t kEarlier = 2'000;
    const std::uint64_t start = first > kEarlier ? first - kEarlier : 1;
    html.Markup("<p class=\"more\">");
    html.Element(
        "a",
        {{"href", fmt::format("{}&start={}#L{}",
                              style.links.Source(source, path,
                                                 {.blob = BlobOf(JsonText(text, "citation"))}),
                              start, first > 1 ? first - 1 : 1)}},
        fmt::format("Lines {} to {}", start, first - 1));
    html.Markup("</p>");
  }
  html.Add(
      NumberedLines(lines, Json::array(),
                    {.path = path, .first = answers.first, .last = answers.last, .anchor = "L"}));
  if (const std::uint64_t next = JsonNumber(text, "next_line"); next > 0) {
    html.Markup("<p class=\"more\">");
    html.Element(
        "a",
        {{"href", fmt::format("{}&start={}#L{}",
                              style.links.Source(source, path,
                                                 {.blob = BlobOf(JsonText(text, "citation"))}),
                              next, next)}},
        fmt::format("Continue at line {} of {}", next, JsonNumber(text, "end_line")));
    html.Markup("</p>");
  }
  html.Markup("</div></div>\n");
  return FramedSource(style, std::string(path), html);
}

}  // namespace sibyl::interface
