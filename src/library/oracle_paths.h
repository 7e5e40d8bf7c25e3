// SPDX-License-Identifier: Apache-2.0
// Which paths of an oracle may be written, and what is in its folders.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sibyl::library {

/// `path` as a place in the oracle that we may write: relative, without "..",
/// not in .git or .sibyl, and not through a link that leads out.
Result<std::filesystem::path> SafePath(const std::filesystem::path& oracle, std::string_view path);

/// "cuda/INDEX.md"; the name alone in the oracle itself.
std::string InFolder(std::string_view folder, std::string_view name);

/// The Markdown files of a folder by name, INDEX.md, README.md and SKILL.md
/// left out, numbers in their order. A folder that is not there has none.
std::vector<std::string> KnowledgeFiles(const std::filesystem::path& folder);

/// Puts the names of knowledge files in the order in which pages show them.
void OrderKnowledge(std::vector<std::string>& names);

/// The folders below the oracle that hold numbered knowledge files or an
/// INDEX.md, sorted; hidden ones and those that begin with '_' left out.
std::vector<std::string> TopicFolders(const std::filesystem::path& oracle);

}  // namespace sibyl::library
