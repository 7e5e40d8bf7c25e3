// SPDX-License-Identifier: Apache-2.0
// Completes citations that are being typed: paths after a backtick or a
// parenthesis, symbols and lines after "path:" or "path#".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json.h"
#include "interface/lsp/text_document.h"
#include "references/file_tree.h"
#include "references/repository.h"

namespace sibyl::interface::lsp {

/// What was typed of a citation.
struct TypedCitation {
  std::string path;
  std::string lines;      ///< After the colon or the #.
  char separator = '\0';  ///< ':' or '#', or none yet.
  bool is_link = false;   ///< After "](".
  std::size_t begin = 0;  ///< Of the path, in the line.
};

/// Nothing if the text before the cursor, which is part of one line, is not the
/// beginning of a citation.
std::optional<TypedCitation> ReadTyped(std::string_view before);

/// A path that may be completed to, as it would be written.
struct PathChoice {
  std::string text;      ///< A folder ends with "/".
  bool is_near = false;  ///< Relative to the document.
};

/// The next steps from what was typed, from the root of the repository and from
/// the document, and files of that name anywhere. At most 200.
std::vector<PathChoice> CompletePath(const references::PathList& paths, std::string_view document,
                                     const TypedCitation& typed);

/// A CompletionList for the cursor at `position`.
Json CompletionsAt(const TextDocument& text, const Position& position,
                   const references::Repository& files, std::string_view document);

}  // namespace sibyl::interface::lsp
