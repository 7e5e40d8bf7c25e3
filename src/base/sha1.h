// SPDX-License-Identifier: Apache-2.0
// sha1 in pieces: what git names its objects with and ends its packs with. An
// address, not a proof; hash.h has sha256 for proofs.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sibyl {

class Sha1Stream {
 public:
  Sha1Stream();
  ~Sha1Stream();
  Sha1Stream(Sha1Stream&&) noexcept;
  Sha1Stream& operator=(Sha1Stream&&) noexcept;

  void Add(std::string_view bytes);

  /// The digest of everything added; then the stream is reset, which is much
  /// cheaper than a new stream for many small inputs.
  std::array<std::uint8_t, 20> Finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace sibyl
