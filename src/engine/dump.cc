// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/source/source_json.h"
#include "engine/text/render.h"
#include "evidence/footnote.h"
#include "evidence/lock.h"
#include "expansion/ledger/open_ledger.h"
#include "index/manifest.h"
#include "index/segment/segment.h"
#include "index/segment/segment_format.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "runner/snapshot.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, index::kSections> kSectionNames = {
    "text",        "text-blocks",     "postings",   "term-bytes",  "term-blocks",
    "term-groups", "term-signatures", "passages",   "documents",   "strings",
    "cards",       "card-strings",    "card-names", "card-values", "checksums"};

Result<Outcome> DumpSegment(const fs::path& path, std::string_view bytes,
                            const Arguments& arguments) {
  Result<index::Segment> opened = index::Segment::FromBytes(bytes);
  if (!opened.ok()) {
    return While("opening the index segment " + path.string(), std::move(opened).error());
  }
  const index::Segment& segment = *opened;
  const index::SegmentHeader& header = segment.header();
  Outcome outcome{.data = {{"format", "index segment"},
                           {"format_version", header.version},
                           {"bytes", header.file_bytes},
                           {"text_bytes", header.text_bytes},
                           {"terms", header.term_count},
                           {"passages", segment.passage_count()},
                           {"documents", segment.document_count()},
                           {"sections", Json::array()}}};
  for (std::size_t i = 0; i < index::kSections; ++i) {
    outcome.data["sections"].push_back({{"name", kSectionNames[i]},
                                        {"offset", header.sections[i].offset},
                                        {"bytes", header.sections[i].bytes}});
  }
  if (arguments.Has("entries")) {
    Json documents = Json::array();
    for (std::size_t i = 0; i < segment.document_count(); ++i) {
      const index::DocumentRecord& document = segment.document(i);
      documents.push_back({{"path", segment.path(document)},
                           {"paths", document.path_count},
                           {"passages", document.passage_count},
                           {"language", segment.language(document)}});
    }
    outcome.data["entries"] = std::move(documents);
  }
  if (const Status whole = segment.Check(); !whole.ok()) {
    outcome.holds = false;
    outcome.findings.push_back({.severity = Severity::kError,
                                .code = "dump/damaged",
                                .message = whole.error().message,
                                .hint = "delete it; it is rebuilt when needed",
                                .place = {.file = path.string()}});
  }
  return outcome;
}

Result<Outcome> DumpManifest(const fs::path& path) {
  const index::Manifest manifest = SIBYL_TRY(index::ReadManifest(path));
  Outcome outcome{.data = {{"format", "index manifest"},
                           {"fingerprint", manifest.fingerprint},
                           {"segments", Json::array()}}};
  for (const index::ManifestSegment& segment : manifest.segments) {
    outcome.data["segments"].push_back(
        {{"id", segment.id}, {"dead_documents", segment.dead_documents.size()}});
  }
  return outcome;
}

Result<Outcome> DumpLock(std::string_view text) {
  const evidence::Lock lock = SIBYL_TRY(evidence::ParseLock(text));
  Outcome outcome{.data = {{"format", "lock"}, {"pins", Json::array()}}};
  for (const evidence::Pin& pin : lock.pins) outcome.data["pins"].push_back(PinAsJson(pin));
  return outcome;
}

// The receipts of a knowledge file.
Outcome DumpKnowledge(std::string_view text) {
  Outcome outcome{.data = {{"format", "knowledge"}, {"citations", Json::array()}}};
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(text)) {
    ++number;
    if (!evidence::FootnoteId(line)) continue;
    const Result<evidence::Footnote> footnote = evidence::ParseFootnote(line);
    outcome.data["citations"].push_back(
        {{"line", number},
         {"id", std::string(*evidence::FootnoteId(line))},
         {"citation",
          footnote.ok() ? Json(evidence::FormatCitation(footnote->citation)) : Json(nullptr)}});
  }
  return outcome;
}

