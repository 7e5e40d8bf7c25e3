// SPDX-License-Identifier: Apache-2.0
// Measurements: runs, a run with its plot, two runs compared.
#include <fmt/format.h>

#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

std::string Figure(const Json& json, const char* name) {
  const auto value = json.find(name);
  return value != json.end() && value->is_number() ? fmt::format("{:.4g}", value->get<double>())
                                                   : std::string();
}

std::string FramedLab(const RoomStyle& style, std::string title, const Html& html) {
  return FramedPage(
      {.links = style.links, .title = std::move(title), .oracle = style.oracle, .kind = "labs"},
      html);
}

void AddMeasured(const Json& measurement, Html& html) {
  html.Markup("<tr><td>").Text(JsonText(measurement, "lab")).Markup("</td><td>");
  html.Text(JsonText(measurement, "variant")).Markup("</td><td>");
  html.Text(JsonText(measurement, "params")).Markup("</td><td class=\"num\">");
  if (measurement.contains("value")) {
    html.Text(fmt::format("{} {} {}", JsonText(measurement, "metric"), Figure(measurement, "value"),
                          JsonText(measurement, "unit")));
  } else {
    html.Element("span", {{"class", "pill open"}},
                 JsonText(measurement, measurement.contains("skip") ? "skip" : "failure"));
  }
  html.Markup("</td><td class=\"num\">").Text(Figure(measurement, "floor"));
  html.Markup("</td><td class=\"num\">")
      .Text(JsonText(measurement, "of_bound"))
      .Markup("</td><td>");
  html.Text(JsonText(measurement, "device"));
  if (const auto driver = JsonText(measurement, "driver"); !driver.empty()) {
    html.Text(fmt::format(", driver {}", driver));
  }
  html.Markup("</td></tr>\n");
}

Html ChangePill(const Json& row) {
  const bool is_real = JsonFlag(row, "beyond_noise");
  const auto found = row.find("times_better");
  const double times = found != row.end() && found->is_number() ? found->get<double>() : 1;
  const bool is_worse = times > 0 && times < 1;
  Html html;
  if (times == 1) {
    html.Markup("<span class=\"pill zero\">no change</span>");
    return html;
  }
  html.Element("span",
               {{"class", !is_real   ? "pill zero"
                          : is_worse ? "pill bad"
                                     : "pill ok"}},
               fmt::format("{:.4g} times {}{}", is_worse ? 1 / times : times,
                           is_worse ? "worse" : "better", is_real ? "" : ", within noise"));
  return html;
}

void AddOnly(HtmlLiteral heading, const Json& keys, Html& html) {
  if (keys.empty()) return;
  html.Markup("<h2>").Markup(heading).Markup("</h2><ul>");
  for (const Json& key : keys) html.Element("li", {}, key.get<std::string>());
  html.Markup("</ul>\n");
}

}  // namespace

std::string LabsPage(const RoomStyle& style, const Json& runs) {
  Html html;
  html.Markup("<div class=\"plain\"><h1>Labs</h1>\n");
  const Json& list = JsonList(runs, "runs");
  if (list.empty()) {
    html.Markup(
        "<p>No run is kept. <code>sibyl lab run</code> measures and keeps one.</p></div>\n");
    return FramedLab(style, "Labs", html);
  }
  // A site compares nothing.
  const bool compares = style.links.is_server() && list.size() > 1;
  if (compares) html.Markup("<form action=\"/labs\">");
  html.Markup("<div class=\"wide\" tabindex=\"0\"><table><tr>");
  if (compares) html.Markup("<th scope=\"col\">before</th><th scope=\"col\">after</th>");
  html.Markup(
      "<th scope=\"col\">run</th><th scope=\"col\">command</th><th scope=\"col\">device</th>"
      "<th scope=\"col\">time</th><th scope=\"col\" class=\"num\">values</th></tr>\n");
  for (const Json& run : list) {
    const std::string_view id = JsonText(run, "run");
    html.Markup("<tr>");
    for (const char* name : {"before", "after"}) {
      if (!compares) break;
      html.Markup("<td>");
      html.Open("input", {{"type", "radio"},
                          {"name", name},
                          {"value", id},
                          {"aria-label", fmt::format("{}: {}", name, id)}});
      html.Markup("</td>");
    }
    html.Markup("<td>").Element("a", {{"href", style.links.Lab(id)}}, id.substr(0, 12));
    html.Markup("</td><td>").Text(JsonText(run, "command")).Text(JsonText(run, "error"));
    html.Markup("</td><td>").Text(JsonText(run, "device")).Markup("</td><td class=\"date\">");
    html.Text(JsonText(run, "time")).Markup("</td><td class=\"num\">");
    html.Number(JsonNumber(run, "measurements")).Markup("</td></tr>\n");
  }
  html.Markup("</table></div>");
  if (compares) html.Markup("<p><button>Compare</button></p></form>");
  html.Markup("</div>\n");
  return FramedLab(style, "Labs", html);
}

