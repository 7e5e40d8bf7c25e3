// SPDX-License-Identifier: Apache-2.0
// Detects the language of a text by its name and its first lines.
#pragma once

#include <cstdint>
#include <string_view>

namespace sibyl::passages {

enum class TextKind : std::uint8_t { kDocumentation, kCode, kTest, kGenerated, kConfiguration };

/// "doc", "code", "test", "generated", "config".
std::string_view TextKindName(TextKind kind);

struct TextTraits {
  std::string_view language;  ///< A literal: "c++", "python", "markdown"…; empty when unknown.
  TextKind kind = TextKind::kCode;
};

/// `text` may be the beginning of the file; a few kilobytes are enough.
TextTraits Classify(std::string_view path, std::string_view text);

}  // namespace sibyl::passages
