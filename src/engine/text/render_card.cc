// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render_card.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string WhereCardIs(const Json& card) {
  const Json& lines = card["lines"];
  return fmt::format("{}:{}:{}-{}", card.value("source", ""), Harmless(card.value("path", "")),
                     lines[0].get<std::size_t>(), lines[1].get<std::size_t>());
}

void AddText(const Json& card, const char* key, const RenderOptions& options, std::string& text) {
  const std::string body = card.value(key, "");
  for (const std::string_view row : SplitLines(body)) {
    text += row.empty() ? "\n" : "   " + Shorten(Harmless(row), options.columns() - 3) + '\n';
  }
}

// `title` stands before the name: its number, or nothing.
std::string ShowCard(const Json& card, std::string_view title, const RenderOptions& options) {
  const Terminal& terminal = options.terminal;
  std::string text = fmt::format("{}{}  {}", title,
                                 Styled(Harmless(card.value("name", "")), Style::kBold, terminal),
                                 Styled(card.value("kind", ""), Style::kBlue, terminal));
  if (const std::string value = Harmless(card.value("value", "")); !value.empty()) {
    text += " = " + Shorten(value, options.columns());
  }
  text += "\n   " + Styled(WhereCardIs(card), Style::kDim, terminal) + '\n';
  AddText(card, "signature", options, text);
  AddText(card, "documentation", options, text);
  if (card.contains("parameters")) {
    for (const Json& parameter : card["parameters"]) {
      std::string row = "     " + parameter.value("name", "");
      if (const std::string value = parameter.value("default", ""); !value.empty()) {
        row += " = " + value;
      }
      if (const std::string about = parameter.value("documentation", ""); !about.empty()) {
        row += ": " + std::string(about.substr(0, about.find('\n')));
      }
      text += Shorten(Harmless(row), options.columns()) + '\n';
    }
  }
  if (card.value("injection", false)) {
    text += Styled("   its documentation contains a prompt injection\n", Style::kDim, terminal);
  }
  return text;
}

}  // namespace

Rendered RenderCards(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  std::size_t number = 0;
  for (const Json& card : outcome.data["cards"]) {
    if (number > 0) rendered.results += '\n';
    rendered.results += ShowCard(card, fmt::format("{}. ", ++number), options);
  }
  rendered.talk = RenderTalk(outcome, options);
  if (number == 0) rendered.talk += "sibyl: nothing found\n";
  return rendered;
}

Rendered RenderCardOperation(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  if (!outcome.data["card"].is_null()) {
    rendered.results += ShowCard(outcome.data["card"], "", options);
  }
  const Json& others = outcome.data["others"];
  if (!others.empty()) {
    rendered.results += outcome.data["card"].is_null() ? "Nearest:\n" : "\nAlso:\n";
    for (const Json& other : others) {
      rendered.results += fmt::format("   {}  {}  {}\n", Harmless(other.value("name", "")),
                                      other.value("kind", ""), WhereCardIs(other));
    }
  }
  rendered.talk = RenderTalk(outcome, options);
  if (outcome.data["card"].is_null()) {
    rendered.talk += fmt::format("sibyl: no pinned source defines '{}'\n",
                                 Harmless(outcome.data.value("name", "")));
  }
  return rendered;
}

}  // namespace sibyl::engine
