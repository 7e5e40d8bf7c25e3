// SPDX-License-Identifier: Apache-2.0
// Access control: a web page must not reach a server on loopback, neither under
// a name that its author controls (DNS rebinding) nor by a request from the
// user's browser, and operations that write need the token. Decided from the
// head of a request.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interface/web/http_message.h"

namespace sibyl::interface {

struct GuardOptions {
  std::string address;  ///< What the server listens on.
  std::uint16_t port = 0;
  std::vector<std::string> names;  ///< Names of this server beside the address.
  std::string token;
  /// If other machines can reach the server, reading needs the token too.
  bool reads_need_token = false;
  /// Requests may name any host. Only where reading needs the token, which no page that
  /// reached the server under a name of its own could send.
  bool takes_any_host = false;
};

enum class Access : std::uint8_t {
  kForbidden,   ///< A foreign Host or Origin.
  kCrossSite,   ///< A browser reports a request by another site's page.
  kWrongToken,  ///< A wrong token, or none where one is required.
  kReads,
  kWrites,
};

Access AccessOf(const HttpRequest& request, const GuardOptions& options);

/// Whether "name", "name:8080" or "[::1]:8080" is this server.
bool IsOurHost(std::string_view host, const GuardOptions& options);

}  // namespace sibyl::interface
