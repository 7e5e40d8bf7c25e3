// SPDX-License-Identifier: Apache-2.0
// The header of a definition, before its body: kind, name, parameters and
// bases. Comments were removed before (WithoutComments, cards/source_text.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "cards/definition.h"

namespace sibyl::cards {

/// "template <int n> int f(int x = 4) const", "class A : public B": without its
/// brace. Nothing if it is something else: "if (x)", "do", "int x[] =".
std::optional<Definition> ReadHeader(std::string_view header);

struct IndentedHeader {
  Definition definition;
  std::size_t end = 0;  ///< After its colon.
};

/// "def f(x=4):" and "class A(B):" at `at`.
std::optional<IndentedHeader> ReadIndentedHeader(std::string_view code, std::size_t at);

/// The function that is called with the parenthesis at `open`: `f` of `a::f<4>(`;
/// empty for "if (", "sizeof (" and the like.
std::string_view NameOfCall(std::string_view code, std::size_t open);

std::string_view NameAtStart(std::string_view text);

/// `depth` of "std::size_t depth = 4", "int depth[4]"; empty if it has none.
std::string_view FieldName(std::string_view statement);

}  // namespace sibyl::cards
