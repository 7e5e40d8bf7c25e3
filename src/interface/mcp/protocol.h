// SPDX-License-Identifier: Apache-2.0
// The two eras of MCP. Until 2025-11-25 a connection begins with `initialize`
// and remembers what was agreed; from 2026-07-28 on every request says itself
// which protocol it speaks, and nothing is remembered. We speak both on one
// connection: who asks chooses.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "interface/mcp/json_rpc.h"

namespace sibyl::interface {

enum class Era : std::uint8_t { kHandshake, kStateless };

inline constexpr std::string_view kStatelessVersion = "2026-07-28";
inline constexpr std::string_view kNewestHandshakeVersion = "2025-11-25";

inline constexpr std::string_view kVersionMeta = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesMeta = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kServerMeta = "io.modelcontextprotocol/serverInfo";
inline constexpr std::string_view kSkillsExtension = "io.modelcontextprotocol/skills";

/// Of those with a handshake.
bool IsHandshakeVersion(std::string_view version);

/// What `initialize` is answered with: what was asked for where we speak it,
/// else the newest of that era. Never a newer one: such a client could not go on.
std::string_view AgreeOnVersion(std::string_view asked);

/// The protocol that a request names in its _meta; null when it names none.
const Json* VersionOf(const RpcRequest& request);

/// In which era a request is to be answered, or why it cannot be. `has_begun`
/// says whether there was a handshake on this connection.
std::variant<Era, RpcError> EraOf(const RpcRequest& request, bool has_begun);

/// Every method that we answer, and in which era.
struct Method {
  std::string_view name;
  bool in_handshake = true;
  bool in_stateless = true;
  bool is_cacheable = false;  ///< Its result says how long it may be kept.
};
const Method* FindMethod(std::string_view name);

}  // namespace sibyl::interface
