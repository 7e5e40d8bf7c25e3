// SPDX-License-Identifier: Apache-2.0
#include "base/toml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace sibyl {
namespace {

// toml++ limits how deep values nest, but not keys: each dot of a key makes one more
// table, and freeing them recurses. 150,000 overflow the stack.
constexpr std::size_t kMaxDots = 10'000;

/// From the opening quote to after the closing one. What is not closed is an error that
/// toml++ finds, so it does not matter where it ends.
std::size_t EndOfString(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string three(3, quote);
  const bool is_long = text.substr(begin, 3) == three;
  for (std::size_t i = begin + (is_long ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (!is_long && (text[i] == quote || text[i] == '\n')) {
      return i + 1;
    } else if (is_long && text.substr(i, 3) == three) {
      // Up to two quotes before the closing three belong to the string.
      const std::size_t end = std::min(text.find_first_not_of(quote, i), text.size());
      return std::min(end, i + 5);
    }
  }
  return text.size();
}

/// At least the dots between keys; those of numbers are counted too.
std::size_t DotsOutsideStrings(std::string_view text) {
  std::size_t dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == '"' || text[i] == '\'') {
      i = EndOfString(text, i);
    } else {
      if (text[i] == '.') ++dots;
      ++i;
    }
  }
  return dots;
}

// toml++ writes "Error while parsing string: …"; our messages are lower case.
std::string Reworded(std::string_view description) {
  constexpr std::string_view kPrefix = "Error while parsing ";
  if (!description.starts_with(kPrefix)) return std::string(description);
  return fmt::format("invalid {}", description.substr(kPrefix.size()));
}

}  // namespace

Result<toml::table> ParseToml(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTomlBytes) {
    return Error{.kind = ErrorKind::kUsage, .message = "reading " + file + ": it is too long"};
  }
  if (DotsOutsideStrings(text) > kMaxDots) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: its keys have too many dots", file)};
  }
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: {}", file, Reworded(error.description())),
                 .hint = {},
                 .place = Place{.file = file, .line = at.line, .column = at.column}};
  }
}

}  // namespace sibyl
