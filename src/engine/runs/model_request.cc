// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/model_request.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace sibyl::engine {

Result<std::optional<expansion::ModelRequest>> ReadModelRequest(const Arguments& arguments) {
  const bool has_ceiling = arguments.Integer("max-tokens") || arguments.Has("max-cost");
  if (arguments.Text("writer") != "llm") {
    if (!has_ceiling && !arguments.Has("no-judge")) {
      return std::optional<expansion::ModelRequest>();
    }
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--no-judge, --max-tokens and --max-cost need --writer llm"};
  }
  expansion::ModelRequest request{.is_judged = !arguments.Has("no-judge")};
  if (const auto tokens = arguments.Integer("max-tokens")) {
    request.max_tokens = static_cast<std::uint64_t>(*tokens);
  }
  if (arguments.Has("max-cost")) {
    const std::string text(arguments.Text("max-cost"));
    char* end = nullptr;
    request.max_cost = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(*request.max_cost) ||
        *request.max_cost < 0) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = "--max-cost " + text + ": not an amount",
                   .hint = "for example: --max-cost 0.50"};
    }
  }
  return std::optional<expansion::ModelRequest>(request);
}

}  // namespace sibyl::engine
