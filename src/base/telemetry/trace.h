// SPDX-License-Identifier: Apache-2.0
// Trace ids as W3C Trace Context has them: one trace for a run, one span for each
// request. docs/decisions/0194 says when they are handed on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl {

struct Trace {
  std::string id;      ///< 32 lower-case hexadecimal digits.
  std::string parent;  ///< The span of the caller, 16 digits; empty: there is none.
  bool is_sampled = true;
  /// Whether servers that are asked in this trace are told its id. Otherwise only
  /// logs have it.
  bool is_handed_on = false;
};

/// The value of a traceparent header. nullopt if it is not valid, of version ff, or
/// has an id of zeros; a later version is read as far as this one goes.
std::optional<Trace> ParseTraceparent(std::string_view text);

/// "00-<trace>-<span>-01"
std::string FormatTraceparent(const Trace& trace, std::string_view span);

/// 16 random digits, not all zero.
std::string NewSpan();

}  // namespace sibyl
