// SPDX-License-Identifier: Apache-2.0
#include "evidence/toml_file.h"

#include <fmt/format.h>

#include "evidence/config.h"

namespace sibyl::evidence {

Result<toml::table> ParseToml(std::string_view text, const std::string& file) {
  if (text.size() > kMaxConfigBytes) {
    return Error{.kind = ErrorKind::kUsage, .message = "reading " + file + ": it is too long"};
  }
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: {}", file, error.description()),
                 .hint = {},
                 .place = Place{.file = file, .line = at.line, .column = at.column}};
  }
}

}  // namespace sibyl::evidence
