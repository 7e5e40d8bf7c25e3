// SPDX-License-Identifier: Apache-2.0
// Any bytes as a WARC file: records or an error, never more than was there, and what
// was read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "page/warc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  sibyl::page::WarcReader reader(bytes);
  std::size_t read_bytes = 0;
  while (true) {
    const auto record = reader.Next();
    if (!record.ok() || !*record) break;
    read_bytes += (*record)->block.size();
    if (read_bytes > bytes.size()) std::abort();
    const std::string written = sibyl::page::FormatWarcRecord(**record);
    sibyl::page::WarcReader again(written);
    const auto back = again.Next();
    if (!back.ok() || !*back || (*back)->block != (*record)->block) std::abort();
    const auto message = sibyl::page::ParseHttpMessage((*record)->block);
    if (message.ok() && message->body.size() > (*record)->block.size()) std::abort();
  }
  sibyl::page::ParseWarcFields(bytes);
  return 0;
}
