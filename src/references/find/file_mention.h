// SPDX-License-Identifier: Apache-2.0
// Finds the names of files in a text without markup.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::references {

struct FileMention {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string path;
};

/// Whether the repository has a file by this name: a path, the end of one, a
/// stem ("CHANGELOG"), or a dotted module. May be empty; then only names that
/// look like files count.
using IsKnownFile = std::function<bool(std::string_view name)>;

/// In order, without overlap. Not in URLs.
std::vector<FileMention> FindFileMentions(std::string_view text, const IsKnownFile& is_known);

/// Whether a word looks like the name of a file by its extension or by being
/// Makefile, Dockerfile and the like.
bool LooksLikeFile(std::string_view word);

}  // namespace sibyl::references
