// SPDX-License-Identifier: Apache-2.0
#include "git/tree_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "git/tree.h"

namespace sibyl::git {
namespace {

struct Child {
  std::uint32_t mode = 0;
  ObjectId id;
};

// Git sorts a folder as if its name ended in a slash.
using Children = std::map<std::string, Child>;

std::string SortName(std::string_view name, std::uint32_t mode) {
  std::string key(name);
  if (mode == kModeFolder) key += '/';
  return key;
}

std::string FormatTree(const Children& children) {
  std::string bytes;
  for (const auto& [key, child] : children) {
    const bool folder = child.mode == kModeFolder;
    bytes += fmt::format("{:o} ", child.mode);
    bytes += std::string_view(key).substr(0, key.size() - (folder ? 1 : 0));
    bytes += '\0';
    bytes.append(reinterpret_cast<const char*>(child.id.bytes.data()), ObjectId::kBytes);
  }
  return bytes;
}

}  // namespace

Result<ObjectId> WriteTrees(std::span<const TreeFile> files, PackWriter& writer) {
  // All folders by path, the deepest written first: a parent needs its
  // children's ids. Keyed by depth, so that no recursion follows the paths.
  std::map<std::pair<std::size_t, std::string>, Children> folders;
  const auto depth_of = [](std::string_view path) {
    return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
  };
  folders[{0, ""}];
  for (const TreeFile& file : files) {
    const std::size_t slash = file.path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : file.path.substr(0, slash);
    const std::size_t depth = folder.empty() ? 0 : depth_of(folder) + 1;
    const std::string name = slash == std::string::npos ? file.path : file.path.substr(slash + 1);
    folders[{depth, folder}][SortName(name, file.mode)] = {file.mode, file.id};
  }
  Deflater deflater;
  while (true) {
    const auto deepest = std::prev(folders.end());
    const std::size_t depth = deepest->first.first;
    const std::string path = deepest->first.second;
    const PackedObject tree = PackObject(ObjectType::kTree, FormatTree(deepest->second), deflater);
    SIBYL_TRY(writer.Add(tree));
    if (depth == 0) return tree.id;
    folders.erase(deepest);
    const std::size_t slash = path.rfind('/');
    const std::string parent = slash == std::string::npos ? "" : path.substr(0, slash);
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    folders[{depth - 1, parent}][SortName(name, kModeFolder)] = {kModeFolder, tree.id};
  }
}

}  // namespace sibyl::git
