// SPDX-License-Identifier: Apache-2.0
// The pages of the oracle as MCP resources, and the oracle as a skill.
//
//   sibyl://oracle/cuda/16-cupti.md     a page
//   skill://my-oracle/SKILL.md          the same pages, as files of the skill
#pragma once

#include <variant>

#include "base/json.h"
#include "interface/mcp/json_rpc.h"
#include "interface/mcp/protocol.h"
#include "oracle/context.h"

namespace sibyl::interface {

/// A result, or the error to answer with.
using RpcOutcome = std::variant<Json, RpcError>;

/// A hundred at a time; `cursor` in the params continues the list.
RpcOutcome ListResources(const oracle::Context& context, const Json& params);
RpcOutcome ListResourceTemplates();
RpcOutcome ReadResource(const oracle::Context& context, const Json& params, Era era);

/// One skill, or none for an oracle whose SKILL.md names none. Its files carry
/// their digests, so that a host can check every byte.
RpcOutcome ListSkills(const oracle::Context& context);
RpcOutcome GetSkill(const oracle::Context& context, const Json& params);

}  // namespace sibyl::interface
