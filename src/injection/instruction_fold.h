// SPDX-License-Identifier: Apache-2.0
// Normalises text to what a reader sees: without invisible characters, with
// look-alike letters replaced. Prompt injections are obfuscated in these ways
// to defeat a search for their words.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::injection {

struct FoldedText {
  /// ASCII for all Latin letters, lower case for Cyrillic. It has the same lines
  /// as the original.
  std::string text;
  std::size_t hidden = 0;    ///< Characters without width between two letters.
  std::size_t mixed = 0;     ///< Words of Latin and of look-alike letters.
  std::size_t styled = 0;    ///< Full-width, mathematical or circled letters.
  std::size_t entities = 0;  ///< ASCII letters written as numeric HTML entities.
  std::size_t spaced = 0;    ///< Words written with a blank after each letter.
  /// The lines, from zero, with tag characters, which spell text invisibly, or with
  /// a control that overrides the direction of text. No ordinary text has them.
  std::vector<std::size_t> hidden_lines;
};

FoldedText FoldText(std::string_view text);

/// Whether folding can change anything but case: false for most ASCII text.
bool NeedsFolding(std::string_view text);

}  // namespace sibyl::injection
