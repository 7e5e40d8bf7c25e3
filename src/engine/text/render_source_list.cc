// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string RenderDetails(const Json& details) {
  std::string text =
      fmt::format("  {} read, {} of text", Count(details.value("read", std::size_t{0}), "file"),
                  ShownBytes(details.value("text_bytes", std::uint64_t{0})));
  for (const auto& [reason, count] : details["skips"].items()) {
    text += fmt::format("; {} {}", count.get<std::size_t>(), reason);
  }
  text += '\n';
  for (const Json& skipped : details["skipped"]) {
    text += fmt::format("    {}: {}\n", Harmless(skipped.value("path", "")),
                        skipped.value("reason", ""));
  }
  return text;
}

}  // namespace

Rendered RenderSourceList(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& source : outcome.data["sources"]) {
    const std::string state = source.value("state", "");
    if (source["pin"].is_null()) {
      rendered.results += fmt::format(
          "{} {} from {}: 'sibyl source sync {}' pins it\n", Harmless(source.value("name", "")),
          state, Harmless(source.value("origin", "")), Harmless(source.value("name", "")));
    } else {
      rendered.results += DescribePin(source["pin"]);
      rendered.results += state == "pinned" ? "\n" : ": " + state + '\n';
    }
    if (source.contains("details")) rendered.results += RenderDetails(source["details"]);
  }
  for (const Json& orphan : outcome.data["orphans"]) {
    rendered.results += DescribePin(orphan) + ": pinned, but sibyl.toml does not declare it\n";
  }
  if (outcome.data["sources"].empty() && outcome.data["orphans"].empty()) {
    rendered.talk += "sibyl: no sources yet; pin one with 'sibyl source add ORIGIN'\n";
  }
  return rendered;
}

}  // namespace sibyl::engine
