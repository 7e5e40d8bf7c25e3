// SPDX-License-Identifier: Apache-2.0
#include "index/document_paths.h"

#include <algorithm>

#include "index/document_traits.h"

namespace sibyl::index {

std::vector<std::string_view> PathsOf(const DocumentSource& source, const WorkItem& item) {
  std::vector<std::string_view> paths = {source.key(item.source_item).path};
  for (const std::size_t other : item.other_items) paths.push_back(source.key(other).path);
  if (paths.size() > 1) {
    std::stable_sort(paths.begin(), paths.end(), [](std::string_view a, std::string_view b) {
      return TraitsOf(a, {}, {}).Prior() > TraitsOf(b, {}, {}).Prior();
    });
  }
  return paths;
}

}  // namespace sibyl::index
