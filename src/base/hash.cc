// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cstdlib>
#include <span>

#include "base/free.h"
#include "base/hex.h"

namespace sibyl {
namespace {

using DigestContext = std::unique_ptr<EVP_MD_CTX, Free<EVP_MD_CTX_free>>;

// OpenSSL fails here only when memory is gone or a FIPS policy forbids the
// digest; there is nothing a caller could do but stop.
void Require(bool succeeded) {
  if (!succeeded) std::abort();
}

DigestContext Start(const EVP_MD* kind) {
  DigestContext context(EVP_MD_CTX_new());
  Require(context != nullptr && EVP_DigestInit_ex(context.get(), kind, nullptr) == 1);
  return context;
}

void Add(const DigestContext& context, std::string_view bytes) {
  Require(EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1);
}

std::string Finish(const DigestContext& context) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  Require(EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1);
  return HexOf(std::span(digest).first(size));
}

}  // namespace

struct Sha256Stream::Context {
  DigestContext digest = Start(EVP_sha256());
};

Sha256Stream::Sha256Stream() : context_(std::make_unique<Context>()) {}
Sha256Stream::~Sha256Stream() = default;
Sha256Stream::Sha256Stream(Sha256Stream&&) noexcept = default;
Sha256Stream& Sha256Stream::operator=(Sha256Stream&&) noexcept = default;

void Sha256Stream::Add(std::string_view bytes) { sibyl::Add(context_->digest, bytes); }

std::string Sha256Stream::Finish() {
  std::string digest = sibyl::Finish(context_->digest);
  Require(EVP_DigestInit_ex(context_->digest.get(), EVP_sha256(), nullptr) == 1);
  return digest;
}

std::string Sha256(std::string_view bytes) {
  const DigestContext context = Start(EVP_sha256());
  Add(context, bytes);
  return Finish(context);
}

std::string GitBlobId(std::string_view bytes) {
  const DigestContext context = Start(EVP_sha1());
  std::string header = fmt::format("blob {}", bytes.size());
  header += '\0';
  Add(context, header);
  Add(context, bytes);
  return Finish(context);
}

}  // namespace sibyl
