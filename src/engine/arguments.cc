// SPDX-License-Identifier: Apache-2.0
#include "engine/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/nearest_name.h"
#include "base/numbers.h"

namespace sibyl::engine {
namespace {

const Parameter* Find(const Operation& operation, std::string_view name) {
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

Error Usage(std::string message, std::string hint = {}) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message), .hint = std::move(hint)};
}

Status CheckInteger(const Parameter& parameter, std::string_view value) {
  const std::optional<std::int64_t> number = ParseNumber<std::int64_t>(value);
  if (number && *number >= parameter.minimum && *number <= parameter.maximum) return {};
  std::string range;
  if (parameter.minimum != INT64_MIN && parameter.maximum != INT64_MAX) {
    range = fmt::format(" from {} to {}", parameter.minimum, parameter.maximum);
  } else if (parameter.minimum != INT64_MIN) {
    range = fmt::format(" of at least {}", parameter.minimum);
  }
  return Usage(
      fmt::format("{} takes a whole number{}, not '{}'", ParameterLabel(parameter), range, value));
}

Status CheckChoice(const Parameter& parameter, std::string_view value) {
  if (std::ranges::find(parameter.choices, value) != parameter.choices.end()) return {};
  const std::vector<std::string> choices(parameter.choices.begin(), parameter.choices.end());
  const auto nearest = NearestName(value, choices);
  return Usage(fmt::format("invalid value '{}' for {}{}", value, ParameterLabel(parameter),
                           nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""),
               fmt::format("one of {}", fmt::join(parameter.choices, ", ")));
}

Status CheckValue(const Parameter& parameter, std::string_view value) {
  if (parameter.kind == ParameterKind::kFlag) return {};
  switch (parameter.type) {
    case ValueType::kInteger:
      return CheckInteger(parameter, value);
    case ValueType::kChoice:
      return CheckChoice(parameter, value);
    case ValueType::kText:
    case ValueType::kPath:
      break;
  }
  // Usually an empty variable in a script.
  if (value.empty()) return Usage(fmt::format("{} is empty", ParameterLabel(parameter)));
  return {};
}

}  // namespace

std::string ParameterLabel(const Parameter& parameter) {
  if (parameter.kind == ParameterKind::kPositional) return std::string(parameter.value_name);
  return fmt::format("--{}", parameter.name);
}

Result<Arguments> Arguments::Make(const Operation& operation, std::vector<GivenValue> given) {
  for (const GivenValue& value : given) {
    const Parameter* parameter = Find(operation, value.name);
    if (parameter == nullptr) {
      return Usage(fmt::format("unknown parameter '{}' for '{}'", value.name, operation.name));
    }
    SIBYL_TRY(CheckValue(*parameter, value.value));
    const auto times = std::ranges::count(given, value.name, &GivenValue::name);
    if (times > 1 && !parameter->repeated && parameter->kind != ParameterKind::kFlag) {
      return Usage(
          fmt::format("{} is given {} times; give it once", ParameterLabel(*parameter), times));
    }
  }
  for (const Parameter& parameter : operation.parameters) {
    if (parameter.required &&
        std::ranges::find(given, parameter.name, &GivenValue::name) == given.end()) {
      return Usage(fmt::format("missing {}: {}{}", ParameterLabel(parameter), parameter.help,
                               parameter.choices.empty()
                                   ? ""
                                   : fmt::format(": {}", fmt::join(parameter.choices, ", "))));
    }
  }
  return Arguments(operation, std::move(given));
}

const Parameter& Arguments::Row(std::string_view name) const {
  const Parameter* parameter = Find(*operation_, name);
  if (parameter == nullptr) {
    std::fputs(fmt::format("'{}' reads the parameter '{}', which is not in its row of the table\n",
                           operation_->name, name)
                   .c_str(),
               stderr);
    std::abort();
  }
  return *parameter;
}

bool Arguments::Has(std::string_view name) const {
  return std::ranges::find(given_, Row(name).name, &GivenValue::name) != given_.end();
}

std::string_view Arguments::Text(std::string_view name) const {
  const Parameter& parameter = Row(name);
  const auto found = std::ranges::find(given_, parameter.name, &GivenValue::name);
  return found == given_.end() ? parameter.default_text : std::string_view(found->value);
}

std::vector<std::string> Arguments::All(std::string_view name) const {
  const Parameter& parameter = Row(name);
  std::vector<std::string> values;
  for (const GivenValue& value : given_) {
    if (value.name == parameter.name) values.push_back(value.value);
  }
  if (values.empty() && !parameter.default_text.empty()) {
    values.emplace_back(parameter.default_text);
  }
  return values;
}

std::optional<std::int64_t> Arguments::Integer(std::string_view name) const {
  return ParseNumber<std::int64_t>(Text(name));
}

}  // namespace sibyl::engine
