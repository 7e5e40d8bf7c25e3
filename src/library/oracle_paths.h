// SPDX-License-Identifier: Apache-2.0
// Which paths of an oracle may be written, and the content of its folders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/root.h"
#include "base/result.h"

namespace sibyl::library {

enum class Wanted : std::uint8_t { kFile, kFolder };

/// Whether `path` in the oracle may be written: relative, without "..", no
/// reserved name, no link on the path, and free or a regular file (or a
/// folder).
Status CheckPath(const Root& oracle, std::string_view path, Wanted wanted = Wanted::kFile);

/// The half of CheckPath that needs no disk.
bool IsPlainPath(std::string_view path);

/// "cuda/INDEX.md"; the name alone in the oracle itself.
std::string InFolder(std::string_view folder, std::string_view name);

/// The Markdown files of a folder by name, without INDEX.md, README.md and
/// SKILL.md, in numerical order. A missing folder has none.
std::vector<std::string> KnowledgeFiles(const Root& oracle, const std::string& folder);

/// Puts the names of knowledge files in the order in which pages show them.
void OrderKnowledge(std::vector<std::string>& names);

/// The folders of the oracle with numbered knowledge files or an INDEX.md,
/// sorted; without hidden ones and those that start with '_'.
std::vector<std::string> TopicFolders(const Root& oracle);

}  // namespace sibyl::library
