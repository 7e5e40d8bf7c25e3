// SPDX-License-Identifier: Apache-2.0
// INDEX.md of a topic folder: which file answers what.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "library/knowledge_page.h"

namespace sibyl::library {

constexpr std::string_view kIndexFile = "INDEX.md";
constexpr std::string_view kIndexBlock = "files";

/// Keywords by the name of the file. They are a writer's choice and cannot be
/// read from the file, so those of an earlier table are kept.
using Keywords = std::map<std::string, std::vector<std::string>>;

/// The keywords that stand in an index page already.
Keywords ReadKeywords(std::string_view index_page);

/// Counts, the table of files and the quick navigation. `pages` in the order in
/// which they shall stand.
std::string IndexBlock(const std::vector<KnowledgePage>& pages, const Keywords& keywords);

/// A whole page for a topic that has none.
std::string StarterIndex(std::string_view topic, std::string_view block);

}  // namespace sibyl::library
