// SPDX-License-Identifier: Apache-2.0
#include "base/toml_file.h"

#include <fmt/format.h>

namespace sibyl {

Result<toml::table> ParseToml(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTomlBytes) {
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

}  // namespace sibyl
