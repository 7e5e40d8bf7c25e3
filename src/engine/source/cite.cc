// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <variant>

#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "evidence/footnote.h"
#include "evidence/origins/permalink.h"
#include "oracle/absent_words.h"
#include "oracle/argument_file.h"
#include "oracle/cited_facts.h"
#include "oracle/context.h"
#include "oracle/lab_runs.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

// A citation given directly, or in a whole footnote line.
Result<std::optional<evidence::Citation>> GivenCitation(std::string_view target) {
  if (evidence::FootnoteId(target)) {
    return std::optional(SIBYL_TRY(evidence::ParseFootnote(target)).citation);
  }
  for (const std::string_view scheme : {"swh:", "web:", "fact:", "lab:", "absent:swh:"}) {
    if (target.starts_with(scheme))
      return std::optional(SIBYL_TRY(evidence::ParseCitation(target)));
  }
  return std::optional<evidence::Citation>();
}

Outcome ShowLines(const evidence::CitedText& cited) {
  const evidence::SourceCitation& lines = cited.citation;
  evidence::Footnote note{.id = "1", .label = cited.source, .citation = lines};
  std::string link = evidence::Permalink(lines);
  if (cited.page) {
    note.label = cited.page->title;
    note.citation = cited.page->citation;
    note.fragment = cited.page->fragment;
    link = cited.page->Link();
  }
  return Outcome{
      .data = {{"source", cited.source},
               {"path", lines.path},
               {"lines",
                lines.lines.IsWhole() ? Json(nullptr) : Json{lines.lines.first, lines.lines.last}},
               {"citation", evidence::FormatCitation(note.citation)},
               {"link", link.empty() ? Json(nullptr) : Json(link)},
               {"footnote", evidence::FormatFootnote(note)},
               {"text", cited.text},
               {"words", cited.words.empty() ? Json(nullptr) : Json(cited.words)}}};
}

Outcome ShowFact(const oracle::CitedFact& cited) {
  const std::string name = std::filesystem::path(cited.fact.path).filename().string();
  return Outcome{.data = {{"source", cited.fact.source.empty() ? name : cited.fact.source},
                          {"path", cited.fact.path},
                          {"lines", nullptr},
                          {"citation", evidence::FormatCitation(cited.citation)},
                          {"link", nullptr},
                          {"footnote", evidence::FormatFootnote(
                                           {.id = "1", .label = name, .citation = cited.citation})},
                          {"text", inspect::FactInWords(cited.citation, cited.fact)},
                          {"value", cited.fact.value},
                          {"read_from", cited.read_from ? "artifact" : inspect::kFactsFile}}};
}

Outcome ShowMeasurement(const evidence::LabCitation& citation,
                        const oracle::ResolvedLab& resolved) {
  return Outcome{.data = {{"source", "lab"},
                          {"path", fmt::format("{}/{}.jsonl", oracle::kLabsFolder, citation.run)},
                          {"lines", nullptr},
                          {"citation", evidence::FormatCitation(citation)},
                          {"link", nullptr},
                          {"footnote", evidence::FormatFootnote(
                                           {.id = "1", .label = {}, .citation = citation})},
                          {"text", resolved.words},
                          {"measured_here", resolved.is_measured_here}}};
}

// Cited only if it is true.
Result<Outcome> ShowAbsence(oracle::AbsentWords& words, const evidence::AbsentCitation& citation) {
  const gate::OtherAnswer answer = words.Resolve(citation);
  if (answer.verdict != statement::Verdict::kSupported) {
    return Error{.kind = answer.verdict == statement::Verdict::kUndecidable
                             ? ErrorKind::kUnavailable
                             : ErrorKind::kNotFound,
                 .message = fmt::format("citing an absence: {}", answer.message),
                 .hint = answer.nearest.empty() ? answer.reason : "see " + answer.nearest};
  }
  const std::string name = answer.where.substr(0, answer.where.find('@'));
  return Outcome{.data = {{"source", name},
                          {"path", ""},
                          {"lines", nullptr},
                          {"citation", evidence::FormatCitation(citation)},
                          {"link", nullptr},
                          {"footnote", evidence::FormatFootnote(
                                           {.id = "1", .label = name, .citation = citation})},
                          {"text", answer.text}}};
}

