// SPDX-License-Identifier: Apache-2.0
#include "expansion/agent_lease.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <system_error>

#include "base/secret.h"

namespace sibyl::expansion {
namespace {

constexpr std::size_t kHashDigits = 32;

Error NotALease() {
  return {.kind = ErrorKind::kUsage,
          .message = "not a lease of this oracle",
          .hint = "copy the lease that claim_part returned, unchanged"};
}

std::string HashOf(const runner::Ledger& ledger, std::string_view named) {
  return ledger.SignLease(named).substr(0, kHashDigits);
}

}  // namespace

std::string FormatLease(const runner::Ledger& ledger, const AgentLease& lease) {
  const std::string named =
      fmt::format("{}-{}-{}", lease.run, lease.lease.place, lease.lease.token);
  return fmt::format("{}-{}", named, HashOf(ledger, named));
}

Result<AgentLease> ParseLease(const runner::Ledger& ledger, std::string_view word) {
  constexpr std::size_t kLongest = 200;
  const std::size_t end = word.rfind('-');
  if (end == std::string_view::npos || word.size() > kLongest) return NotALease();
  const std::string_view named = word.substr(0, end);
  if (!EqualInConstantTime(word.substr(end + 1), HashOf(ledger, named))) return NotALease();
  std::array<std::int64_t, 3> numbers{};
  const char* at = named.data();
  const char* stop = named.data() + named.size();
  for (std::int64_t& number : numbers) {
    const auto [after, failure] = std::from_chars(at, stop, number);
    if (failure != std::errc() || number < 0) return NotALease();
    at = after + (after != stop ? 1 : 0);
  }
  return AgentLease{.run = numbers[0],
                    .lease = {.place = static_cast<std::size_t>(numbers[1]), .token = numbers[2]}};
}

}  // namespace sibyl::expansion
