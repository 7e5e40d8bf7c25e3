// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {
namespace {

std::size_t Of(const Json& counts, const char* name) { return counts[name].get<std::size_t>(); }

std::string DescribeCounts(const Json& counts) {
  std::string text = fmt::format("{} supported", Of(counts, "supported"));
  for (const char* name : {"contradicted", "absent", "stale"}) {
    if (Of(counts, name) > 0) text += fmt::format(", {} {}", Of(counts, name), name);
  }
  return text + fmt::format(", {} not checked", Of(counts, "undecidable"));
}

bool IsEmpty(const Json& counts) {
  for (const Json& count : counts) {
    if (count.get<std::size_t>() > 0) return false;
  }
  return true;
}

// A line for each source whose citations wait for it, or one for many.
std::string RenderWaiting(const Json& waiting, const RenderOptions& options) {
  constexpr std::size_t kFew = 3;
  std::size_t citations = 0;
  std::string lines;
  for (const Json& source : waiting) {
    const std::size_t count = Of(source, "citations");
    citations += count;
    lines += fmt::format(
        "sibyl: {} of {} not checked: the source is not in the store; --restore fetches it\n",
        Count(count, "citation"), Harmless(source["source"].get<std::string>()));
  }
  if (waiting.size() <= kFew) return lines;
  return fmt::format(
      "sibyl: {} not checked: {} are not in the store; to fetch them: {} verify --restore\n",
      Count(citations, "citation"), Count(waiting.size(), "source"), options.Sibyl());
}

}  // namespace

// Findings first, as a compiler has them; then a line for each file that was
// judged, and one for all.
Rendered RenderVerify(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  for (const Finding& finding : outcome.findings) {
    rendered.results += RenderFinding(finding, options.terminal);
  }
  const Json& data = outcome.data;
  for (const Json& file : data["files"]) {
    if (IsEmpty(file["counts"])) continue;
    rendered.results += fmt::format("{}: {}\n", Harmless(file["file"].get<std::string>()),
                                    DescribeCounts(file["counts"]));
  }
  rendered.talk = fmt::format("sibyl: {}, {}: {}\n", Count(data["files"].size(), "file"),
                              Count(data["citations"].get<std::size_t>(), "citation"),
                              DescribeCounts(data["counts"]));
  const Json& statements = data["statements"];
  const std::size_t grounded = Of(statements, "grounded");
  const std::size_t undecided = Of(statements, "undecided");
  if (const std::size_t all = grounded + undecided + Of(statements, "refused"); all > 0) {
    rendered.talk +=
        fmt::format("sibyl: {} of {} grounded{}\n", grounded, Count(all, "statement"),
                    undecided > 0 ? fmt::format(", {} not decided; --all lists them", undecided)
                                  : std::string());
  }
  rendered.talk += RenderWaiting(data["waiting"], options);
  if (const auto accepted = data["accepted"].get<std::size_t>(); accepted > 0) {
    rendered.talk +=
        fmt::format("sibyl: {} accepted by the baseline\n", Count(accepted, "finding"));
  }
  if (const auto mended = data["mended"].get<std::size_t>(); mended > 0) {
    rendered.talk +=
        fmt::format("sibyl: {} in the baseline no longer occur; --write-baseline removes them\n",
                    Count(mended, "finding"));
  }
  return rendered;
}

}  // namespace sibyl::engine
