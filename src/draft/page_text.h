// SPDX-License-Identifier: Apache-2.0
// Foreign words as Markdown that shows them as they are, and the names that
// GitHub gives to headings.
#pragma once

#include <string>
#include <string_view>

namespace sibyl::draft {

/// Every character that Markdown could take for a mark is escaped. Pairs of
/// backticks stay when `text` has them in pairs: names in code font are read
/// better, and the words are the same.
std::string Escaped(std::string_view text);

/// A quoted sentence of documentation, to stand at the beginning of a line:
/// links by their text, roles and double backticks of reStructuredText in code
/// font, no bold. The words stay as they are.
std::string EscapedQuote(std::string_view text);

/// A heading of a source as plain words.
std::string PlainHeading(std::string_view heading);

/// The same for a cell of a table, where a bar would end it.
std::string EscapedCell(std::string_view text);

/// In code font, whatever backticks it has itself; bars are escaped.
std::string InCode(std::string_view text);

/// "11-detection-order" of "1.1 Detection order".
std::string Anchor(std::string_view heading);

/// "Detection order" of "1.1 Detection order".
std::string_view WithoutNumber(std::string_view heading);

}  // namespace sibyl::draft
