// SPDX-License-Identifier: Apache-2.0
// The token of a server, and when it is needed for reading.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::interface {

struct ServerToken {
  std::string text;
  bool is_ours = false;  ///< Generated here: nobody knows it unless it is printed.
};

/// SIBYL_TOKEN, or a new one. kUsage if it is too short.
Result<ServerToken> ChooseToken();

/// Whether only this machine reaches a server on that address.
bool IsLoopback(std::string_view address);

/// kUsage if a token of ours would be needed by others, who cannot learn it: the log
/// has no tokens.
Status CheckTokenIsKnown(const ServerToken& token, std::string_view address);

}  // namespace sibyl::interface
