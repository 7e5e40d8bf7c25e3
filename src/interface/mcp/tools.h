// SPDX-License-Identifier: Apache-2.0
// The rows of the engine's table as tools: names, schemas and annotations are
// read off the row, arguments are read into it. MCP and the HTTP routes share it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "engine/operation.h"
#include "interface/mcp/answer_size.h"
#include "oracle/context.h"

namespace sibyl::interface {

struct OfferedTool {
  std::string name;
  const engine::Operation* operation = nullptr;
  bool is_read_only = false;
  bool is_idempotent = false;
};

/// The offered tools, in the order of the table: every row with a tool name,
/// and those that a person allowed by the name of the operation or its tool.
/// kUsage if one of those does not exist.
Result<std::vector<OfferedTool>> OfferTools(std::span<const std::string> allowed);

const OfferedTool* FindTool(std::span<const OfferedTool> tools, std::string_view name);

/// The entry in tools/list: name, title, description, inputSchema, annotations.
Json ToolAsJson(const OfferedTool& tool);

/// Runs the operation with a client's arguments. Paths must be where the
/// context allows. Returns AnswerAsJson, limited to the size that clients
/// accept; the argument `cursor` continues a paginated answer.
Result<Json> CallTool(const OfferedTool& tool, const Json& arguments,
                      const oracle::Context& context, std::size_t most_bytes = kMostAnswerBytes);

}  // namespace sibyl::interface
