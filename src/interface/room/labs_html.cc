// SPDX-License-Identifier: Apache-2.0
// Measurements: runs, a run with its plot, two runs compared.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/views.h"

namespace sibyl::interface {
namespace {

std::string Figure(const Json& json, const char* name) {
  constexpr double kRounded = 1e4;  // from here, whole numbers
  constexpr double kHuge = 1e15;
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number()) return {};
  const double value = found->get<double>();
  const bool is_long = std::abs(value) >= kRounded && std::abs(value) < kHuge;
  return is_long ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
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

constexpr std::size_t kShortRun = 12;  // digits of its id

// Of `lab results`; those of one run are in its measurements.
std::vector<std::string> LabsOfRun(const Json& run) {
  std::vector<std::string> labs;
  const auto add = [&labs](std::string_view lab) {
    const bool is_new = !lab.empty() && std::find(labs.begin(), labs.end(), lab) == labs.end();
    if (is_new) labs.emplace_back(lab);
  };
  for (const Json& lab : JsonList(run, "labs")) {
    if (lab.is_string()) add(lab.get_ref<const std::string&>());
  }
  for (const Json& measurement : JsonList(run, "measurements")) add(JsonText(measurement, "lab"));
  return labs;
}

// "adam", "adam, copy and 3 more"
std::string LabNames(const std::vector<std::string>& labs) {
  constexpr std::size_t kMost = 3;
  const std::size_t shown = std::min(kMost, labs.size());
  const std::string names = fmt::format(
      "{}", fmt::join(labs.begin(), labs.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  return labs.size() <= kMost ? names : fmt::format("{} and {} more", names, labs.size() - kMost);
}

// By the name of the lab, the newest run of each first; what cannot be read last.
std::vector<const Json*> InOrder(const Json& runs) {
  std::vector<const Json*> list;
  for (const Json& run : JsonList(runs, "runs")) list.push_back(&run);
  const auto key = [](const Json& run) {
    return std::pair(run.contains("error"), LabNames(LabsOfRun(run)));
  };
  std::stable_sort(list.begin(), list.end(), [&key](const Json* a, const Json* b) {
    const auto key_a = key(*a);
    const auto key_b = key(*b);
    return key_a != key_b ? key_a < key_b : JsonText(*a, "time") > JsonText(*b, "time");
  });
  return list;
}

struct ListedRuns {
  const Json& questions;  // what each lab measures, by its name
  bool are_compared = false;
};

void AddRunRow(const RoomStyle& style, const Json& run, const ListedRuns& listed, Html& html) {
  const std::string_view id = JsonText(run, "run");
  const std::vector<std::string> labs = LabsOfRun(run);
  const std::string name = LabNames(labs);
  html.Markup("<tr><td>");
  html.Element("a", {{"href", style.links.Lab(id)}},
               name.empty() ? id.substr(0, kShortRun) : std::string_view(name));
  const std::string_view question =
      labs.size() == 1 ? JsonText(listed.questions, labs.front().c_str()) : std::string_view();
  if (!question.empty()) html.Element("span", {{"class", "note dim"}}, question);
  if (const auto error = JsonText(run, "error"); !error.empty()) {
    html.Element("span", {{"class", "note bad"}}, error);
  }
  html.Markup("</td><td class=\"date\">").Text(JsonText(run, "time")).Markup("</td><td>");
  html.Text(JsonText(run, "device")).Markup("</td><td class=\"num\">");
  html.Number(JsonNumber(run, "measurements")).Markup("</td><td class=\"dim\"><code>");
  html.Text(id.substr(0, kShortRun)).Markup("</code></td>");
  for (const char* side : {"before", "after"}) {
    if (!listed.are_compared) break;
    html.Markup("<td>");
    html.Open("input", {{"type", "radio"},
                        {"name", side},
                        {"value", id},
                        {"required", "required"},
                        {"aria-label", fmt::format("{}: {} {}", side, name, id)}});
    html.Markup("</td>");
  }
  html.Markup("</tr>\n");
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
  const std::vector<const Json*> list = InOrder(runs);
  if (list.empty()) {
    html.Markup(
        "<p>No run is kept. <code>sibyl lab run</code> measures and keeps one.</p></div>\n");
    return FramedLab(style, "Labs", html);
  }
  // A site compares nothing.
  const bool compares = style.links.is_server() && list.size() > 1;
  html.Markup("<p class=\"lead\">What was measured, by lab; of each, the newest run first.</p>\n");
  if (compares) html.Markup("<form action=\"/labs\">");
  html.Markup(
      "<div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">lab</th>"
      "<th scope=\"col\">measured</th><th scope=\"col\">device</th><th scope=\"col\" "
      "class=\"num\">values</th><th scope=\"col\">run</th>");
  if (compares) html.Markup("<th scope=\"col\">before</th><th scope=\"col\">after</th>");
  html.Markup("</tr>\n");
  const ListedRuns listed{.questions = JsonObject(runs, "questions"), .are_compared = compares};
  for (const Json* run : list) AddRunRow(style, *run, listed, html);
  html.Markup("</table></div>");
  if (compares) html.Markup("<p><button>Compare</button></p></form>");
  html.Markup("</div>\n");
  return FramedLab(style, "Labs", html);
}

std::string LabPage(const RoomStyle& style, const Json& run) {
  const std::string id(JsonText(run, "run"));
  const Json& measurements = JsonList(run, "measurements");
  const std::string name = LabNames(LabsOfRun(run));
  const std::string title = name.empty() ? "Run " + id.substr(0, kShortRun) : "Lab " + name;
  Html html;
  html.Markup("<div class=\"plain\"><nav class=\"back\" aria-label=\"Path\">");
  html.Element("a", {{"href", style.links.Labs()}}, "Labs").Markup("</nav>");
  html.Element("h1", {}, title);
  html.Markup("<p class=\"dim\">Run <code>").Text(id.substr(0, kShortRun));
  html.Markup("</code>, <code>").Text(JsonText(run, "command")).Markup("</code>, ");
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
  for (const Json& measurement : measurements) AddMeasured(measurement, html);
  html.Markup("</table></div></div>\n");
  return FramedLab(style, fmt::format("{}, {}", title, JsonText(run, "time").substr(0, 10)), html);
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
  for (const char* name : {"before", "after"}) {
    const bool is_before = name == std::string_view("before");
    html.Element("h2", {}, is_before ? "Before" : "After");
    html.Markup("<div class=\"wide\" tabindex=\"0\">");
    // With the same scale.
    const std::string_view other = JsonText(compared, is_before ? "after" : "before");
    html.Open(
        "img",
        {{"class", "plot"},
         {"src", fmt::format("{}?beside={}", style.links.LabPlot(JsonText(compared, name)), other)},
         {"alt", fmt::format("plot of the run {}", name)}});
    html.Markup("</div>");
  }
  html.Markup(
      "<div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">lab</th><th "
      "scope=\"col\">case</th>"
      "<th scope=\"col\" class=\"num\">before</th><th scope=\"col\" class=\"num\">after</th><th "
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
