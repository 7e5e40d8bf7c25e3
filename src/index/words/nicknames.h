// SPDX-License-Identifier: Apache-2.0
// Other spellings of what a text mentions: "ncu" is Nsight Compute. A hand-written table,
// words/nicknames.txt. Unlike the glossary it says what is the same, not what is near.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::index {

struct Nickname {
  std::string_view said_view;                ///< As in the table: words with single blanks.
  std::vector<std::string_view> forms_view;  ///< The others of its group.
};

/// Of the words of a text, in lower case; longer forms first, and none within another.
std::vector<Nickname> FindNicknames(const std::vector<std::string>& words);

/// The same with a table in the format of words/nicknames.txt, which must outlive the result.
std::vector<Nickname> FindNicknames(const std::vector<std::string>& words, std::string_view table);

}  // namespace sibyl::index
