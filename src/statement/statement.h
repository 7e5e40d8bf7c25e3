// SPDX-License-Identifier: Apache-2.0
// Splits Markdown into statements, each with its place, its words, its code
// spans, and its citations.
//
// A statement is the smallest unit that can pass or fail: a sentence, a list
// item, a table cell, a code block, a quotation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/markdown/markdown.h"
#include "base/result.h"

namespace sibyl::statement {

enum class StatementKind : std::uint8_t {
  kSentence,
  kItem,     ///< A sentence in an item of a list.
  kCell,     ///< Of a table; its row is `row`.
  kHeading,  ///< A title.
  kCode,     ///< A fenced or indented block.
  kQuote,    ///< A paragraph of a block quote.
  kColumn,   ///< A cell of the header of a table.
  // Of Statements::asides.
  kAlt,          ///< The text of an image.
  kTitle,        ///< The title of a link, an image or a link definition.
  kNote,         ///< The words of a footnote definition; `citations` has its label.
  kCodeComment,  ///< A comment or a line of prose in a fence marked `example`.
  kHtml,         ///< The words of raw HTML; may be empty.
  kHtmlComment,
  kStruck,      ///< Struck-out words, which are in their sentence as well.
  kDefinition,  ///< A link definition that nothing uses.
  kFrontMatter,
};

/// A range of a statement's text that is contiguous in the source.
struct TextRun {
  std::size_t begin = 0;  ///< In Statement::text.
  std::size_t end = 0;
  std::size_t source_begin = 0;  ///< Of its first byte in the source.
  /// False: the source writes it in another way (an entity, an escape), and
  /// source_begin is that of the whole run.
  bool is_exact = true;
  bool is_code = false;
};

struct StatementLink {
  std::string url;
  std::string text;
  MarkdownSpan span;
  bool is_image = false;
};

struct Statement {
  StatementKind kind = StatementKind::kSentence;
  /// As a reader sees it: code without ticks, links by their text, no HTML and
  /// no footnote marks; characters in their plain form (plain_character.h), and
  /// formulas without their commands. Quotations and code as they are written.
  std::string text;
  std::vector<TextRun> runs;  ///< In order, with breaks between them.
  MarkdownSpan span;
  std::vector<std::string> citations;  ///< Labels of footnotes, in order.
  std::vector<std::size_t> marks;      ///< Of a sentence: where they are in its text.
  std::vector<StatementLink> links;
  std::string info;           ///< Of a code block: all that follows the fence.
  std::uint32_t heading = 0;  ///< Into Statements::headings; 0 is none.
  std::uint32_t group = 0;    ///< Same for the statements of one paragraph, item or row.
  /// A clause after a semicolon or a dash: the sentence of the statement before
  /// goes on, but its citation is behind it.
  bool is_clause = false;
  /// Of a cell: the header of its column and the first cell, the first 512 bytes
  /// of each.
  std::vector<std::string> context;

  bool IsProse() const { return kind != StatementKind::kCode; }
};

struct SectionHeading {
  std::string text;
  int level = 0;
  std::size_t line = 0;
  std::uint32_t parent = 0;  ///< 0 is none.
};

struct FootnoteText {
  std::string line;  ///< The whole first line of the definition.
  std::size_t line_number = 0;
  std::size_t uses = 0;
};

struct Statements {
  std::vector<Statement> all;  ///< In the order of the text.
  /// What else a reader can see, or a writer can hide. In the order of the text.
  std::vector<Statement> asides;
  std::vector<SectionHeading> headings;  ///< The first means "before any heading".
  std::map<std::string, FootnoteText, std::less<>> footnotes;
  std::vector<std::size_t> line_starts;  ///< Where each line of the source starts.
};

/// Splits a text. Fails only if it exceeds the limits of the parser.
Result<Statements> ReadStatements(std::string_view source);

/// The source byte of a byte of the statement's text; the start of its run if
/// it is written differently there.
std::size_t SourceOffset(const Statement& statement, std::size_t text_offset);

/// The run that contains a byte of the text; null between runs.
const TextRun* RunAt(const Statement& statement, std::size_t text_offset);

/// Whether the byte of the text is written as code.
bool IsCodeAt(const Statement& statement, std::size_t text_offset);

}  // namespace sibyl::statement
