// SPDX-License-Identifier: Apache-2.0
// The header fields of a response, and the values that we use. A server can
// send anything: parsers here never fail, they return nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace sibyl::net {

struct Header {
  std::string name;
  std::string value;

  bool operator==(const Header&) const = default;
};

/// In order of arrival; names are case-insensitive.
class Headers {
 public:
  Headers() = default;
  explicit Headers(std::vector<Header> fields) : fields_(std::move(fields)) {}

  void Add(Header header) { fields_.push_back(std::move(header)); }
  void Clear() { fields_.clear(); }

  /// The first field of that name; the view is into this object.
  std::optional<std::string_view> Find(std::string_view name) const;
  const std::vector<Header>& fields() const { return fields_; }

 private:
  std::vector<Header> fields_;
};

/// "Name: value" of one line, without its end; nothing for a line that is not a
/// field. Non-printable bytes become spaces.
std::optional<Header> ParseHeaderLine(std::string_view line);

struct ContentType {
  std::string type;     ///< "text/html", lower case; empty when there is none.
  std::string charset;  ///< Lower case, without quotes; empty if not given.
};
ContentType ParseContentType(std::string_view value);

/// The three forms that HTTP has for a time; nothing for any other.
std::optional<Time> ParseHttpDate(std::string_view value);

/// The time in a Retry-After header: seconds, or a date. Never negative, and
/// never more than a year.
std::optional<std::chrono::seconds> ParseRetryAfter(std::string_view value, Time now);

}  // namespace sibyl::net
