// SPDX-License-Identifier: Apache-2.0
#include "plan/oracle_files.h"

#include <algorithm>

#include "plan/scan.h"

namespace sibyl::plan {
namespace {

std::string LastComponent(std::string_view path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

bool EndsWithPath(std::string_view longer, std::string_view path) {
  if (!longer.ends_with(path)) return false;
  return longer.size() == path.size() || longer[longer.size() - path.size() - 1] == '/';
}

}  // namespace

std::optional<NumberedPath> ReadNumberedPath(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  const std::string_view file = path.substr(name);
  std::size_t digits = 0;
  while (digits < file.size() && digits < 6 && IsDigit(file[digits])) ++digits;
  if (digits == 0 || digits == file.size() || file[digits] != '-') return std::nullopt;
  NumberedPath numbered{.folder = std::string(path.substr(0, name)), .number = 0, .digits = digits};
  for (const char c : file.substr(0, digits)) {
    numbered.number = numbered.number * 10 + static_cast<std::size_t>(c - '0');
  }
  return numbered;
}

void OracleFiles::Add(std::string_view path) {
  if (!paths_.emplace(path).second) return;
  by_name_[LastComponent(path)].emplace_back(path);
  // A folder exists because a file is in it.
  for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const std::string folder(path.substr(0, slash + 1));
    if (!paths_.insert(folder).second) break;
    by_name_[LastComponent(folder)].push_back(folder);
  }
  if (const std::optional<NumberedPath> numbered = ReadNumberedPath(path)) {
    numbers_[numbered->folder].emplace(numbered->number, path);
  }
}

bool OracleFiles::HasExactly(std::string_view path) const {
  return paths_.contains(std::string(path));
}

bool OracleFiles::Has(std::string_view path) const {
  if (HasExactly(path)) return true;
  const auto same_name = by_name_.find(LastComponent(path));
  if (same_name == by_name_.end()) return false;
  return std::any_of(same_name->second.begin(), same_name->second.end(),
                     [path](const std::string& known) { return EndsWithPath(known, path); });
}

std::string OracleFiles::TakenBy(const NumberedPath& numbered, std::string_view except) const {
  const auto folder = numbers_.find(numbered.folder);
  if (folder == numbers_.end()) return {};
  const auto [first, last] = folder->second.equal_range(numbered.number);
  for (auto taken = first; taken != last; ++taken) {
    if (taken->second != except) return taken->second;
  }
  return {};
}

std::size_t OracleFiles::NextFree(std::string_view folder) const {
  const auto numbers = numbers_.find(std::string(folder));
  if (numbers == numbers_.end() || numbers->second.empty()) return 0;
  return numbers->second.rbegin()->first + 1;
}

}  // namespace sibyl::plan
