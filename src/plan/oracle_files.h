// SPDX-License-Identifier: Apache-2.0
// The files of an oracle for plan checks: does a path exist, is a number in
// use, which is free.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace sibyl::plan {

/// "cuda/10-docker.md" parsed; nothing if the name has no number.
struct NumberedPath {
  std::string folder;  ///< "cuda/", or empty.
  std::size_t number = 0;
  std::size_t digits = 0;  ///< How many were written: "08" has two.
};
std::optional<NumberedPath> ReadNumberedPath(std::string_view path);

class OracleFiles {
 public:
  /// `path` is relative to the oracle, with '/' between folders.
  void Add(std::string_view path);

  /// The path as written, or the same path below some folder of the oracle; a
  /// path that ends in '/' is a folder.
  bool Has(std::string_view path) const;
  bool HasExactly(std::string_view path) const;
  /// A file of that folder with that number other than `except`; empty if the
  /// number is free.
  std::string TakenBy(const NumberedPath& numbered, std::string_view except) const;
  std::size_t NextFree(std::string_view folder) const;

 private:
  std::unordered_set<std::string> paths_;
  std::unordered_map<std::string, std::vector<std::string>> by_name_;  // last component
  std::unordered_map<std::string, std::multimap<std::size_t, std::string>> numbers_;
};

}  // namespace sibyl::plan
