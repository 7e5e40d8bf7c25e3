// SPDX-License-Identifier: Apache-2.0
// Lines of a file, for a hover.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "references/judge.h"
#include "references/repository.h"

namespace sibyl::interface::lsp {

enum class Markup : std::uint8_t { kMarkdown, kPlain };

/// A file at a commit, or now if there is none.
struct ShownFile {
  const references::Repository& files;
  std::string_view commit = {};
};

/// In a fenced block with the language, which nothing in the lines can end. At
/// most 40 lines; empty if there are none.
std::string FencedLines(const ShownFile& from, const references::Target& target, Markup markup);

}  // namespace sibyl::interface::lsp
