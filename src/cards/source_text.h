// SPDX-License-Identifier: Apache-2.0
// Source text without its comments, and the lists and names in it: what the
// readers of definitions share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::cards {

enum class Syntax : std::uint8_t {
  kAny,  ///< "#" and three quotes start comments too; preprocessor lines stay.
  kC,    ///< Preprocessor lines are blank as well.
};

/// The text with the same length, in which comments and the contents of string
/// literals are blank; line ends stay.
std::string WithoutComments(std::string_view text, Syntax syntax = Syntax::kAny);

/// The last name in the text: "c" of "a::b c[".
std::string_view LastName(std::string_view text);

/// Between commas outside of brackets; trimmed, and without empty ones.
std::vector<std::string_view> SplitList(std::string_view list);

}  // namespace sibyl::cards
