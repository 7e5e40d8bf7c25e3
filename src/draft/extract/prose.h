// SPDX-License-Identifier: Apache-2.0
// Sentences of a source: documentation, comments, docstrings. Each sentence has
// its lines, so that it can be cited alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

struct Sentence {
  std::string text;            ///< One line; white space folded, comment marks removed.
  std::size_t first_line = 0;  ///< In the text it was read from, counted from one.
  std::size_t last_line = 0;
  std::size_t paragraph = 0;
  std::size_t number = 0;  ///< In its paragraph, also counting sentences that are skipped here.
};

/// Only what reads like a sentence: no code that was commented out, no
/// licences, no lists of names, no tables, nothing inside a fence.
std::vector<Sentence> ReadSentences(std::string_view language, std::string_view text);

/// Code in the middle of prose: the lines between two fences of Markdown. Other
/// languages have none, and a fence that is not closed has none.
struct FencedCode {
  std::string language;        ///< From the fence; may be empty.
  std::size_t first_line = 0;  ///< Of the code itself.
  std::size_t last_line = 0;
};
std::vector<FencedCode> ReadFences(std::string_view language, std::string_view text);

/// Whether a sentence explains, rules or warns: that is worth more than one that
/// mentions.
bool Explains(std::string_view text);

/// Whether a sentence can be read without the one before it: it does not start
/// with "This", "Thus" or "Note that".
bool StandsAlone(std::string_view text);

/// Whether the sentence starts with one of the names, as its subject.
bool OpensWithOne(std::string_view text, const std::vector<std::string>& names);

/// Documentation by its language: Markdown, reStructuredText, plain text.
bool IsProseLanguage(std::string_view language);

}  // namespace sibyl::draft
