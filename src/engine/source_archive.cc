// SPDX-License-Identifier: Apache-2.0
// Pages of a source as a WARC file, and back.
#include <fmt/format.h>

#include <utility>

#include "base/hash.h"
#include "engine/argument_file.h"
#include "engine/arguments.h"
#include "engine/context.h"
#include "engine/evidence_operations.h"
#include "engine/oracle.h"
#include "engine/outcome.h"
#include "engine/source_pages.h"
#include "evidence/page_archive.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunExport(const Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const std::string_view name = arguments.Text("name");
  const evidence::Pin* pin = lock.Find(name);
  if (pin == nullptr) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("exporting {}: nothing of that name is pinned", name),
                 .hint = "'sibyl source list' shows the names"};
  }
  const std::string bytes = SIBYL_TRY(evidence::ExportPages(*pin, around));
  const ArgumentFile file = SIBYL_TRY(ArgumentFile::ToWrite(context, arguments.Text("file")));
  SIBYL_TRY(file.Write(bytes));
  return Outcome{.data = {{"source", pin->name},
                          {"file", ShownPath(context, file.path()).string()},
                          {"pages", pin->pages.size()},
                          {"bytes", bytes.size()},
                          {"sha256", Sha256(bytes)}}};
}

Result<Outcome> RunImport(const Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(EvidenceAround(context));
  const ArgumentFile file = SIBYL_TRY(ArgumentFile::Find(context, arguments.Text("file")));
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
     .help = "also pin pages that no source has, in this source"},
};

std::vector<Rule> ImportRules() {
  return {{.code = "page/refused", .meaning = "a page could not be read, or cannot be cited"}};
}

}  // namespace

constexpr Operation kSourceExport = {
    .name = "source export",
    .summary = "write the pages of a source into a WARC file",
    .description =
        R"(Writes every page of a source as it is pinned: the server's answer, the text that was made of it,
and when. The file is WARC 1.1, each record compressed by itself, and other tools can read it. The
same pins give the same bytes. Keep it where pages may vanish: `sibyl source import` brings them back.

  sibyl source export web web.warc.gz)",
    .parameters = kExportParameters,
    .effects = {.reads = true, .writes = true},
    .run = RunExport,
};

constexpr Operation kSourceImport = {
    .name = "source import",
    .summary = "bring pages back from a WARC file",
    .description =
        R"(Puts the pages of a WARC file into the object store. Sources whose pages had been lost are whole
again; no pin moves. With `--name`, pages that no source has yet are pinned in that source as well,
judged as if they had just been fetched. Nothing is fetched.

  sibyl source import web.warc.gz
  sibyl source import crawl.warc.gz --name web)",
    .parameters = kImportParameters,
    .effects = {.reads = true, .writes = true},
    .rules = ImportRules,
    .run = RunImport,
};

}  // namespace sibyl::engine
