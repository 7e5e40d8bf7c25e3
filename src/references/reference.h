// SPDX-License-Identifier: Apache-2.0
// Start here: a code citation in a Markdown document, such as `src/scan.cc:120-131`,
// "line 12 of x.py" or a link to a.ts#L10-L20, as the document writes it.
//
// find/find.h finds them, file_tree.h resolves their paths, judge.h compares them
// with the code, and rewrite.h corrects their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/line_span.h"

namespace sibyl::references {

enum class Form : std::uint8_t {
  kColon,      ///< a.rs:12, a.rs:12-20, a.rs:L12, a.rs:12:5
  kBare,       ///< :12 after a file named before
  kWords,      ///< line 12 of a.rs; f(), lines 10–20
  kLetter,     ///< (L12-34), (~L12)
  kLink,       ///< [text](a.rs#L10-L20)
  kPermalink,  ///< https://github.com/o/r/blob/COMMIT/a.rs#L10
  kTable,      ///< A number in a column of line numbers.
  kBracket,    ///< 【F:a.rs†L10-L20】
};

/// "file:N", "bare", "words", …
std::string_view FormName(Form form);

/// A name, a piece of code or a quotation that the cited lines should contain.
struct ClaimedName {
  enum class Kind : std::uint8_t {
    kName,
    kCode,   ///< In code font, more than a name.
    kQuote,  ///< In quotation marks.
    kBlock,  ///< A line of a code block.
  };

  std::string text;  ///< The last part of a qualified name.
  Kind kind = Kind::kName;
  bool in_code = false;
  bool is_call = false;      ///< Followed by parentheses.
  bool is_own = true;        ///< False: it may belong to another citation of the sentence.
  bool is_part = false;      ///< Of a piece of code that is claimed as a whole.
  bool is_asserted = true;   ///< False: "emits no `x`", "add `x`". Its absence proves nothing.
  std::size_t distance = 0;  ///< Bytes between it and the citation.

  bool operator==(const ClaimedName&) const = default;
};

/// What a document says about the cited lines.
struct Claim {
  std::vector<ClaimedName> names;  ///< Nearest first; its own before those of others.
  /// Other citations have the same names before them: some may belong to those.
  bool is_shared = false;
  bool is_list = false;  ///< The citation has several ranges.
  /// The words that lead to the citation, without paths and other citations; at
  /// most 400 bytes.
  std::string prose = {};
  /// What the section says, where nothing is said about this citation; at most
  /// 1,500 bytes.
  std::string section = {};
  /// The heading, and the paragraph or item above a list: "callers of `parse`:"; at
  /// most 600 bytes.
  std::string context = {};

  bool operator==(const Claim&) const = default;
};

/// Bytes [begin, end) of the document with one number in them.
struct NumberPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool is_last = false;  ///< The end of a range.

  bool operator==(const NumberPlace&) const = default;
};

/// One file and one range of lines; "a.rs:12,34" are two.
struct Reference {
  Form form = Form::kColon;
  std::size_t line = 0;   ///< Of the document, where the text begins.
  std::size_t begin = 0;  ///< Bytes of the whole citation.
  std::size_t end = 0;
  std::string text;         ///< As written.
  std::string path;         ///< As written, without line numbers.
  std::string mentioned;    ///< The only path in the document that ends with it; may be empty.
  std::string base;         ///< A folder that the document says its paths start at; may be empty.
  bool is_guessed = false;  ///< The file is the last one cited before; the claim must confirm it.
  std::string symbol;       ///< Of `parse_header:30`: what starts there; may be empty.
  std::string commit;       ///< Of a permalink.
  std::string repository;   ///< Of a permalink: "owner/name".
  LineRange lines;
  std::string_view impossible;       ///< Why no file has such lines; a literal, or empty.
  bool is_approximate = false;       ///< "~120", "around line 120"
  std::vector<NumberPlace> numbers;  ///< Where the range is written, also in a link's URL.
  std::size_t path_begin = 0;        ///< Bytes of the path, if it is part of the text.
  std::size_t path_end = 0;
  Claim claim;
};

}  // namespace sibyl::references
