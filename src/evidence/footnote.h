// SPDX-License-Identifier: Apache-2.0
// The citation line in a knowledge file: a Markdown footnote definition with a
// link for people and, in an HTML comment, the citation.
//
//   [^p3-7]: gadget [src/a.c#L4-L9](https://…/blob/…/src/a.c#L4-L9) <!-- swh:1:cnt:… -->
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "evidence/citation.h"

namespace sibyl::evidence {

struct Footnote {
  std::string id;     ///< "p3-7": letters, digits, '-', '_' and '.'.
  std::string label;  ///< Source name, page title or artifact path; may be empty.
  Citation citation;
  std::string fragment = {};  ///< Of a page: "#:~:text=…", appended to the link's address.
};

/// One line without its newline.
std::string FormatFootnote(const Footnote& footnote);

/// The id of a definition line ("[^p3-7]: …"); nothing for other lines.
std::optional<std::string_view> FootnoteId(std::string_view line);

/// Parses id and citation of a definition line. The text between them is
/// ignored. kNotFound if the line is not a definition or has no comment, kUsage
/// if the comment is not a citation.
Result<Footnote> ParseFootnote(std::string_view line);

}  // namespace sibyl::evidence
