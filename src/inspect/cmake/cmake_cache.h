// SPDX-License-Identifier: Apache-2.0
// CMakeCache.txt as CMake writes it: what a configuration was told and found.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace sibyl::inspect {

struct CacheEntry {
  std::string key;
  std::string type;  ///< "FILEPATH", "BOOL", ...; "UNINITIALIZED" for a -D without one.
  std::string value;
  std::size_t line = 0;

  /// A search that found nothing: "X-NOTFOUND" or "NOTFOUND".
  bool IsNotFound() const;
  /// Something was found or set.
  bool IsFound() const { return !value.empty() && !IsNotFound(); }
  /// What CMake's if() takes for true.
  bool IsOn() const;
};

struct CMakeCache {
  std::vector<CacheEntry> entries;  ///< Without the "-ADVANCED" and such companions.
  std::string build_folder;         ///< As the cache itself says.
  std::size_t bad_lines = 0;        ///< That are neither comment nor entry.
  /// Index of the first entry of each name.
  std::unordered_map<std::string, std::size_t> by_key;

  const CacheEntry* Find(std::string_view key) const;
  /// The value when it is found or set, else "".
  std::string_view Value(std::string_view key) const;
  bool IsOn(std::string_view key) const;
  bool IsOff(std::string_view key) const;  ///< There, and not on.
};

/// Never fails: what is no entry is counted.
CMakeCache ParseCMakeCache(std::string_view text);

/// set(NAME "value") lines of the files CMake keeps about compilers.
std::string FindCMakeSetting(std::string_view text, std::string_view name);

}  // namespace sibyl::inspect
