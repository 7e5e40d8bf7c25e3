// SPDX-License-Identifier: Apache-2.0
// Pages of a source, for people: what became of each, and the archive of them.
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/render_findings.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {

std::string DescribePages(const Json& change) {
  std::string text;
  for (const Json& page : change.value("pages", Json::array())) {
    const std::string fate = page.value("fate", "");
    const std::string title = page.value("title", "");
    text += fmt::format("  {}: {}", fate, Harmless(page.value("url", "")));
    if (!title.empty()) text += fmt::format(" \"{}\"", Harmless(title));
    if (page.contains("words")) {
      text += fmt::format(", {}", Count(page["words"].get<std::size_t>(), "word"));
    }
    if (page.contains("left_out_bytes")) {
      text += fmt::format(", {} of menus and similar removed",
                          Count(page["left_out_bytes"].get<std::size_t>(), "byte"));
    }
    text += '\n';
    for (const Json& line : page.value("changes", Json::array())) {
      text += "    " + Harmless(line.get<std::string>()) + '\n';
    }
  }
  return text;
}

Rendered RenderSourceExport(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  return {.results =
              fmt::format("{}: {} of {}, {} bytes, sha256 {}\n", Harmless(data.value("file", "")),
                          Count(data.value("pages", std::size_t{0}), "page"),
                          Harmless(data.value("source", "")), data.value("bytes", std::size_t{0}),
                          data.value("sha256", "")),
          .talk = RenderTalk(outcome, options)};
}

Rendered RenderSourceImport(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  rendered.results =
      fmt::format("{} in the store\n", Count(data.value("stored", std::size_t{0}), "page"));
  for (const Json& name : data["restored"]) {
    rendered.results += Harmless(name.get<std::string>()) + ": all its pages are restored\n";
  }
  rendered.results += DescribePages(data);
  return rendered;
}

}  // namespace sibyl::engine
