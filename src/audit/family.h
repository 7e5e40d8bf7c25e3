// SPDX-License-Identifier: Apache-2.0
// Whether the pinned sources cover the family of a name, so that its absence
// from them is meaningful.
//
// A family has a home: the source that defines its names, not one that merely
// uses them. For well-known libraries the home is identified by a header or a
// document (family_table.h). Otherwise it is learned: a source is the home of
// names that start with TORCH_ if it has many of them and defines most.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/witness.h"
#include "base/mutex.h"
#include "statement/atom.h"

namespace sibyl::audit {

/// The subject of the text around a name.
struct Topic {
  std::vector<bool> names_source;         ///< For each source of the witness: whether it is named.
  std::vector<bool> names_anywhere = {};  ///< Whether the text names it at all.
  std::optional<std::size_t> told_by_names =
      {};                      ///< Which it does not name, but its names are from.
  bool is_cmake = false;       ///< About CMake, or CMake code.
  bool is_cmake_near = false;  ///< Its own paragraph or heading says so.
  bool is_prose = false;       ///< Not a block of code.
  bool is_cuda = false;        ///< CUDA C++ code, or about it.

  /// Whether the text names the source, near or far.
  bool Names(std::size_t source) const {
    return names_source[source] || (source < names_anywhere.size() && names_anywhere[source]);
  }
};

struct Ruling {
  std::optional<std::size_t> home;  ///< Nothing: not decidable here.
  std::string reason;               ///< Why, either way; for --explain.
};

/// Thread-safe; results are cached.
class Families {
 public:
  explicit Families(const Witness& witness) : witness_(witness) {}

  /// For a name without qualifiers that no source has.
  Ruling OfName(std::string_view name, statement::AtomUse use, const Topic& topic) const;

  /// The home of a Python package or a C++ namespace.
  Ruling OfPackage(std::string_view root) const;
  Ruling OfNamespace(std::string_view root) const;

 private:
  Ruling OfUpper(std::string_view name, statement::AtomUse use, const Topic& topic) const;
  Ruling OfFound(std::string_view name, const Topic& topic) const;
  Ruling OfModule(std::string_view name) const;
  Ruling OfCamel(std::string_view name, const Topic& topic) const;
  Ruling OfSnake(std::string_view name, const Topic& topic) const;
  bool HasSuchNames(std::size_t source, std::string_view prefix, std::string_view name) const;
  bool IsOwnWord(std::size_t source, std::string_view prefix) const;
  Ruling Header(std::string_view header, std::string_view prefix, std::string_view name) const;
  Ruling Learn(std::string_view prefix) const;
  Ruling LearnNow(std::string_view prefix) const;

  const Witness& witness_;
  mutable Mutex mutex_;
  mutable std::map<std::string, Ruling, std::less<>> known_ SIBYL_GUARDED_BY(mutex_);
};

/// "CMAKE_CUDA_FLAGS" may be documented as CMAKE_<LANG>_FLAGS: the names under
/// which CMake's help has a variable that is one of many.
std::vector<std::string> TemplateNames(std::string_view name);

}  // namespace sibyl::audit
