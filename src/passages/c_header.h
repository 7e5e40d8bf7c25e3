// SPDX-License-Identifier: Apache-2.0
// What opens at a brace in C, C++ or CUDA, determined from the words before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sibyl::passages {

enum class BraceKind : std::uint8_t {
  kOther,      ///< An initialiser, a lambda, or unknown.
  kNamespace,  ///< Also extern "C".
  kClass,      ///< class, struct, union.
  kEnum,
  kFunction,
};

struct BraceHeader {
  BraceKind kind = BraceKind::kOther;
  std::string name;              ///< "Foo", "Foo::bar", "TEST(Suite, Case)"; empty for the unnamed.
  bool in_initialisers = false;  ///< A constructor's: "Foo() : a_{" opens a_, not the body.
  std::size_t start =
      0;  ///< Where the definition starts: after macros on separate lines before it.
};

/// `header` is everything since the last boundary, up to the brace.
BraceHeader ReadBraceHeader(std::string_view header);

}  // namespace sibyl::passages