std::string LabPage(const RoomStyle& style, const Json& run) {
  const std::string id(JsonText(run, "run"));
  Html html;
  html.Markup("<div class=\"plain\"><nav class=\"back\" aria-label=\"Path\">");
  html.Element("a", {{"href", style.links.Labs()}}, "Labs").Markup("</nav>");
  html.Element("h1", {}, "Run " + id.substr(0, 12));
  html.Markup("<p class=\"dim\"><code>").Text(JsonText(run, "command")).Markup("</code> ");
  html.Text(JsonText(run, "time"));
  html.Text(JsonFlag(run, "measured_here") ? ", measured on this machine"
                                           : ", measured on another machine");
  html.Markup("</p>\n");
  html.Markup("<div class=\"wide\" tabindex=\"0\">");
  html.Open("img",
            {{"class", "plot"}, {"src", style.links.LabPlot(id)}, {"alt", "plot of the run"}});
  html.Markup(
      "</div>\n<div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">lab</th><th "
      "scope=\"col\">variant</th>"
      "<th scope=\"col\">case</th><th scope=\"col\" class=\"num\">value</th><th scope=\"col\" "
      "class=\"num\">floor or ceiling</th><th scope=\"col\" class=\"num\">reached</th><th "
      "scope=\"col\">device</th></tr>\n");
  for (const Json& measurement : JsonList(run, "measurements")) AddMeasured(measurement, html);
  html.Markup("</table></div></div>\n");
  return FramedLab(style, "Run " + id, html);
}

std::string LabComparePage(const RoomStyle& style, const Json& compared) {
  Html html;
  html.Markup("<div class=\"plain\"><nav class=\"back\" aria-label=\"Path\">");
  html.Element("a", {{"href", style.links.Labs()}}, "Labs")
      .Markup("</nav><h1>Two runs compared</h1><p>");
  for (const char* name : {"before", "after"}) {
    const std::string_view id = JsonText(compared, name);
    html.Text(fmt::format("{}: ", name))
        .Element("a", {{"href", style.links.Lab(id)}}, id.substr(0, 12));
    html.Text(" ");
  }
  html.Markup("</p>");
  if (const auto why = JsonText(compared, "unlike"); !why.empty()) {
    html.Markup("<p class=\"open unknown\"><strong>? They cannot be compared:</strong> ");
    html.Text(why).Markup(".</p></div>\n");
    return FramedLab(style, "Two runs compared", html);
  }
  for (const Json& difference : JsonList(compared, "differences")) {
    html.Markup("<p class=\"open unknown\"><strong>?</strong> They were ");
    html.Text(difference.get<std::string>()).Markup(".</p>");
  }
  html.Markup("<div class=\"pair\">");
  for (const char* name : {"before", "after"}) {
    html.Markup("<div class=\"wide\" tabindex=\"0\">");
    html.Open("img", {{"class", "plot"},
                      {"src", style.links.LabPlot(JsonText(compared, name))},
                      {"alt", fmt::format("plot of the run {}", name)}});
    html.Markup("</div>");
  }
  html.Markup(
      "</div><div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">lab</th><th "
      "scope=\"col\">case</th>"
      "<th scope=\"col\">before</th><th scope=\"col\">after</th><th "
      "scope=\"col\">change</th></tr>\n");
  for (const Json& row : JsonList(compared, "compared")) {
    html.Markup("<tr><td>")
        .Text(fmt::format("{} {}", JsonText(row, "lab"), JsonText(row, "variant")));
    html.Markup("</td><td>").Text(JsonText(row, "params")).Markup("</td><td class=\"num\">");
    html.Text(Figure(row, "before"))
        .Text(" ")
        .Text(JsonText(row, "unit"))
        .Markup("</td><td class=\"num\">");
    html.Text(Figure(row, "after")).Text(" ").Text(JsonText(row, "unit")).Markup("</td><td>");
    html.Add(ChangePill(row));
    html.Markup("</td></tr>\n");
  }
  html.Markup("</table></div>");
  AddOnly("Only in the run before", JsonList(compared, "only_before"), html);
  AddOnly("Only in the run after", JsonList(compared, "only_after"), html);
  html.Markup("</div>\n");
  return FramedLab(style, "Two runs compared", html);
}

}  // namespace sibyl::interface