// Who works on what, as the runner left it.
Outcome DumpRuns(std::string_view format, const runner::Snapshot& snapshot) {
  Outcome outcome{.data = {{"format", format}, {"jobs", Json::array()}}};
  for (const runner::RunSnapshot& run : snapshot.runs) {
    for (const runner::JobSnapshot& job : run.jobs) {
      outcome.data["jobs"].push_back({{"run", run.id},
                                      {"plan", run.name},
                                      {"run_state", runner::RunStateName(run.state)},
                                      {"job", job.name},
                                      {"state", runner::JobStateName(job.state)},
                                      {"attempts", job.attempts},
                                      {"crashes", job.crashes},
                                      {"lost", job.lost},
                                      {"released", job.released},
                                      {"payload_bytes", job.payload.size()},
                                      {"reason", job.reason}});
    }
  }
  return outcome;
}

Result<Outcome> RunDump(const oracle::Context& context, const Arguments& arguments) {
  if (expansion::IsLedgerAddress(arguments.Text("file"))) {
    const std::string address(arguments.Text("file"));
    return DumpRuns("ledger", SIBYL_TRY(expansion::ReadLedger(address, context.clock)));
  }
  const oracle::ArgumentFile file =
      SIBYL_TRY(oracle::ArgumentFile::Find(context, arguments.Text("file")));
  constexpr std::size_t kMostRead = std::size_t{2} << 30;
  constexpr std::size_t kMostText = std::size_t{64} << 20;
  const std::string_view segment(index::kSegmentMagic.data(), index::kSegmentMagic.size());
  const fs::path path = SIBYL_TRY(file.CheckedPath());
  // Read, not mapped: the file may be truncated concurrently.
  const std::string text = SIBYL_TRY(file.Read({.max_bytes = kMostRead}));
  if (text.starts_with(segment)) return DumpSegment(path, text, arguments);
  if (text.starts_with("SQLite format 3")) {
    return DumpRuns("journal", SIBYL_TRY(runner::ReadSnapshot(path)));
  }
  if (text.size() > kMostText) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format(
                     "dumping {}: {} bytes is larger than any text file that sibyl writes",
                     oracle::ShownPath(context, path).string(), text.size())};
  }
  if (path.filename() == evidence::kLockFile) return DumpLock(text);
  if (std::string_view(text).substr(0, 100).find("\"sibyl-index\"") != std::string_view::npos) {
    return DumpManifest(path);
  }
  if (path.extension() == ".md") return DumpKnowledge(text);
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("dumping {}: not a file that sibyl writes",
                             oracle::ShownPath(context, path).string()),
      .hint =
          "supported: index segments and manifests, sibyl.lock, knowledge files and journal.db"};
}

std::vector<Rule> DumpRules() {
  return {{.code = "dump/damaged", .meaning = "a file does not match its checksums"}};
}

constexpr Parameter kDumpParameters[] = {
    {.name = "file",
     .value_name = "FILE",
     .help = "a file that sibyl wrote, or the address of a ledger",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "entries",
     .help = "also list the documents of a segment",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kDump = {
    .name = "dump",
    .summary = "show the contents of a file that sibyl wrote",
    .description =
        R"(Every file that sibyl writes can be shown. Prints the header, sections and counts of an index
segment and verifies its checksums, the segments of a manifest, the pins of a `sibyl.lock`, the
citations of a knowledge file, or the jobs of a journal (`.sibyl/journal.db`) or of a ledger in
PostgreSQL (`postgresql://HOST/DATABASE` or `host=HOST dbname=DATABASE`). Needs no oracle, and a network only for a ledger.)",
    .parameters = kDumpParameters,
    .effects = {.reads = true},
    .rules = DumpRules,
    .run = RunDump,
    .render = RenderDump,
};

}  // namespace sibyl::engine
