// SPDX-License-Identifier: Apache-2.0
#include "net/budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sibyl::net {
namespace {

namespace chrono = std::chrono;

Error Spent(const std::string& what, const char* option) {
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("the network budget is used up ({})", what),
               .hint = fmt::format("allow more with --{}", option),
               .cause = ErrorCause::kBudgetSpent};
}

}  // namespace

Budget::Budget(const Allowance& allowance, const Stopwatch& stopwatch)
    : allowance_(allowance), stopwatch_(stopwatch), began_(stopwatch.Read()) {}

Status Budget::TakeRequest() {
  if (const auto left = TimeLeft(); left && *left <= chrono::milliseconds(0)) {
    return Spent(fmt::format("{} seconds", allowance_.time->count() / 1000), "max-minutes");
  }
  if (allowance_.bytes && bytes_.load() >= *allowance_.bytes) {
    return Spent(fmt::format("{} bytes", *allowance_.bytes), "max-mb");
  }
  std::uint64_t taken = requests_.load();
  do {
    if (allowance_.requests && taken >= *allowance_.requests) {
      return Spent(fmt::format("{} requests", *allowance_.requests), "max-requests");
    }
  } while (!requests_.compare_exchange_weak(taken, taken + 1));
  return {};
}

Status Budget::TakeBytes(std::uint64_t bytes) {
  const std::uint64_t sum = bytes_.fetch_add(bytes) + bytes;
  if (allowance_.bytes && sum > *allowance_.bytes) {
    return Spent(fmt::format("{} bytes", *allowance_.bytes), "max-mb");
  }
  return {};
}

std::optional<chrono::milliseconds> Budget::TimeLeft() const {
  if (!allowance_.time) return std::nullopt;
  return std::max(*allowance_.time - (stopwatch_.Read() - began_), chrono::milliseconds(0));
}

}  // namespace sibyl::net
