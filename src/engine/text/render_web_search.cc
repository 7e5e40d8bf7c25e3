// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/hyperlink.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string RenderResult(const Json& result, std::size_t number, const RenderOptions& options) {
  const Terminal& terminal = options.terminal;
  const auto text_of = [&](const char* name) {
    return Harmless(ReplaceInvalidUtf8(result.value(name, "")));
  };
  std::string speaker = text_of("authority");
  if (result.contains("maker")) speaker += ", " + text_of("maker");
  std::string text =
      fmt::format("{}. {}  {}\n", number, Styled(text_of("title"), Style::kBold, terminal),
                  Styled(speaker, Style::kDim, terminal));
  text += "   " + Styled(Linked(text_of("url"), text_of("url"), terminal), Style::kBlue, terminal) +
          '\n';
  if (const std::string snippet = text_of("snippet"); !snippet.empty()) {
    text += "   " + Shorten(snippet, options.columns() - 3) + '\n';
  }
  return text;
}

}  // namespace

Rendered RenderWebSearch(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  std::size_t number = 0;
  for (const Json& result : outcome.data["web"]) {
    if (number > 0) rendered.results += '\n';
    rendered.results += RenderResult(result, ++number, options);
  }
  rendered.talk = RenderTalk(outcome, options);
  if (number == 0) rendered.talk += "sibyl: nothing found\n";
  if (outcome.data.contains("pages")) {
    std::size_t pinned = 0;
    for (const Json& page : outcome.data["pages"]) {
      const std::string fate = page.value("fate", "");
      if (fate != "refused") {
        ++pinned;
        continue;
      }
      rendered.talk += fmt::format("sibyl: skipped: {}: {}\n", Harmless(page.value("url", "")),
                                   Harmless(page.value("reason", "")));
    }
    rendered.talk += fmt::format("sibyl: {} pinned in the source {}\n", Count(pinned, "page"),
                                 outcome.data.value("source", ""));
  }
  return rendered;
}

}  // namespace sibyl::engine
