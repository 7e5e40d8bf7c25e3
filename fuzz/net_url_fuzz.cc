// SPDX-License-Identifier: Apache-2.0
// URLs: an accepted one parses to the same again, has no user and no character that
// ends a line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "net/url.h"

namespace {

void Check(const sibyl::Result<sibyl::net::Url>& url) {
  if (!url.ok()) return;
  const std::string text = url->Text();
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= 0x20) std::abort();
  }
  if (url->Origin().find_first_of("@\\?#%") != std::string::npos) std::abort();
  if (url->scheme != "http" && url->scheme != "https") std::abort();
  if (!url->path.starts_with('/') || url->path.find("/../") != std::string::npos) std::abort();
  const auto again = sibyl::net::ParseUrl(text);
  if (!again.ok() || again->Text() != text || again->host != url->host) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Check(sibyl::net::ParseUrl(text));
  const auto base = sibyl::net::ParseUrl("https://a.example:8080/b/c/d?q");
  Check(sibyl::net::ResolveUrl(*base, text));
  return 0;
}
