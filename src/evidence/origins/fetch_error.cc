// SPDX-License-Identifier: Apache-2.0
#include "evidence/origins/fetch_error.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/strings.h"

namespace sibyl::evidence {

Error NotFetched(std::string_view name, Error error) {
  constexpr std::string_view kFetching = "fetching ";
  const std::size_t colon = error.message.find(": ");
  if (!error.message.starts_with(kFetching) || colon == std::string::npos) {
    return While(fmt::format("source {}", name), std::move(error));
  }
  const std::string address = error.message.substr(kFetching.size(), colon - kFetching.size());
  std::string reason = error.message.substr(colon + 2);
  if (!Contains(reason, address)) reason += fmt::format(" (fetching {})", address);
  error.message = std::move(reason);
  return error;
}

}  // namespace sibyl::evidence
