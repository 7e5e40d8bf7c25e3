// SPDX-License-Identifier: Apache-2.0
// Character references: "&amp;", "&#x2014;". Each gives at most four bytes and
// none is expanded again, so no page can make a long text out of a short one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sibyl::page {

/// Appends the character for the reference at the start of `text`, a '&', and
/// returns the bytes consumed; zero if it is not a reference.
std::size_t DecodeEntity(std::string_view text, std::string& out);

/// All references of a text decoded.
std::string DecodeEntities(std::string_view text);

}  // namespace sibyl::page
