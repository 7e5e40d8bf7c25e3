// SPDX-License-Identifier: Apache-2.0
// What can be told of code by reading it: the grammar of CMake and Dockerfiles,
// the brackets and literals of C-like languages, JSON. In this process, in one
// pass, and without running anything.
//
// Most code in prose is a fragment. A mistake is only what no text before or
// after the fragment could mend.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::code {

struct SyntaxMistake {
  std::size_t line = 0;  ///< In the code, from one.
  std::string message;
};

/// Commands, arguments, strings, bracket arguments and comments. That every
/// if() has its endif() is asked only of a whole file: one that calls
/// cmake_minimum_required() or project().
std::optional<SyntaxMistake> FindCMakeMistake(std::string_view code);

/// Every logical line begins with an instruction; the nearest one is named.
std::optional<SyntaxMistake> FindDockerfileMistake(std::string_view code);

/// C, C++, CUDA: a bracket closed by one of another kind, a string that its line
/// does not end. Nothing is said of code with lines left out.
std::optional<SyntaxMistake> FindCMistake(std::string_view code);

/// A whole value. Fragments, comments, ellipses and placeholders are no
/// mistakes: then IsJsonText() is false.
std::optional<SyntaxMistake> FindJsonMistake(std::string_view code);

/// Whether the text means to be one JSON value, and nothing but one.
bool IsJsonText(std::string_view code);

/// "..." or "<version>": something stands for what the reader is to put there.
bool HasPlaceholder(std::string_view code);

}  // namespace sibyl::code
