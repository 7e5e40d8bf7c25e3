// SPDX-License-Identifier: Apache-2.0
// Whole units of a passage: what can be read alone and answers a question. A
// paragraph with the list, table or code that it introduces; an item of a long
// list with its introduction; an argument of a docstring to its end; an entry
// with its indented text; a comment with the statement below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "draft/answer/question/question.h"

namespace sibyl::draft {

enum class UnitKind : std::uint8_t {
  kText,    ///< Sentences, perhaps with a list.
  kSample,  ///< Sentences with code.
  kTable,
  kCode,  ///< A statement, with its comment if it has one.
};

struct Unit {
  UnitKind kind = UnitKind::kText;
  std::size_t first_line = 0;  ///< In the passage, counted from one.
  std::size_t last_line = 0;
  std::string lead;          ///< The sentence that introduces its list, or the head of its table.
  std::string text;          ///< As shown: without comment marks, except for code.
  bool is_first = false;     ///< The first of its section.
  bool has_comment = false;  ///< Code below its own comment.
};

/// The units of a card's lines: a short one whole; of a long one its opening
/// paragraphs together, then the rest.
std::vector<Unit> ReadCardUnits(std::string_view language, bool is_prose, std::string_view text,
                                Asker asker = Asker::kPerson);

/// In order. `is_prose`: documentation, whatever the language of the file. For a person,
/// "versionadded" goes with the paragraph after it. Takes linear time.
std::vector<Unit> ReadUnits(std::string_view language, bool is_prose, std::string_view text,
                            Asker asker = Asker::kPerson);

}  // namespace sibyl::draft
