// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/files/root.h"
#include "base/process/git_command.h"
#include "base/process/subprocess.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "evidence/evidence.h"
#include "oracle/context.h"
#include "plan/starter.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kConfig =
    R"(# The sources of this oracle. 'sibyl source add' edits this file; so may you.
# Pins are in sibyl.lock, which sibyl writes; commit both files.
#
#   [[source]]
#   name = "cutlass"
#   git = "https://github.com/NVIDIA/cutlass"
#   ref = "main"                      # branch, tag or commit
#   exclude = ["media/**"]
#
#   [web]                             # for 'sibyl expand --web' and 'sibyl search --web'
#   provider = "searxng"
#   url = "https://search.example.org"
#
#   [model]                           # for 'sibyl expand --writer llm'
#   url = "http://127.0.0.1:8080/v1"
#   name = "the model's name on that server"
)";

constexpr std::string_view kIgnore = "/.sibyl/\n";

// The name must be what Agent Skills allow: lower case, digits and hyphens,
// at most 64.
std::string SkillFile(std::string_view name) {
  return fmt::format(R"(---
name: {0}
description: Knowledge with receipts. Every statement cites a pinned line of source. Use it for questions that its topics cover.
---

# {0}

<!-- sibyl:begin topics -->
No topics yet.
<!-- sibyl:end topics -->
)",
                     name);
}

std::string NameOf(const fs::path& folder) {
  std::string name = plan::SlugOf(folder.filename().string());
  if (name.empty()) name = "oracle";
  return name.substr(0, 64);
}

// An oracle should be in git; it works without, with a finding.
void StartRepository(const Root& root, Outcome& outcome) {
  const auto found = FindGitRepository(root.path());
  if (found.ok() && *found) return;
  Command command = GitCommand({"init", "--quiet"});
  command.folder = root.path();
  const Result<sibyl::Outcome> made =
      found.ok() ? RunProgram(command) : Result<sibyl::Outcome>(found.error());
  if (made.ok() && made->succeeded()) {
    outcome.data["made"].push_back(".git/");
    return;
  }
  outcome.findings.push_back({.severity = Severity::kWarning,
                              .code = "init/no-git",
                              .message = "no git repository was created here: " +
                                         (made.ok() ? Describe(*made) : made.error().message),
                              .hint = "install git and run 'git init'"});
}

Result<Outcome> RunInit(const oracle::Context& context, const Arguments& arguments) {
  if (context.is_chosen) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "-C chooses an oracle that exists; init creates one",
                 .hint = "name its folder: 'sibyl init DIR'"};
  }
  fs::path folder = (context.working_folder / arguments.Text("dir")).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  // The working folder may have been reached through a link; a link given as an
  // argument may come with untrusted files.
  const Result<Root> parent = Root::Open(folder.parent_path());
  const auto about = parent.ok() ? parent->About(folder.filename()) : std::nullopt;
  if (folder != context.working_folder && about && about->kind == FileKind::kLink) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("creating an oracle in {}: it is a symbolic link",
                                        oracle::ShownPath(context, folder).string()),
                 .hint = "name the folder itself"};
  }
  if (about && about->kind == FileKind::kFile) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("creating an oracle in {}: it is a file, not a folder",
                                        oracle::ShownPath(context, folder).string()),
                 .hint = "name a folder; it need not exist"};
  }
  const Root root = SIBYL_TRY(Root::Create(folder));
  if (root.Exists(evidence::kConfigFile)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("{} is already an oracle",
                                        oracle::ShownPath(context, folder).string()),
                 .hint = "'sibyl source list' shows its sources"};
  }
  SIBYL_TRY(root.MakeFolders("_ingest-auto/completed"));
  Outcome outcome{
      .data = {{"oracle", oracle::ShownPath(context, folder).string()}, {"made", Json::array()}}};
  const std::array<std::pair<std::string_view, std::string>, 4> files = {{
      {"SKILL.md", SkillFile(NameOf(folder))},
      {".gitignore", std::string(kIgnore)},
      {"_ingest-auto/completed/.gitkeep", std::string()},
      // Last: what makes the folder an oracle.
      {evidence::kConfigFile, std::string(kConfig)},
  }};
  for (const auto& [name, text] : files) {
    if (root.Exists(name)) continue;  // existing files stay
    SIBYL_TRY(root.Write(name, text));
    outcome.data["made"].push_back(name);
  }
  StartRepository(root, outcome);
  return outcome;
}

std::vector<Rule> InitRules() {
  return {{.code = "init/no-git", .meaning = "an oracle without a git repository"}};
}

constexpr Parameter kInitParameters[] = {
    {.name = "dir",
     .value_name = "DIR",
     .help = "the folder to turn into an oracle",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .default_text = "."},
};

}  // namespace

constexpr Operation kInit = {
    .name = "init",
    .summary = "create an oracle",
    .description =
        R"(Turns a folder into an oracle: creates `sibyl.toml` for its sources, `SKILL.md` so that agents can
load it, `_ingest-auto/` for plans and `.gitignore`, and runs `git init` unless the folder is
already in a repository. Existing files are not changed.

  sibyl init gpu-oracle
  cd gpu-oracle && sibyl source add github:NVIDIA/cutlass)",
    .parameters = kInitParameters,
    .effects = {.reads = true, .writes = true},
    .rules = InitRules,
    .run = RunInit,
    .render = RenderInit,
};

}  // namespace sibyl::engine
