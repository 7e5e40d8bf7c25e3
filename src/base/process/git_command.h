// SPDX-License-Identifier: Apache-2.0
// The only way to run git. Oracles are cloned, so git must not search for a
// repository itself: a folder that looks like a bare repository (HEAD, objects,
// refs, config) can be committed into any other repository, and git would apply
// its config, which may name programs to run. Here the repository is found
// first, by its `.git`, which a clone cannot contain, and git is told
// explicitly which one to use.
//
// The user's own `.git/config` and global configuration apply: hooks, filters,
// signing, credential helpers work as for `git commit`. A `.gitattributes` file
// from a clone can name a filter, but only the user's configuration can define
// one.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/process/subprocess.h"
#include "base/result.h"

namespace sibyl {

struct GitRepository {
  std::filesystem::path git_dir;    ///< Absolute; for a linked work tree its own git dir.
  std::filesystem::path work_tree;  ///< Absolute: the folder that contains `.git`.
};

/// The repository whose work tree contains `folder`: the nearest of the folder
/// and its parents, on the same file system, that has a `.git`. It may be a
/// folder, or a file or link that names one (linked work trees, submodules)
/// outside the work tree or inside a real `.git`; a git dir among the tracked
/// files is kUsage. So is a repository that belongs to another user, unless
/// git's safe.directory allows it. Nothing: there is none.
Result<std::optional<GitRepository>> FindGitRepository(const std::filesystem::path& folder);

/// True when a folder is itself laid out as a git dir: HEAD, objects and refs.
bool IsGitDir(const std::filesystem::path& folder);

/// Runs git on that repository, with `folder` (inside its work tree) as the
/// working folder.
Command GitCommand(const GitRepository& repository, const std::filesystem::path& folder,
                   const std::vector<std::string>& arguments);

/// Runs git without a repository, or with one that the arguments name by
/// --git-dir, such as a mirror in our cache.
Command GitCommand(const std::vector<std::string>& arguments);

/// Our environment without the variables that would lead git to another
/// repository, index, object store or program. Identity, dates, ssh, prompts,
/// tracing, TLS and the choice of the user's configuration files are kept.
std::map<std::string, std::string> GitEnvironment();

/// The paths in `folder` (relative to it) that the repository's index has under
/// `name`, ignoring case.
Result<std::vector<std::string>> TrackedBelow(const GitRepository& repository,
                                              const std::filesystem::path& folder,
                                              const std::string& name);

}  // namespace sibyl
