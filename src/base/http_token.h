// SPDX-License-Identifier: Apache-2.0
// Tokens of HTTP (RFC 9110, section 5.6.2): methods and the names of headers.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/ascii.h"

namespace sibyl {

inline bool IsHttpToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return IsAlphanumeric(c) ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

}  // namespace sibyl
