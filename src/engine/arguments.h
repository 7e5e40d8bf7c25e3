// SPDX-License-Identifier: Apache-2.0
// What an operation was asked with, checked against its row in the table. All
// faces come through here: a wrong number is refused with the same words on the
// command line and over HTTP.
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

/// A value that a face read for the parameter of that name. A flag's value is
/// not looked at.
struct GivenValue {
  std::string name;
  std::string value;
};

class Arguments {
 public:
  /// Checks names, number, type and presence; the error names the parameter.
  static Result<Arguments> Make(const Operation& operation, std::vector<GivenValue> given);

  /// Asking for a name that the row does not have is a mistake in our program
  /// and ends it.
  bool Has(std::string_view name) const;               ///< Given; a default does not count.
  std::string_view Text(std::string_view name) const;  ///< The value, the default, or "".
  std::vector<std::string> All(std::string_view name) const;
  std::optional<std::int64_t> Integer(std::string_view name) const;

 private:
  explicit Arguments(const Operation& operation, std::vector<GivenValue> given)
      : operation_(&operation), given_(std::move(given)) {}
  const Parameter& Row(std::string_view name) const;

  const Operation* operation_;  ///< A row of a constexpr table; lives for ever.
  std::vector<GivenValue> given_;
};

/// How people and errors call a parameter: "PLAN" or "--output".
std::string ParameterLabel(const Parameter& parameter);

}  // namespace sibyl::engine
