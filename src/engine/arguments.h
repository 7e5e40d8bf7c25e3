// SPDX-License-Identifier: Apache-2.0
// The arguments of an operation, checked against its row in the table. All
// front ends use this: a wrong number gets the same message on the command line
// and over HTTP.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/operation.h"

namespace sibyl::engine {

/// A value for the parameter of that name. A flag's value is ignored.
struct GivenValue {
  std::string name;
  std::string value;
};

class Arguments {
 public:
  /// Checks names, number, type and presence; the error names the parameter.
  static Result<Arguments> Make(const Operation& operation, std::vector<GivenValue> given);

  /// Reading a name that is not in the row is a bug and aborts.
  bool Has(std::string_view name) const;               ///< True if given; a default does not count.
  std::string_view Text(std::string_view name) const;  ///< The value, the default, or "".
  std::vector<std::string> All(std::string_view name) const;
  std::optional<std::int64_t> Integer(std::string_view name) const;

  const Operation& operation() const { return *operation_; }
  std::span<const GivenValue> given() const { return given_; }

 private:
  explicit Arguments(const Operation& operation, std::vector<GivenValue> given)
      : operation_(&operation), given_(std::move(given)) {}
  const Parameter& Row(std::string_view name) const;

  const Operation* operation_;  ///< A row of a constexpr table; lives for ever.
  std::vector<GivenValue> given_;
};

/// The name of a parameter in messages: "PLAN" or "--output".
std::string ParameterLabel(const Parameter& parameter);

}  // namespace sibyl::engine
