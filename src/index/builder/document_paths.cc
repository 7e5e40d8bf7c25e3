// SPDX-License-Identifier: Apache-2.0
#include "index/builder/document_paths.h"

#include <algorithm>
#include <utility>

#include "index/document_traits.h"

namespace sibyl::index {

std::vector<std::string_view> PathsOf(const DocumentSource& source, const WorkItem& item) {
  if (item.other_items.empty()) return {source.key(item.source_item).path};
  // An empty file may have thousands of paths.
  std::vector<std::pair<float, std::string_view>> paths;
  paths.reserve(item.other_items.size() + 1);
  const auto add = [&](std::string_view path) {
    paths.emplace_back(TraitsOf(path, {}, {}).Prior(), path);
  };
  add(source.key(item.source_item).path);
  for (const std::size_t other : item.other_items) add(source.key(other).path);
  std::stable_sort(paths.begin(), paths.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string_view> sorted;
  sorted.reserve(paths.size());
  for (const auto& [prior, path] : paths) sorted.push_back(path);
  return sorted;
}

}  // namespace sibyl::index
