// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render_source.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/json_field.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {
std::string DescribePin(const Json& pin) {
  constexpr std::size_t kShort = 7;
  std::string id = Text(pin, "commit");
  if (id.empty()) id = Text(pin, "tree");
  std::string remark = Text(pin, "date").substr(0, 10);
  if (const std::string ref = Text(pin, "ref"); !ref.empty()) remark += ", " + ref;
  if (const auto commits = pin.value("history", std::size_t{0}); commits > 0) {
    remark += ", with " + Count(commits, "commit");
  }
  return fmt::format("{} {} ({}) from {}", Text(pin, "name"), id.substr(0, kShort), remark,
                     Text(pin, "origin"));
}

std::string DescribeChanges(const Json& changes) {
  if (!changes.is_object()) return "the previous version is no longer in the store";
  const auto count = [&changes](const char* name) { return changes.value(name, std::size_t{0}); };
  std::string text = fmt::format("{} added, {} removed, {} changed", Count(count("added"), "file"),
                                 count("removed"), count("changed"));
  for (const Json& example : changes.value("examples", Json::array())) {
    text += "\n  " + Harmless(example.get<std::string>());
  }
  return text;
}

std::string RenderTalk(const Outcome& outcome, const RenderOptions& options) {
  const Json searched = outcome.data.value("searched_sources", Json::object());
  const bool is_cloned = searched.value("absent", std::size_t{0}) > 0;
  std::string talk;
  for (const Finding& finding : outcome.findings) {
    if (is_cloned && finding.code == "source/unsearchable") continue;
    talk += RenderFinding(finding, options.terminal);
  }
  if (!is_cloned) return talk;
  const auto pinned = searched.value("pinned", std::size_t{0});
  const std::size_t missing = pinned - searched.value("searched", std::size_t{0});
  return talk + fmt::format(
                    "sibyl: {} of {} were not searched; to fetch what is pinned: {} verify "
                    "--restore\n",
                    missing, Count(pinned, "source"), options.Sibyl());
}

}  // namespace sibyl::engine
