// SPDX-License-Identifier: Apache-2.0
#include "oracle/lab_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/nearest_name.h"
#include "base/process/environment.h"
#include "base/process/subprocess.h"
#include "evidence/store.h"
#include "lab/build.h"
#include "oracle/installed_folders.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

Error NoLabs(std::string_view hint) {
  return {
      .kind = ErrorKind::kNotFound, .message = "no labs are installed", .hint = std::string(hint)};
}

std::vector<fs::path> FoldersOfPrograms(const fs::path& folder) {
  if (IsBuildFolder(folder)) return {folder / "../labs"};  // build/release beside build/labs
  return {folder / "../libexec/sibyl/labs"};
}

Result<lab::Program> OpenScript(const lab::LabSources& sources, const lab::SourceLab& lab) {
  const std::optional<fs::path> python = FindProgram("python3");
  // Not one of the working folder: "." may be in PATH.
  if (!python || !python->is_absolute()) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("python3 is not installed; the lab {} runs with it", lab.name),
        .hint = "install Python and PyTorch, and activate their environment"};
  }
  return lab::Program{
      .name = lab.name, .path = sources.folder / lab.script, .interpreter = *python};
}

}  // namespace

Result<Labs> FindLabs(const fs::path& program) {
  Labs labs;
  if (const auto chosen = EnvironmentVariable("SIBYL_LABS")) {
    labs.programs = lab::FindPrograms({fs::path(*chosen)});
    if (!labs.programs.empty()) return labs;
    return NoLabs(
        fmt::format("SIBYL_LABS is '{}', which has no program lab_*; without SIBYL_LABS, "
                    "the labs of this installation are used",
                    *chosen));
  }
  const fs::path folder = program.parent_path();
  // Without /proc it is not known where we are, and relative paths are not ours.
  if (!folder.is_absolute()) return NoLabs("mount /proc, or set SIBYL_LABS to a folder of labs");
  std::vector<fs::path> built = FoldersOfPrograms(folder);
  std::erase_if(built, [&](const fs::path& path) { return !lab::IsOfInstallation(path, program); });
  labs.programs = lab::FindPrograms(built);
  for (const fs::path& path : InstalledFolders(program, "labs")) {
    Result<lab::LabSources> sources = lab::ReadSources(path);
    if (!sources.ok()) continue;
    labs.sources = *std::move(sources);
    break;
  }
  if (labs.sources || !labs.programs.empty()) return labs;
  return NoLabs(
      "share/sibyl/labs of the installation is missing; install sibyl again, or set "
      "SIBYL_LABS to a folder with built labs");
}

Result<Labs> FindLabs() { return FindLabs(ThisProgram()); }

Result<lab::Program> OpenLab(const Context& context, const Labs& labs, std::string_view name) {
  std::vector<std::string> names;
  for (const lab::Program& program : labs.programs) {
    if (program.name == name) return program;
    names.push_back(program.name);
  }
  if (labs.sources) {
    for (const lab::SourceLab& source : labs.sources->labs) {
      if (source.name != name) {
        names.push_back(source.name);
        continue;
      }
      if (!source.script.empty()) return OpenScript(*labs.sources, source);
      const evidence::Store store =
          context.store ? evidence::Store(*context.store) : SIBYL_TRY(evidence::Store::Default());
      return lab::BuildLab(
          *labs.sources, name,
          {.cache = store.folder(),
           .progress = context.progress,
           .stop = context.catch_interrupt ? context.catch_interrupt() : std::stop_token()});
    }
  }
  const auto nearest = NearestName(name, names);
  return Error{.kind = ErrorKind::kNotFound,
               .message = fmt::format("no lab is named '{}'", name),
               .hint = nearest ? fmt::format("did you mean '{}'?", *nearest)
                               : "'sibyl lab list' shows them"};
}

}  // namespace sibyl::oracle
