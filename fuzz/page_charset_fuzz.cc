// SPDX-License-Identifier: Apache-2.0
// The first line is a Content-Type, the rest the bytes of a page: always valid UTF-8.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "page/charset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(input.find('\n'), input.size());
  const std::string_view bytes = input.substr(std::min(line + 1, input.size()));
  const sibyl::page::Decoded decoded = sibyl::page::DecodeCharset(bytes, input.substr(0, line));
  if (sibyl::FindInvalidUtf8(decoded.text)) std::abort();
  if (decoded.text.find('\0') != std::string_view::npos) std::abort();
  if (decoded.charset.empty()) std::abort();
  return 0;
}
