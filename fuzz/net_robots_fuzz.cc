// SPDX-License-Identifier: Apache-2.0
// robots.txt: the first line is the requested path, the rest is the file. Any bytes
// give a result, quickly; robots.txt itself is always allowed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "net/robots.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::size_t end = all.find('\n');
  const std::string_view target = all.substr(0, end);
  const std::string_view file = end == std::string_view::npos ? "" : all.substr(end + 1);
  const auto robots = sibyl::net::Robots::Parse(file, "sibyl");
  static_cast<void>(robots.Allows(target));
  if (!robots.Allows("/robots.txt")) std::abort();
  if (robots.crawl_delay() &&
      (robots.crawl_delay()->count() < 0 || robots.crawl_delay()->count() > 60'000)) {
    std::abort();
  }
  return 0;
}
