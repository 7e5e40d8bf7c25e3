// SPDX-License-Identifier: Apache-2.0
// A draft from a journal is parsed or rejected; a parsed one survives writing and
// parsing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "expansion/draft_payload.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view payload(reinterpret_cast<const char*>(data), size);
  const auto draft = sibyl::expansion::ParseDraft(payload);
  if (!draft.ok()) return 0;
  const std::string written = sibyl::expansion::FormatDraft(*draft);
  const auto again = sibyl::expansion::ParseDraft(written);
  if (!again.ok() || sibyl::expansion::FormatDraft(*again) != written) std::abort();
  return 0;
}
