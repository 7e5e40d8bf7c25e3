// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/reading/reading_operations.h"
#include "engine/text/render.h"
#include "evidence/evidence.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMostEntries = 5'000;

Result<Outcome> RunSourceFiles(const oracle::Context& context, const Arguments& arguments) {
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  const evidence::Pin* pin = lock.Find(arguments.Text("name"));
  if (pin == nullptr) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("listing {}: no such source", arguments.Text("name")),
                 .hint = "'sibyl source list' shows what is pinned"};
  }
  const evidence::Snapshot snapshot = SIBYL_TRY(evidence::OpenSnapshot(*pin, around));
  std::string folder(arguments.Text("folder"));
  while (folder.ends_with('/')) folder.pop_back();
  if (!folder.empty()) folder += '/';
  Json folders = Json::array();
  Json files = Json::array();
  bool is_cut = false;
  for (const evidence::SnapshotFile& file : snapshot.files()) {
    if (!file.path.starts_with(folder)) continue;
    const std::string rest = file.path.substr(folder.size());
    const std::size_t slash = rest.find('/');
    is_cut = folders.size() + files.size() >= kMostEntries;
    if (is_cut) break;
    if (slash == std::string::npos) {
      files.push_back(rest);
    } else if (folders.empty() || folders.back() != rest.substr(0, slash)) {
      folders.push_back(rest.substr(0, slash));  // sorted: the same are together
    }
  }
  if (!folder.empty() && folders.empty() && files.empty()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("listing {}: no such folder in {}", folder, pin->name)};
  }
  return Outcome{.data = {{"source", pin->name},
                          {"folder", folder},
                          {"pin", evidence::ShortPin(*pin)},
                          {"date", pin->date},
                          {"folders", std::move(folders)},
                          {"files", std::move(files)},
                          {"complete", !is_cut}}};
}

constexpr Parameter kSourceFilesParameters[] = {
    {.name = "name",
     .value_name = "NAME",
     .help = "a pinned source",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "folder", .value_name = "FOLDER", .help = "a folder of it [its root]"},
};

}  // namespace

constexpr Operation kSourceFiles = {
    .name = "source files",
    .summary = "list a folder of a pinned source",
    .description =
        R"(Lists the folders and files of one folder as it is pinned. `sibyl source read` shows a file,
`sibyl source outline` what is in it.

  sibyl source files cutlass --folder include/cute)",
    .parameters = kSourceFilesParameters,
    .effects = {.reads = true},
    .tool = {.name = "source_files", .is_read_only = true, .is_idempotent = true},
    .run = RunSourceFiles,
    .render = RenderSourceFiles,
};

}  // namespace sibyl::engine
