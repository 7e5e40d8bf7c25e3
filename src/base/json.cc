// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>

namespace sibyl {
namespace {

// Counts depth before the library recurses or allocates: its own parser has no
// limit, and a value of a million brackets would otherwise be built first.
Status CheckDepth(std::string_view text, int max_depth) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_depth) {
        return Error{.kind = ErrorKind::kCorrupt,
                     .message = fmt::format("JSON is nested deeper than {} levels", max_depth)};
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return {};
}

}  // namespace

Result<Json> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("JSON of {} bytes is over the limit of {}", text.size(),
                                        limits.max_bytes)};
  }
  SIBYL_TRY(CheckDepth(text, limits.max_depth));
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("not JSON at byte {}", error.byte)};
  } catch (const Json::exception& error) {  // a number that fits no type
    return Error{.kind = ErrorKind::kCorrupt, .message = fmt::format("not JSON: {}", error.what())};
  }
}

std::string FormatJson(const Json& value, JsonLayout layout) {
  return value.dump(layout == JsonLayout::kIndented ? 2 : -1, ' ', false,
                    Json::error_handler_t::replace);
}

}  // namespace sibyl
