// SPDX-License-Identifier: Apache-2.0
// The language model that an oracle's pages may be written with: the [model]
// table of sibyl.toml. docs/formats/model.md shows it. Keys are not here: they
// come from the environment, and this file is committed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"

namespace sibyl::model {

struct ModelConfig {
  std::string api = "openai";  ///< The protocol: "openai" or "anthropic".
  std::string url;             ///< "http://127.0.0.1:8080/v1"
  std::size_t url_line = 0;    ///< Where the file names it.
  std::string name;            ///< The model's name on the server.
  std::string judge;           ///< The model that judges; the same one when empty.

  // For a million tokens, in the currency of max_cost.
  double input_price = 0;
  double output_price = 0;

  // The budget of one run.
  std::optional<std::int64_t> max_tokens;
  std::optional<double> max_cost;

  std::int64_t max_minutes = 60;
  std::int64_t request_seconds = 300;
  std::int64_t idle_seconds = 60;  ///< Without a byte of the answer.
  std::int64_t tries = 4;
  std::int64_t at_once = 4;

  // Over all workers that share a ledger; 0: no limit.
  std::int64_t parts_at_once = 0;  ///< On this server, of all runs.
  std::int64_t tokens_per_hour = 0;

  std::vector<Finding> findings;  ///< Unknown keys; nothing that stops us.
};

/// The [model] table of a sibyl.toml; the defaults, without an address, when it
/// has none. `file` is the name in complaints.
Result<ModelConfig> ParseModelConfig(std::string_view text, const std::string& file);

}  // namespace sibyl::model
