// SPDX-License-Identifier: Apache-2.0
// Escapes external text for Markdown, and computes GitHub's heading anchors.
#pragma once

#include <string>
#include <string_view>

namespace sibyl::draft {

/// Escapes every character that Markdown could interpret. Paired backticks are
/// kept, so that names stay in code font.
std::string Escaped(std::string_view text);

/// A quoted sentence of documentation for the start of a line: links replaced
/// by their text, reStructuredText roles and double backticks in code font, no
/// bold. The words are unchanged.
std::string EscapedQuote(std::string_view text);

/// A heading of a source as plain text.
std::string PlainHeading(std::string_view heading);

/// Escapes a cell of a table, where a bar would end it.
std::string EscapedCell(std::string_view text);

/// In code font, whatever backticks it has itself; bars are escaped.
std::string InCode(std::string_view text);

}  // namespace sibyl::draft
