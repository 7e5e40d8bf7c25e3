// SPDX-License-Identifier: Apache-2.0
// Options, variables and flags with their defaults and meanings, out of the
// places that declare them: option() and cached variables of CMake, arguments
// of Python programs, ARG and ENV of Dockerfiles, environment variables that
// code reads, and the comments in which build scripts list theirs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

struct OptionRow {
  std::string name;
  std::string value;           ///< Its default as written; empty if not given.
  std::string meaning;         ///< In the source's words; may be empty.
  std::size_t first_line = 0;  ///< In the text, counted from one.
  std::size_t last_line = 0;
};

/// In the order of the text; each name once.
std::vector<OptionRow> ReadOptions(std::string_view language, std::string_view text);

}  // namespace sibyl::draft
