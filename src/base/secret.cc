// SPDX-License-Identifier: Apache-2.0
#include "base/secret.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/hex.h"
#include "base/os_error.h"

namespace sibyl {

Result<std::string> RandomHex(std::size_t bytes) {
  std::vector<unsigned char> raw(bytes);
  for (std::size_t have = 0; have < bytes;) {
    const ssize_t got = ::getrandom(raw.data() + have, bytes - have, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return OsError("getting random bytes from the kernel", errno);
    have += static_cast<std::size_t>(got);
  }
  return HexOf(raw);
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  // The length is not secret: all our secrets have the same length.
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i])) ^
                  static_cast<unsigned>(static_cast<unsigned char>(b[i]));
  }
  return difference == 0;
}

std::string KeyedHash(std::string_view key, std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  // Fails only without memory or without SHA-256; there is nothing to sign with then.
  if (::HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(),
             &length) == nullptr) {
    std::abort();
  }
  return HexOf(std::span(digest).first(length));
}

}  // namespace sibyl
