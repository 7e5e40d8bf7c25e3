// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_findings.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <unordered_set>

#include "base/files.h"
#include "base/strings.h"
#include "evidence/evidence.h"
#include "plan/check.h"
#include "plan/oracle_files.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> OracleOf(const Context& context, const fs::path& plan) {
  if (context.oracle) return context.oracle;
  for (fs::path at = plan; at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() == "_ingest-auto") return at.parent_path();
  }
  return std::nullopt;
}

/// Every file of the oracle but git's and our own. A folder that may not be
/// read has no files; links are not followed, so that none leads in a circle.
plan::OracleFiles ListOracle(const fs::path& oracle) {
  plan::OracleFiles files;
  std::error_code failure;
  fs::recursive_directory_iterator entry(oracle, fs::directory_options::skip_permission_denied,
                                         failure);
  for (const fs::recursive_directory_iterator end; !failure && entry != end;
       entry.increment(failure)) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      if (path.filename() == ".git" || path.filename() == ".sibyl") {
        entry.disable_recursion_pending();
      }
    } else {
      files.Add(path.lexically_relative(oracle).generic_string());
    }
  }
  return files;
}

// "nvidia/cutlass" and "cutlass" for https://github.com/NVIDIA/cutlass pinned
// under whatever name; nothing when the oracle has no pins yet.
std::optional<std::unordered_set<std::string>> PinnedNames(const fs::path& oracle) {
  const Result<std::string> text = ReadFile(oracle / evidence::kLockFile);
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

std::vector<Finding> FindMistakes(const Context& context, const PlanFile& file,
                                  const plan::LoadedPlan& loaded) {
  const std::optional<fs::path> oracle = OracleOf(context, file.path);
  if (!oracle) return plan::Check(loaded, file.name, file.text);
  const plan::OracleFiles files = ListOracle(*oracle);
  const std::optional<std::unordered_set<std::string>> pinned = PinnedNames(*oracle);
  return plan::Check(loaded, file.name, file.text,
                     {.oracle = &files, .pinned = pinned ? &*pinned : nullptr});
}

}  // namespace sibyl::engine
