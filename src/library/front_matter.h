// SPDX-License-Identifier: Apache-2.0
// The front matter of a SKILL.md: the little of YAML that Agent Skills use.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::library {

struct FrontMatterField {
  std::string value;  ///< Without its quotes; continued lines are joined with blanks.
  std::map<std::string, std::string> members;  ///< Of a map, which has no value.
  std::size_t line = 0;
  bool is_plain = true;  ///< Neither quoted nor a block ("|" or ">").
};

struct FrontMatter {
  std::map<std::string, FrontMatterField> fields;  ///< Of equal keys, the last.
  std::vector<std::string_view> body;              ///< Lines after it, of the caller's text.
  bool is_whole = false;                           ///< It has a first and a last "---".

  /// Null if there is none.
  const FrontMatterField* Find(const std::string& key) const;
};

/// "key: value" lines, values that continue in indented lines, and maps one
/// level deep. Lines that start with # are comments, except in a block.
FrontMatter ReadFrontMatter(std::string_view text);

}  // namespace sibyl::library
