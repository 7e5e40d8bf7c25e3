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

/// Keywords by the name of the file. They are chosen by the writer and are not
/// in the file, so those of the existing table are kept.
using Keywords = std::map<std::string, std::vector<std::string>>;

/// The keywords in an existing index page.
Keywords ReadKeywords(std::string_view index_page);

/// Counts, the table of files and the quick navigation. `pages` in the order of
/// the table.
std::string IndexBlock(const std::vector<KnowledgePage>& pages, const Keywords& keywords);

/// A whole page for a topic that has none.
std::string StarterIndex(std::string_view topic, std::string_view block);

}  // namespace sibyl::library
