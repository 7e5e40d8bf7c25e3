// SPDX-License-Identifier: Apache-2.0
#include "interface/web/server_token.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/process/environment.h"
#include "base/secret.h"

namespace sibyl::interface {

Result<ServerToken> ChooseToken() {
  std::optional<std::string> given = EnvironmentVariable("SIBYL_TOKEN");
  if (given && given->empty()) given.reset();
  constexpr std::size_t kShortest = 16;
  if (given && given->size() >= kShortest) return ServerToken{.text = *given};
  if (given) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("SIBYL_TOKEN has fewer than {} characters", kShortest),
                 .hint = "use a longer one, or unset it to have one generated"};
  }
  std::string made = SIBYL_TRY(RandomHex(kShortest));
  return ServerToken{.text = std::move(made), .is_ours = true};
}

bool IsLoopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

Status CheckTokenIsKnown(const ServerToken& token, std::string_view address) {
  if (!token.is_ours || IsLoopback(address)) return {};
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("serving on {}: other machines need a token to read, and "
                                      "none is set",
                                      address),
               .hint = "set SIBYL_TOKEN to at least 16 characters"};
}

}  // namespace sibyl::interface
