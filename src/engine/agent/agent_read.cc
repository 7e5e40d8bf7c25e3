// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "engine/agent/agent_operations.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "evidence/evidence.h"
#include "evidence/footnote.h"
#include "evidence/permalink.h"
#include "injection/instruction.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

Result<evidence::CitedText> ReadTarget(std::string_view target,
                                       const evidence::Surroundings& around) {
  if (!target.starts_with("swh:")) return evidence::MakeCitation(target, around);
  const evidence::Citation citation = SIBYL_TRY(evidence::ParseCitation(target));
  return evidence::ResolveCitation(citation, around);
}

Result<Outcome> RunSourceRead(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::CitedText cited = SIBYL_TRY(ReadTarget(arguments.Text("target"), around));
  const std::vector<std::string_view> lines = SplitLines(cited.text);
  // Lines of the file: those of the citation, or all of it.
  const std::size_t begin = cited.citation.lines.IsWhole() ? 1 : cited.citation.lines.first;
  const std::size_t end = begin + lines.size();
  const auto asked = static_cast<std::size_t>(arguments.Integer("from").value_or(0));
  const std::size_t first = std::max(asked, begin);
  if (lines.empty() || first >= end) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("reading {}: it has no line {}", cited.citation.path, first),
        .hint = fmt::format("it has lines {} to {}", begin, end - 1)};
  }
  const auto most = static_cast<std::size_t>(arguments.Integer("lines").value_or(200));
  const std::size_t last = std::min(end - 1, first + most - 1);
  std::string text;
  for (std::size_t line = first; line <= last; ++line) {
    text += lines[line - begin];
    text += '\n';
  }
  evidence::SourceCitation citation = cited.citation;
  citation.lines = {.first = first, .last = last};
  const std::string link = evidence::Permalink(citation);
  const bool has_injection = !injection::FindInstructions(text).empty();
  Outcome outcome{.data = {{"source", cited.source},
                           {"path", citation.path},
                           {"first_line", first},
                           {"last_line", last},
                           {"citation", evidence::FormatCitation(citation)},
                           {"link", link.empty() ? Json(nullptr) : Json(link)},
                           {"next_line", last + 1 < end ? Json(last + 1) : Json(nullptr)},
                           {"end_line", end - 1},
                           {"text", std::move(text)}}};
  if (has_injection) outcome.data["injection"] = true;
  return outcome;
}

constexpr Parameter kAgentReadParameters[] = {
    {.name = "target",
     .value_name = "TARGET",
     .help = "a file of a pinned source, lines of it (PATH:10-40), or a citation",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "from",
     .value_name = "LINE",
     .help = "the first line to read",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 1'000'000'000},
    {.name = "lines",
     .value_name = "N",
     .help = "maximum lines to read",
     .type = ValueType::kInteger,
     .default_text = "200",
     .minimum = 1,
     .maximum = 2'000},
};

}  // namespace

constexpr Operation kSourceRead = {
    .name = "source read",
    .summary = "read lines of a pinned source, with their citation",
    .description =
        R"(Prints lines of a file as it is pinned, with the citation of exactly these lines. To cite fewer of
them, change `lines=` in the citation. `next_line` is where the next call should start.

  sibyl source read cutlass:include/cute/layout.hpp --from 40 --lines 60)",
    .parameters = kAgentReadParameters,
    .effects = {.reads = true},
    .tool = {.name = "read_source", .is_read_only = true, .is_idempotent = true},
    .run = RunSourceRead,
    .render = RenderSourceRead,
};

}  // namespace sibyl::engine
