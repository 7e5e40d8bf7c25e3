// SPDX-License-Identifier: Apache-2.0
// Citations of pages: characters of a stored text, and a link that opens the page at
// those words where it still has them.
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

/// Lines of a page of a pinned source. `characters_before` stand before them in the
/// page's text. Nothing when the pin has no page of that path.
std::optional<PageCitation> CitePage(const Pin& pin, std::string_view path,
                                     std::size_t characters_before, std::string_view lines);

/// "#:~:text=start,end": the first and the last words that people see of these lines
/// of Markdown; empty when there are none. For people to click, and no proof.
std::string TextFragment(std::string_view lines);

/// `fragment` of lines that begin at `line`, under the nearest heading before them that
/// has a name on the page: "#name:~:text=…". A browser that finds the words no more, or
/// does not look for them, opens the page there. `anchors` are "LINE NAME", in order.
std::string WithAnchor(std::string fragment, const std::vector<std::string>& anchors,
                       std::size_t line);

/// Code points; a byte that belongs to none counts as one.
std::size_t CountCharacters(std::string_view text);

/// The characters [first, end) of a text; all of it for an end of zero, nothing when
/// the text is shorter.
std::optional<std::string_view> CharactersOf(std::string_view text, std::size_t first,
                                             std::size_t end);

}  // namespace sibyl::evidence
