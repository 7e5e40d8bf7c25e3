// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string PlaceOf(const Json& statement) {
  const Json& lines = statement["lines"];
  std::string place = Text(statement, "source") + ":" + Text(statement, "path");
  const auto first = lines[0].get<std::size_t>();
  const auto last = lines[1].get<std::size_t>();
  return place + (first == last ? fmt::format(":{}", first) : fmt::format(":{}-{}", first, last));
}

// The place in the form that `cite` accepts; a link if there is one.
std::string Receipt(const Json& statement, const Terminal& terminal) {
  std::string receipt = PlaceOf(statement);
  if (statement.contains("page")) {
    receipt += fmt::format(", in {}:{}", Text(statement, "page"),
                           statement["page_line"].get<std::size_t>());
  }
  if (!statement["link"].is_null()) receipt += "  " + Text(statement, "link");
  return "    " + Styled(receipt, Style::kDim, terminal) + '\n';
}

std::string RenderStatement(const Json& statement, const RenderOptions& options) {
  const std::string kind = Text(statement, "kind");
  std::string text;
  if (kind == "code") {
    const std::string body = statement.value("text", std::string());
    for (const std::string_view line : SplitLines(body)) {
      text += "    " + Harmless(ReplaceInvalidUtf8(line)) + '\n';
    }
  } else if (kind == "option") {
    text = "  " + Styled(Text(statement, "text"), Style::kBold, options.terminal);
    if (const std::string value = Text(statement, "default"); !value.empty()) text += " = " + value;
    if (const std::string meaning = Text(statement, "meaning"); !meaning.empty()) {
      text += ": " + meaning;
    }
    text += '\n';
  } else {
    constexpr std::size_t kIndent = 2;
    text = "  " +
           Wrap(Text(statement, "text"),
                {.columns = options.columns(), .first_indent = kIndent, .indent = kIndent}) +
           '\n';
  }
  return text + Receipt(statement, options.terminal);
}

std::string NotKnown(const Json& data) {
  std::string text = "sibyl: not known here\n";
  const Json& nearest = data["nearest"];
  if (!nearest.is_null()) {
    text += "sibyl: nearest: " + PlaceOf(nearest);
    std::vector<std::string> missing;
    for (const Json& word : nearest["missing"])
      missing.push_back(Harmless(word.get<std::string>()));
    if (!missing.empty()) text += ", which does not mention \"" + Join(missing, "\", \"") + '"';
    text += '\n';
  }
  for (const Json& repository : data["unpinned"]) {
    text +=
        fmt::format("sibyl: a plan names {0}, which is not pinned: sibyl source add github:{0}\n",
                    Harmless(repository.get<std::string>()));
  }
  if (data["unpinned"].empty()) {
    text += "sibyl: pin a source that covers it: sibyl source add ORIGIN\n";
  }
  return text;
}

}  // namespace

Rendered RenderAsk(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& statement : data["statements"]) {
    if (!rendered.results.empty()) rendered.results += '\n';
    rendered.results += RenderStatement(statement, options);
  }
  if (!outcome.holds) rendered.talk += NotKnown(data);
  for (const Json& page : data["pages"]) {
    rendered.talk +=
        fmt::format("sibyl: see also: {}#{}\n", Text(page, "page"), Text(page, "anchor"));
  }
  return rendered;
}

}  // namespace sibyl::engine
