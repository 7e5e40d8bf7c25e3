// SPDX-License-Identifier: Apache-2.0
// Pages of a source as a WARC file, and back.
#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/source/source_pages.h"
#include "engine/text/render.h"
#include "evidence/pages/page_archive.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunExport(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const std::string_view name = arguments.Text("name");
  const evidence::Pin* pin = lock.Find(name);
  if (pin == nullptr) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("exporting {}: no pinned source has that name", name),
                 .hint = "'sibyl source list' shows the names"};
  }
  const std::string bytes = SIBYL_TRY(evidence::ExportPages(*pin, around));
  const oracle::ArgumentFile file =
      SIBYL_TRY(oracle::ArgumentFile::ToWrite(context, arguments.Text("file")));
  SIBYL_TRY(file.Write(bytes));
  return Outcome{.data = {{"source", pin->name},
                          {"file", oracle::ShownPath(context, file.path()).string()},
                          {"pages", pin->pages.size()},
                          {"bytes", bytes.size()},
                          {"sha256", Sha256(bytes)}}};
}

Result<Outcome> RunImport(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const oracle::ArgumentFile file =
      SIBYL_TRY(oracle::ArgumentFile::Find(context, arguments.Text("file")));
  const std::string bytes = SIBYL_TRY(file.Read());
  Result<evidence::ImportedPages> read =
      evidence::ImportPages(bytes, arguments.Text("name"), around);
  if (!read.ok()) {
    return While("importing " + std::string(arguments.Text("file")), std::move(read).error());
  }
  const evidence::ImportedPages& imported = *read;
  Outcome outcome{.data = {{"stored", imported.stored},
                           {"restored", imported.restored},
                           {"pages", PagesAsJson(imported.pages)}}};
  for (const std::string& skipped : imported.skipped) {
    outcome.findings.push_back({.severity = Severity::kWarning,
                                .code = "page/refused",
                                .message = skipped,
                                .place = {.file = std::string(arguments.Text("file"))}});
  }
  return outcome;
}

constexpr Parameter kExportParameters[] = {
    {.name = "name",
     .value_name = "NAME",
     .help = "a source of pages",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "file",
     .value_name = "FILE",
     .help = "the WARC file to write, such as web.warc.gz",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
};

constexpr Parameter kImportParameters[] = {
    {.name = "file",
     .value_name = "FILE",
     .help = "a WARC file, compressed or not",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "name",
     .short_name = 'n',
     .value_name = "NAME",
     .help = "also pin, in this source, pages that no source has yet"},
};

std::vector<Rule> ImportRules() {
  return {{.code = "page/refused",
           .meaning = "a page could not be read, or cannot be used as evidence"}};
}

}  // namespace

constexpr Operation kSourceExport = {
    .name = "source export",
    .summary = "write the pages of a source to a WARC file",
    .description =
        R"(Writes every pinned page of a source: the server's response, the text extracted from it, and the
time of the fetch. The file is WARC 1.1 with each record compressed separately, so other tools can
read it. The same pins always give the same bytes. Keep it as a backup for pages that may disappear;
`sibyl source import` restores them.

  sibyl source export web web.warc.gz)",
    .parameters = kExportParameters,
    .effects = {.reads = true, .writes = true},
    .run = RunExport,
    .render = RenderSourceExport,
};

constexpr Operation kSourceImport = {
    .name = "source import",
    .summary = "restore pages from a WARC file",
    .description =
        R"(Copies the pages of a WARC file into the object store. Sources whose pages were lost are complete
again; no pin moves. With `--name`, pages that no source has yet are also pinned in that source,
after the same checks as a fetched page. Nothing is fetched.

  sibyl source import web.warc.gz
  sibyl source import crawl.warc.gz --name web)",
    .parameters = kImportParameters,
    .effects = {.reads = true, .writes = true},
    .rules = ImportRules,
    .run = RunImport,
    .render = RenderSourceImport,
};

}  // namespace sibyl::engine
