// SPDX-License-Identifier: Apache-2.0
// Reads CMakeCache.txt: the settings and search results of a configuration.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sibyl::inspect {

struct CacheEntry {
  std::string key;
  std::string type;  ///< "FILEPATH", "BOOL", ...; "UNINITIALIZED" for a -D without a type.
  std::string value;
  std::size_t line = 0;

  /// A search without a result: "X-NOTFOUND" or "NOTFOUND".
  bool IsNotFound() const;
  /// Found or set.
  bool IsFound() const { return !value.empty() && !IsNotFound(); }
  /// Whether CMake's if() treats it as true.
  bool IsOn() const;
};

struct CMakeCache {
  std::vector<CacheEntry> entries;  ///< Without "-ADVANCED" and similar companion entries.
  std::string build_folder;         ///< As recorded in the cache.
  std::size_t bad_lines = 0;        ///< Neither comment nor entry.
  /// Index of the first entry of each name.
  std::unordered_map<std::string, std::size_t> by_key;

  const CacheEntry* Find(std::string_view key) const;
  /// The value if found or set, else "".
  std::string_view Value(std::string_view key) const;
  bool IsOn(std::string_view key) const;
  bool IsOff(std::string_view key) const;  ///< Present, and not on.
};

/// Never fails: lines that are not entries are counted.
CMakeCache ParseCMakeCache(std::string_view text);

/// Finds set(NAME "value") in the files that CMake keeps about compilers.
std::string FindCMakeSetting(std::string_view text, std::string_view name);

}  // namespace sibyl::inspect