Result<Outcome> RunCite(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const std::string_view target = arguments.Text("target");
  const std::optional<evidence::Citation> given = SIBYL_TRY(GivenCitation(target));
  const auto* fact = given ? std::get_if<evidence::FactCitation>(&*given) : nullptr;
  const std::optional<oracle::FactTarget> wanted =
      given ? std::nullopt : oracle::ParseFactTarget(target);
  if (fact != nullptr || wanted) {
    const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
    oracle::CitedFacts facts =
        SIBYL_TRY(oracle::CitedFacts::Open(lock, around, oracle::MadeHere(context)));
    if (fact != nullptr) return ShowFact(SIBYL_TRY(facts.Resolve(*fact)));
    const oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::Find(context, wanted->path));
    return ShowFact(SIBYL_TRY(facts.Cite(file, *wanted)));
  }
  if (const auto* measured = given ? std::get_if<evidence::LabCitation>(&*given) : nullptr) {
    const oracle::ResolvedLab resolved =
        SIBYL_TRY(oracle::ResolveLab(around.oracle, oracle::MadeHere(context), *measured));
    return ShowMeasurement(*measured, resolved);
  }
  const auto* absent = given ? std::get_if<evidence::AbsentCitation>(&*given) : nullptr;
  const auto absence = given ? std::nullopt : oracle::ParseAbsentTarget(target);
  if (absent != nullptr || absence) {
    oracle::AbsentWords words(SIBYL_TRY(evidence::ReadLock(around)), around);
    return ShowAbsence(words, absent != nullptr ? *absent : SIBYL_TRY(words.Cite(*absence)));
  }
  return ShowLines(given ? SIBYL_TRY(evidence::ResolveCitation(*given, around))
                         : SIBYL_TRY(evidence::MakeCitation(target, around)));
}

constexpr Parameter kCiteParameters[] = {
    {.name = "target",
     .value_name = "TARGET",
     .help = "a citation to resolve, or PATH:LINES, PATH:LINES \"WORDS\", PATH#FACT or "
             "absent:SOURCE:WORD to "
             "cite",
     .kind = ParameterKind::kPositional,
     .required = true},
};

}  // namespace

constexpr Operation kCite = {
    .name = "cite",
    .summary = "resolve a citation, or make one",
    .description =
        R"(Given a citation, or a footnote line with one, prints the exact bytes it names; it resolves only if
the bytes are unchanged. Given a place in a pinned source, prints the citation for it.

  sibyl cite 'swh:1:cnt:8d0c...;lines=10-20'
  sibyl cite Modules/FindCUDAToolkit.cmake:42-60
  sibyl cite cutlass:include/cute/layout.hpp:40

If several sources have the same path, put the name of the source in front. With the few words of
the lines that carry a statement, the statement is compared with those words; they must be in the
lines exactly once, and are at most thirty.

  sibyl cite 'cutlass:include/cute/layout.hpp:40-44 "number of threads per warp"'

Given an artifact, an inspector and a key, as listed by `sibyl inspect --json`, cites that fact and
records it in `sibyl.facts`, so that pages can be checked on this machine when the artifact is gone.

  sibyl cite build/libkernels.so#cuda:cubin.sm_90.count

Given `absent:SOURCE:WORD`, cites that the pinned source has no such word, if that is so. The word is
looked for whole and in this spelling, in the text that `sibyl search` sees.

  sibyl cite absent:pytorch:USE_CUPTI)",
    .parameters = kCiteParameters,
    .effects = {.reads = true, .writes = true},
    .tool = {.name = "cite", .is_idempotent = true},
    .run = RunCite,
    .render = RenderCite,
};

}  // namespace sibyl::engine
