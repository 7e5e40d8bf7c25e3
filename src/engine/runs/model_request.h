// SPDX-License-Identifier: Apache-2.0
// The options of operations that may use a model: `expand` and `ask`.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "engine/arguments.h"
#include "engine/operation.h"
#include "expansion/model/model_access.h"

namespace sibyl::engine {

inline constexpr std::string_view kWriters[] = {"extract", "llm"};

inline constexpr Parameter kNoJudgeParameter = {
    .name = "no-judge",
    .help = "with --writer llm: no second opinion on the statements",
    .kind = ParameterKind::kFlag};
inline constexpr Parameter kMaxTokensParameter = {.name = "max-tokens",
                                                  .value_name = "N",
                                                  .help = "maximum tokens for models, in total",
                                                  .type = ValueType::kInteger,
                                                  .minimum = 0,
                                                  .maximum = 1'000'000'000'000};
inline constexpr Parameter kMaxCostParameter = {
    .name = "max-cost",
    .value_name = "AMOUNT",
    .help = "maximum cost of models, at the prices in sibyl.toml"};

/// The same, not offered to agents: it would spend a person's money.
constexpr Parameter PeopleOnly(Parameter parameter) {
  parameter.people_only = true;
  return parameter;
}

/// Nothing when no model writes; then the options for one are an error.
Result<std::optional<expansion::ModelRequest>> ReadModelRequest(const Arguments& arguments);

}  // namespace sibyl::engine
