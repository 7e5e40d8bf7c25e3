// SPDX-License-Identifier: Apache-2.0
// The two generations of MCP. Until 2025-11-25 a connection starts with
// `initialize` and is stateful; from 2026-07-28 on every request names its
// protocol version, and the server is stateless. Both are supported on one
// connection: the client chooses.
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

/// How the answer of a tool is sent.
enum class AnswerForm : std::uint8_t {
  kStructured,  ///< As structuredContent; the text only says so.
  kText,        ///< As text alone.
};

/// What clients of this version take: revisions before 2025-06-18 have no
/// structured content, and do not name their version over HTTP.
AnswerForm AnswerFormOf(std::string_view version);

/// Whether it is a version with a handshake.
bool IsHandshakeVersion(std::string_view version);

/// The version in the response to `initialize`: the requested one if supported,
/// otherwise the newest of that generation. Never a newer one, which such a
/// client would not support.
std::string_view AgreeOnVersion(std::string_view asked);

/// The protocol that a request names in its _meta; null when it names none.
const Json* VersionOf(const RpcRequest& request);

/// The generation in which to answer a request, or why it cannot be answered.
/// `has_begun`: there was a handshake on this connection.
std::variant<Era, RpcError> EraOf(const RpcRequest& request, bool has_begun);

/// Every method that we answer, and in which era.
struct Method {
  std::string_view name;
  bool in_handshake = true;
  bool in_stateless = true;
  bool is_cacheable = false;  ///< Its result has a time to live.
};
const Method* FindMethod(std::string_view name);

}  // namespace sibyl::interface
