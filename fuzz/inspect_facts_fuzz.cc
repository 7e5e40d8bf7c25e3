// SPDX-License-Identifier: Apache-2.0
// sibyl.facts after edits and merges. A parsed file survives writing and parsing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "inspect/fact_book.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::inspect;  // NOLINT: a fuzz target is one file
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto book = FactBook::Parse(input);
  if (!book.ok()) {
    if (book.error().message.empty() || !book.error().place) std::abort();
    return 0;
  }
  const std::string text = book->Format();
  const auto again = FactBook::Parse(text);
  if (!again.ok() || again->size() != book->size() || again->Format() != text) std::abort();
  return 0;
}
