// SPDX-License-Identifier: Apache-2.0
#include "base/telemetry/trace.h"

#include <fmt/format.h>

#include <random>

#include "base/hex.h"

namespace sibyl {
namespace {

constexpr std::size_t kTraceDigits = 32;
constexpr std::size_t kSpanDigits = 16;
// "00-" trace "-" span "-01"
constexpr std::size_t kLength = 3 + kTraceDigits + 1 + kSpanDigits + 1 + 2;

bool IsId(std::string_view text) {
  return IsLowerHex(text) && text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

std::optional<Trace> ParseTraceparent(std::string_view text) {
  if (text.size() < kLength) return std::nullopt;
  const std::string_view version = text.substr(0, 2);
  if (!IsLowerHex(version) || version == "ff") return std::nullopt;
  const bool has_more = text.size() > kLength;
  if (has_more && (version == "00" || text[kLength] != '-')) return std::nullopt;
  const std::string_view id = text.substr(3, kTraceDigits);
  const std::string_view span = text.substr(3 + kTraceDigits + 1, kSpanDigits);
  const std::string_view flags = text.substr(kLength - 2, 2);
  const bool has_hyphens =
      text[2] == '-' && text[3 + kTraceDigits] == '-' && text[kLength - 3] == '-';
  if (!has_hyphens || !IsId(id) || !IsId(span) || !IsLowerHex(flags)) return std::nullopt;
  constexpr std::string_view kOdd = "13579bdf";  // the last bit is "sampled"
  return Trace{.id = std::string(id),
               .parent = std::string(span),
               .is_sampled = kOdd.find(flags[1]) != std::string_view::npos,
               .is_handed_on = true};
}

std::string FormatTraceparent(const Trace& trace, std::string_view span) {
  return fmt::format("00-{}-{}-{}", trace.id, span, trace.is_sampled ? "01" : "00");
}

// Ids are no secrets; a generator for each thread needs no lock.
std::string NewSpan() {
  thread_local std::mt19937_64 random{std::random_device{}()};
  std::uint64_t number = 0;
  while (number == 0) number = random();
  return fmt::format("{:016x}", number);
}

}  // namespace sibyl
