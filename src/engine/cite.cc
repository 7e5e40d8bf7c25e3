// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <variant>

#include "engine/arguments.h"
#include "engine/context.h"
#include "engine/evidence_operations.h"
#include "engine/oracle.h"
#include "engine/outcome.h"
#include "evidence/footnote.h"
#include "evidence/permalink.h"

namespace sibyl::engine {
namespace {

// A citation as it stands, a whole footnote line, or a place to make one for.
Result<evidence::CitedText> Look(std::string_view target, const evidence::Surroundings& around) {
  if (evidence::FootnoteId(target)) {
    const evidence::Footnote footnote = SIBYL_TRY(evidence::ParseFootnote(target));
    return evidence::ResolveCitation(footnote.citation, around);
  }
  for (const std::string_view scheme : {"swh:", "web:", "fact:", "lab:"}) {
    if (!target.starts_with(scheme)) continue;
    const evidence::Citation citation = SIBYL_TRY(evidence::ParseCitation(target));
    return evidence::ResolveCitation(citation, around);
  }
  return evidence::MakeCitation(target, around);
}

Result<Outcome> RunCite(const Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(EvidenceAround(context));
  const evidence::CitedText cited = SIBYL_TRY(Look(arguments.Text("target"), around));
  const evidence::SourceCitation& citation = cited.citation;
  const std::string link = evidence::Permalink(citation);
  return Outcome{
      .data = {
          {"source", cited.source},
          {"path", citation.path},
          {"lines", citation.lines.IsWhole() ? Json(nullptr)
                                             : Json{citation.lines.first, citation.lines.last}},
          {"citation", evidence::FormatCitation(citation)},
          {"link", link.empty() ? Json(nullptr) : Json(link)},
          {"footnote",
           evidence::FormatFootnote({.id = "1", .label = cited.source, .citation = citation})},
          {"text", cited.text}}};
}

constexpr Parameter kParameters[] = {
    {.name = "target",
     .value_name = "CITATION|PATH:LINES",
     .help = "a citation to resolve, or a place to make one for",
     .kind = ParameterKind::kPositional,
     .required = true},
};

}  // namespace

constexpr Operation kCite = {
    .name = "cite",
    .summary = "resolve a citation, or make one",
    .description =
        R"(Given a citation, or a footnote line with one, prints the exact bytes it names; it resolves only if
they are the same bytes. Given a place in a pinned source, prints the citation for it.

  sibyl cite 'swh:1:cnt:8d0c...;lines=10-20'
  sibyl cite CMakeLists.txt:250-256
  sibyl cite cutlass:include/cute/layout.hpp:40

A path that several sources have needs the name of the source in front.)",
    .parameters = kParameters,
    .effects = {.reads = true},
    .run = RunCite,
};

}  // namespace sibyl::engine
