// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/line_span.h"
#include "base/strings.h"
#include "engine/agent/agent_operations.h"
#include "engine/agent/symbol_target.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/shown_lines.h"
#include "engine/text/render.h"
#include "evidence/evidence.h"
#include "evidence/footnote.h"
#include "evidence/origins/permalink.h"
#include "injection/instruction.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

// More would fill the context of an agent; the answer says where to go on.
constexpr std::size_t kMostBytes = std::size_t{96} << 10;

// "PATH:90-420" of a file with 365 lines is read to its end: whoever looks
// through a file does not know its length.
Result<evidence::CitedText> ReadPlace(std::string_view target,
                                      const evidence::Surroundings& around) {
  Result<evidence::CitedText> cited = evidence::MakeCitation(target, around);
  const std::size_t colon = target.rfind(':');
  if (cited.ok() || colon == std::string_view::npos) return cited;
  std::size_t first = 0;
  std::size_t last = 0;
  const std::string_view range = target.substr(colon + 1);
  const auto dash = std::from_chars(range.data(), range.data() + range.size(), first);
  if (dash.ec != std::errc() || dash.ptr == range.data() + range.size() || *dash.ptr != '-') {
    return cited;
  }
  const auto end = std::from_chars(dash.ptr + 1, range.data() + range.size(), last);
  if (end.ec != std::errc() || end.ptr != range.data() + range.size()) return cited;
  const Result<evidence::CitedText> whole = evidence::MakeCitation(target.substr(0, colon), around);
  if (!whole.ok()) return cited;
  const std::size_t count = CountLines(whole->text);
  if (first < 1 || first > count || last <= count) return cited;
  return evidence::MakeCitation(fmt::format("{}:{}-{}", target.substr(0, colon), first, count),
                                around);
}

Result<evidence::CitedText> ReadTarget(std::string_view target,
                                       const evidence::Surroundings& around) {
  if (!target.starts_with("swh:")) return ReadPlace(target, around);
  const evidence::Citation citation = SIBYL_TRY(evidence::ParseCitation(target));
  return evidence::ResolveCitation(citation, around);
}

struct WantedLines {
  std::size_t first = 1;
  std::size_t last = 1;
  std::size_t end = 1;  // one past the last line that there is to read
};

// The lines of a citation, or of the whole file.
Result<WantedLines> LinesToRead(const evidence::CitedText& cited, std::size_t count,
                                const Arguments& arguments) {
  const std::size_t begin = cited.citation.lines.IsWhole() ? 1 : cited.citation.lines.first;
  const std::size_t end = begin + count;
  const std::size_t first =
      std::max(static_cast<std::size_t>(arguments.Integer("from").value_or(0)), begin);
  if (count == 0 || first >= end) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("reading {}: it has no line {}", cited.citation.path, first),
        .hint = fmt::format("it has lines {} to {}", begin, end - 1)};
  }
  const auto most = static_cast<std::size_t>(arguments.Integer("lines").value_or(200));
  return WantedLines{.first = first, .last = std::min(end - 1, first + most - 1), .end = end};
}

Result<Outcome> RunSourceRead(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const SymbolTarget target = SplitSymbol(arguments.Text("target"));
  evidence::CitedText cited = SIBYL_TRY(ReadTarget(target.file, around));
  if (!target.symbol.empty()) SIBYL_TRY(NarrowToSymbol(target.symbol, cited));
  const std::vector<std::string_view> lines = LinesWithoutEnds(cited.text);
  WantedLines wanted = SIBYL_TRY(LinesToRead(cited, lines.size(), arguments));
  const std::size_t begin = wanted.end - lines.size();
  const bool is_plain = arguments.Has("plain");
  std::string text;
  std::string quoted;
  for (std::size_t line = wanted.first; line <= wanted.last; ++line) {
    const std::string_view here = lines[line - begin];
    quoted.append(here).append("\n");
    text += is_plain ? fmt::format("{}\n", here) : fmt::format("{}\t{}\n", line, ShownLine(here));
    if (text.size() > kMostBytes) wanted.last = line;
  }
  evidence::SourceCitation citation = cited.citation;
  citation.lines = {.first = wanted.first, .last = wanted.last};
  const std::string link = evidence::Permalink(citation);
  const bool goes_on = wanted.last + 1 < wanted.end;
  Outcome outcome{.data = {{"source", cited.source},
                           {"path", citation.path},
                           {"first_line", wanted.first},
                           {"last_line", wanted.last},
                           {"citation", evidence::FormatCitation(citation)},
                           {"link", link.empty() ? Json(nullptr) : Json(link)},
                           {"next_line", goes_on ? Json(wanted.last + 1) : Json(nullptr)},
                           {"end_line", wanted.end - 1},
                           {"text", std::move(text)}}};
  if (!injection::FindInstructions(quoted).empty()) outcome.data["injection"] = true;
  return outcome;
}

constexpr Parameter kAgentReadParameters[] = {
    {.name = "target",
     .value_name = "TARGET",
     .help = "a file of a pinned source, its lines (PATH:10-40), a definition or section of it "
             "(PATH#name), or a citation",
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
    {.name = "plain",
     .help = "print the lines without their numbers",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kSourceRead = {
    .name = "source read",
    .summary = "read lines of a pinned source, with their citation",
    .description =
        R"(Prints lines of a file as it is pinned, each with its number, and the citation of exactly these
lines. To cite fewer of them, change `lines=` in the citation, or write `SOURCE:PATH:10-12`.
`PATH#name` reads a whole function, class, section or stage. `next_line` is where the next call
should start; lines of more than 1,000 bytes are cut.

  sibyl source read cutlass:include/cute/layout.hpp --from 40 --lines 60
  sibyl source read cutlass:include/cute/layout.hpp#make_layout)",
    .parameters = kAgentReadParameters,
    .effects = {.reads = true},
    .tool = {.name = "read_source", .is_read_only = true, .is_idempotent = true},
    .run = RunSourceRead,
    .render = RenderSourceRead,
};

}  // namespace sibyl::engine
