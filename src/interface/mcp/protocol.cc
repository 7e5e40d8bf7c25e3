// SPDX-License-Identifier: Apache-2.0
#include "interface/mcp/protocol.h"

#include <algorithm>
#include <array>

namespace sibyl::interface {
namespace {

constexpr std::array<std::string_view, 4> kHandshakeVersions = {
    kNewestHandshakeVersion, "2025-06-18", "2025-03-26", "2024-11-05"};

constexpr Method kMethods[] = {
    {.name = "initialize", .in_stateless = false},
    {.name = "ping", .in_stateless = false},
    {.name = "server/discover", .in_handshake = false, .is_cacheable = true},
    {.name = "tools/list", .is_cacheable = true},
    {.name = "tools/call"},
    {.name = "resources/list", .is_cacheable = true},
    {.name = "resources/templates/list", .is_cacheable = true},
    {.name = "resources/read", .is_cacheable = true},
    {.name = "prompts/list", .is_cacheable = true},
    {.name = "prompts/get"},
    {.name = "skills/list", .is_cacheable = true},
    {.name = "skills/get", .is_cacheable = true},
};

}  // namespace

bool IsHandshakeVersion(std::string_view version) {
  return std::find(kHandshakeVersions.begin(), kHandshakeVersions.end(), version) !=
         kHandshakeVersions.end();
}

std::string_view AgreeOnVersion(std::string_view asked) {
  const auto* found = std::find(kHandshakeVersions.begin(), kHandshakeVersions.end(), asked);
  return found == kHandshakeVersions.end() ? kNewestHandshakeVersion : *found;
}

AnswerForm AnswerFormOf(std::string_view version) {
  constexpr std::string_view kFirstStructured = "2025-06-18";  // versions are dates
  return version >= kFirstStructured ? AnswerForm::kStructured : AnswerForm::kText;
}

const Json* VersionOf(const RpcRequest& request) {
  const auto meta = request.params.find("_meta");
  if (meta == request.params.end() || !meta->is_object()) return nullptr;
  const auto version = meta->find(kVersionMeta);
  return version == meta->end() ? nullptr : &*version;
}

std::variant<Era, RpcError> EraOf(const RpcRequest& request, bool has_begun) {
  if (request.method == "initialize") return Era::kHandshake;
  if (const Json* version = VersionOf(request)) {
    if (!version->is_string()) {
      return RpcError{.code = RpcCode::kInvalidParams,
                      .message = "the protocol version in _meta is not a string"};
    }
    if (*version != kStatelessVersion) {
      return RpcError{
          .code = RpcCode::kUnsupportedVersion,
          .message = "unsupported protocol version",
          .data = {{"supported", Json::array({kStatelessVersion})}, {"requested", *version}}};
    }
    const Json& meta = request.params["_meta"];
    const auto capabilities = meta.find(kCapabilitiesMeta);
    if (capabilities == meta.end() || !capabilities->is_object()) {
      return RpcError{.code = RpcCode::kInvalidParams,
                      .message = std::string(kCapabilitiesMeta) + " is missing from _meta"};
    }
    return Era::kStateless;
  }
  // A sign of life needs no agreement.
  if (has_begun || request.method == "ping") return Era::kHandshake;
  return RpcError{.code = RpcCode::kInvalidParams,
                  .message = "send initialize first, or name the protocol in _meta: " +
                             std::string(kVersionMeta)};
}

const Method* FindMethod(std::string_view name) {
  for (const Method& method : kMethods) {
    if (method.name == name) return &method;
  }
  return nullptr;
}

}  // namespace sibyl::interface
