// SPDX-License-Identifier: Apache-2.0
#include "interface/room/checking/checked_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"

namespace sibyl::interface {
namespace {

// `follows`: right after the number of another one, "1,2".
void AddPlace(std::string_view words, const UnderlinedPlace& place, bool follows, Html& html) {
  html.Open("a", {{"class", words.empty() ? std::string_view() : place.kind},
                  {"href", '#' + WhyAnchor(place.number)},
                  {"title", place.reason}});
  html.Text(words)
      .Markup(follows ? HtmlLiteral("<sup>,") : HtmlLiteral("<sup>"))
      .Number(place.number)
      .Markup("</sup>")
      .Close("a");
}

void AddLine(std::string_view line, std::vector<UnderlinedPlace> places, Html& html) {
  std::stable_sort(
      places.begin(), places.end(),
      [](const UnderlinedPlace& a, const UnderlinedPlace& b) { return a.begin < b.begin; });
  std::size_t at = 0;
  bool follows = false;
  for (const UnderlinedPlace& place : places) {
    const std::size_t end = std::min(place.end, line.size());
    const bool has_words = place.begin >= at && place.begin < end;
    if (has_words) {
      html.Text(line.substr(at, place.begin - at));
      at = end;
    }
    AddPlace(has_words ? line.substr(place.begin, end - place.begin) : std::string_view(), place,
             follows && !has_words, html);
    follows = true;
  }
  html.Text(line.substr(at)).Markup("\n");
}

}  // namespace

std::string WhyAnchor(std::size_t number) { return fmt::format("why-{}", number); }
std::string LineAnchor(std::size_t line) { return fmt::format("c{}", line); }

void AddCheckedText(std::string_view text, UnderlinedPlaces places, Html& html) {
  html.Markup(
      "<pre class=\"lines checked\" tabindex=\"0\" role=\"group\" aria-label=\"the checked "
      "text\"><code>");
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(text)) {
    html.Open("span", {{"class", "ln"}, {"id", LineAnchor(++number)}});
    html.Markup("<span class=\"no\">").Number(number).Markup("</span>");
    AddLine(line, std::move(places[number]), html);
    html.Markup("</span>");
  }
  html.Markup("</code></pre>\n");
}

}  // namespace sibyl::interface
