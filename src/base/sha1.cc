// SPDX-License-Identifier: Apache-2.0
#include "base/sha1.h"

#include <openssl/evp.h>

#include <cstdlib>

#include "base/free.h"

namespace sibyl {
namespace {

// Fails only when memory is gone or a policy forbids the digest; see hash.cc.
void RequireSha1(bool succeeded) {
  if (!succeeded) std::abort();
}

}  // namespace

struct Sha1Stream::Context {
  // EVP_sha1() would look the algorithm up again at every start.
  std::unique_ptr<EVP_MD, Free<EVP_MD_free>> kind{EVP_MD_fetch(nullptr, "SHA1", nullptr)};
  std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>> digest{EVP_MD_CTX_new()};

  void Start() {
    RequireSha1(kind != nullptr && digest != nullptr &&
                EVP_DigestInit_ex2(digest.get(), kind.get(), nullptr) == 1);
  }
};

Sha1Stream::Sha1Stream() : context_(std::make_unique<Context>()) { context_->Start(); }
Sha1Stream::~Sha1Stream() = default;
Sha1Stream::Sha1Stream(Sha1Stream&&) noexcept = default;
Sha1Stream& Sha1Stream::operator=(Sha1Stream&&) noexcept = default;

void Sha1Stream::Add(std::string_view bytes) {
  RequireSha1(EVP_DigestUpdate(context_->digest.get(), bytes.data(), bytes.size()) == 1);
}

std::array<std::uint8_t, 20> Sha1Stream::Finish() {
  std::array<std::uint8_t, 20> bytes{};
  unsigned int size = 0;
  RequireSha1(EVP_DigestFinal_ex(context_->digest.get(), bytes.data(), &size) == 1);
  context_->Start();
  return bytes;
}

}  // namespace sibyl
