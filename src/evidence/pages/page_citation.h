// SPDX-License-Identifier: Apache-2.0
// Citations of pages: characters of a stored text, and a link that opens the
// page at those words if it still has them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/citation.h"
#include "evidence/source.h"

namespace sibyl::evidence {

struct PageCitation {
  WebCitation citation;
  std::string title;     ///< Of the page; its address when it has none.
  std::string fragment;  ///< "#name:~:text=…" for a browser; may be empty.

  std::string Link() const { return citation.url + fragment; }
};

/// Lines of a page of a pinned source. `characters_before` are the characters
/// before them in the page's text. Nothing if the pin has no page at that path.
std::optional<PageCitation> CitePage(const Pin& pin, std::string_view path,
                                     std::size_t characters_before, std::string_view lines);

/// "#:~:text=start,end": the first and the last visible words of these lines of
/// Markdown; empty if there are none. Only for people, not a proof.
std::string TextFragment(std::string_view lines);

/// `fragment` of lines that begin at `line`, under the nearest heading before
/// them that has a name on the page: "#name:~:text=…". A browser that does not
/// find the words, or does not support this, opens the page there. `anchors`
/// are "LINE NAME", in order.
std::string WithAnchor(std::string fragment, const std::vector<std::string>& anchors,
                       std::size_t line);

/// Code points; a byte that belongs to none counts as one.
std::size_t CountCharacters(std::string_view text);

/// The characters [first, end) of a text; all of it for an end of zero, nothing when
/// the text is shorter.
std::optional<std::string_view> CharactersOf(std::string_view text, std::size_t first,
                                             std::size_t end);

}  // namespace sibyl::evidence
