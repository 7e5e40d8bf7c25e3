// SPDX-License-Identifier: Apache-2.0
#include "base/secret.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>

#include "base/hash.h"
#include "base/os_error.h"

namespace sibyl {

Result<std::string> RandomHex(std::size_t bytes) {
  std::string raw(bytes, '\0');
  for (std::size_t have = 0; have < bytes;) {
    const ssize_t got = ::getrandom(raw.data() + have, bytes - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return OsError("asking the kernel for randomness", errno);
    have += static_cast<std::size_t>(got);
  }
  std::string hex;
  for (const char c : raw) hex += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return hex;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  // The length is no secret: all of ours have the same.
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i])) ^
                  static_cast<unsigned>(static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

std::string KeyedMark(std::string_view key, std::string_view text) {
  // Hashed twice, as HMAC does it: what could be appended to the text inside
  // cannot be appended outside.
  const std::string inner = Sha256(fmt::format("inner\n{}\n{}", key, text));
  return Sha256(fmt::format("outer\n{}\n{}", key, inner));
}

}  // namespace sibyl
