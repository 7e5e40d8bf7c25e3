// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/plan_findings.h"

#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>

#include "base/files/root.h"
#include "base/files/root_links.h"
#include "base/strings.h"
#include "evidence/evidence.h"
#include "plan/check.h"
#include "plan/oracle_files.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> OracleOf(const oracle::Context& context, const fs::path& plan) {
  if (context.oracle) return context.oracle;
  if (!context.roots.empty()) return std::nullopt;  // the folder may be above what is allowed
  for (fs::path at = plan; at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() == "_ingest-auto") return at.parent_path();
  }
  return std::nullopt;
}

// "nvidia/cutlass" and "cutlass" for https://github.com/NVIDIA/cutlass pinned
// under whatever name; nothing when the oracle has no pins yet.
std::optional<std::unordered_set<std::string>> PinnedNames(const Root& oracle) {
  const Result<std::string> text =
      oracle.Read(evidence::kLockFile, {.max_bytes = evidence::kMaxLockBytes});
  if (!text.ok()) return std::nullopt;
  const Result<evidence::Lock> lock = evidence::ParseLock(*text);
  if (!lock.ok()) return std::nullopt;  // 'source list' says what is wrong with it
  std::unordered_set<std::string> names;
  for (const evidence::Pin& pin : lock->pins) {
    names.insert(LowerCase(pin.name));
    std::string origin = LowerCase(pin.origin);
    if (origin.ends_with(".git")) origin.resize(origin.size() - 4);
    const std::size_t name = origin.rfind('/');
    if (name == std::string::npos || name == 0) continue;
    const std::size_t owner = origin.find_last_of("/:", name - 1);
    names.insert(origin.substr(name + 1));
    if (owner != std::string::npos) names.insert(origin.substr(owner + 1));
  }
  return names;
}

}  // namespace

std::vector<Finding> FindMistakes(const oracle::Context& context, const oracle::PlanFile& file,
                                  const plan::LoadedPlan& loaded) {
  const std::optional<fs::path> oracle = OracleOf(context, file.path);
  if (!oracle) return plan::Check(loaded, file.name, file.text);
  const Result<Root> root = Root::Open(*oracle);
  if (!root.ok()) return plan::Check(loaded, file.name, file.text);
  const Result<Walked> walked =
      root->Walk(".", {.enters = [](std::string_view path) { return !IsPrivatePath(path); }});
  plan::OracleFiles files;
  if (walked.ok()) {
    for (const RootEntry& entry : walked->entries) files.Add(entry.name);
  }
  const std::optional<std::unordered_set<std::string>> pinned = PinnedNames(*root);
  std::vector<Finding> findings = plan::Check(
      loaded, file.name, file.text, {.oracle = &files, .pinned = pinned ? &*pinned : nullptr});
  if (!walked.ok() || walked->is_cut) {
    findings.push_back(
        {.severity = Severity::kWarning,
         .code = "struct/unread",
         .message = "the oracle has too many files to list; names in use may be missed",
         .place = {.file = file.name}});
  }
  return findings;
}

}  // namespace sibyl::engine
