// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/agent/agent_operations.h"
#include "engine/agent/listed_outline.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "evidence/evidence.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunSourceOutline(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::CitedText cited =
      SIBYL_TRY(evidence::MakeCitation(arguments.Text("target"), around));
  if (!cited.citation.lines.IsWhole()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "an outline is that of a whole file",
                 .hint = "leave out the lines"};
  }
  Json entries = Json::array();
  for (const auto& [entry, name_line] : OutlineToList(cited)) {
    Json json = {{"first_line", entry.first_line},
                 {"last_line", entry.last_line},
                 {"depth", entry.depth},
                 {"label", entry.label}};
    if (name_line != entry.first_line) json["line"] = name_line;
    entries.push_back(std::move(json));
  }
  return Outcome{.data = {{"source", cited.source},
                          {"path", cited.citation.path},
                          {"lines", SplitLines(cited.text).size()},
                          {"entries", std::move(entries)}}};
}

constexpr Parameter kOutlineParameters[] = {
    {.name = "target",
     .value_name = "TARGET",
     .help = "a file of a pinned source",
     .kind = ParameterKind::kPositional,
     .required = true},
};

}  // namespace

constexpr Operation kSourceOutline = {
    .name = "source outline",
    .summary = "list the definitions or sections of a file",
    .description =
        R"(Lists the headings of a document, or the functions, classes, commands and stages of code, with all
their lines. In C and C++, also the functions and types that a header declares; their lines
begin with the documentation. `sibyl source read PATH#name` reads one of them.

  sibyl source outline cutlass:include/cute/layout.hpp)",
    .parameters = kOutlineParameters,
    .effects = {.reads = true},
    .tool = {.name = "outline", .is_read_only = true, .is_idempotent = true},
    .run = RunSourceOutline,
    .render = RenderSourceOutline,
};

}  // namespace sibyl::engine
