// SPDX-License-Identifier: Apache-2.0
#include "field/architecture.h"

#include <fmt/format.h>

#include <charconv>

namespace sibyl::field {

std::string Format(const Architecture& architecture, std::string_view prefix) {
  std::string text = fmt::format("{}{}", prefix, architecture.number);
  if (architecture.suffix != '\0') text += architecture.suffix;
  return text;
}

std::optional<Architecture> ParseArchitecture(std::string_view text) {
  for (const std::string_view prefix : {"sm_", "compute_", "lto_"}) {
    if (text.starts_with(prefix)) {
      text.remove_prefix(prefix.size());
      break;
    }
  }
  Architecture architecture;
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, architecture.number);
  if (error != std::errc() || architecture.number > 9999) return std::nullopt;
  if (at != end && *at == '.') {
    std::uint32_t minor = 0;
    const auto [after, wrong] = std::from_chars(at + 1, end, minor);
    if (wrong != std::errc() || minor > 9) return std::nullopt;
    architecture.number = architecture.number * 10 + minor;
    at = after;
  }
  if (at != end && (*at == 'a' || *at == 'f')) architecture.suffix = *at++;
  if (at != end || architecture.number < 10) return std::nullopt;
  return architecture;
}

}  // namespace sibyl::field
