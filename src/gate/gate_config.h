// SPDX-License-Identifier: Apache-2.0
// How strict the gate is: the [gate] table of sibyl.toml. docs/formats/gate.md
// shows it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "gate/gate.h"

namespace sibyl::gate {

struct GateConfig {
  double max_undecided = kMaxUndecided;  ///< Of the statements of a draft; 0 to 1.
};

/// The defaults if the file has no such table. `file` is the name in messages.
Result<GateConfig> ParseGateConfig(std::string_view text, const std::string& file);

}  // namespace sibyl::gate
