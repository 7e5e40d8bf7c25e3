// SPDX-License-Identifier: Apache-2.0
// A receipt as it stands in a knowledge file: one Markdown footnote line with a
// link for people and, in an HTML comment, the citation for the machine.
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
  std::string fragment = {};  ///< Of a page: "#:~:text=…", behind the link's address.
};

/// One line without its newline.
std::string FormatFootnote(const Footnote& footnote);

/// The id of a definition line ("[^p3-7]: …"); nothing for other lines.
std::optional<std::string_view> FootnoteId(std::string_view line);

/// Reads id and citation of a definition line. People may have written
/// anything between the two; the label is not read back. kNotFound when the
/// line is no definition or holds no comment, kUsage when the comment is no
/// citation.
Result<Footnote> ParseFootnote(std::string_view line);

}  // namespace sibyl::evidence
