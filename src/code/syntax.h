// SPDX-License-Identifier: Apache-2.0
// Syntax checks without tools: the grammar of CMake and Dockerfiles, the
// brackets and literals of C-like languages, JSON. In one pass.
//
// Most code in prose is a fragment. Only errors that no text before or after
// the fragment could fix are reported.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::code {

struct SyntaxMistake {
  std::size_t line = 0;  ///< In the code, from one.
  std::string message;
};

/// How much of a file a text is.
enum class Extent : std::uint8_t {
  kUnknown,  ///< A fragment, unless the text shows that it is not.
  kWhole,
};

/// Commands, arguments, strings, escapes, bracket arguments and comments. An
/// argument list or string that swallows the commands after it is not closed.
/// Matching if() and endif() are required only in a whole file: one that calls
/// cmake_minimum_required() or project().
std::optional<SyntaxMistake> FindCMakeMistake(std::string_view code,
                                              Extent extent = Extent::kUnknown);

/// Every logical line must be an instruction with its arguments; the nearest one
/// is suggested. A whole file, which has a directive such as "# syntax=", starts
/// with FROM and closes its here-documents.
std::optional<SyntaxMistake> FindDockerfileMistake(std::string_view code,
                                                   Extent extent = Extent::kUnknown);

/// C, C++, CUDA: a bracket closed by one of another kind, an unterminated
/// string. Code with omitted lines is not checked.
std::optional<SyntaxMistake> FindCMistake(std::string_view code);

/// A whole value. Fragments, comments, ellipses and placeholders are not
/// errors: then IsJsonText() is false.
std::optional<SyntaxMistake> FindJsonMistake(std::string_view code);

/// Whether the text means to be one JSON value, and nothing but one.
bool IsJsonText(std::string_view code);

/// "..." or "<version>": a placeholder for the reader to fill in.
bool HasPlaceholder(std::string_view code);

}  // namespace sibyl::code
