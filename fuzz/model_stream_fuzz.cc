// SPDX-License-Identifier: Apache-2.0
// What the server of a model sends: read in one piece and byte by byte, the
// answer must be the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/protocol.h"

namespace {

sibyl::Result<sibyl::model::Answer> Read(sibyl::model::Protocol protocol, std::string_view bytes,
                                         std::size_t step) {
  sibyl::model::AnswerReader reader(protocol);
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    const sibyl::Status taken = reader.Feed(bytes.substr(at, step));
    if (!taken.ok()) return taken.error();
  }
  return reader.Finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto protocol =
      data[0] % 2 == 0 ? sibyl::model::Protocol::kOpenAi : sibyl::model::Protocol::kAnthropic;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = Read(protocol, bytes, size);
  const auto pieces = Read(protocol, bytes, 1);
  if (whole.ok() != pieces.ok()) std::abort();
  if (whole.ok() && whole->text != pieces->text) std::abort();
  (void)sibyl::model::ErrorText(bytes);
  return 0;
}
