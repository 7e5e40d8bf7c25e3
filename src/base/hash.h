// SPDX-License-Identifier: Apache-2.0
// Hashes of bytes: sha256, and git blob ids.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sibyl {

/// 64 lower-case hexadecimal digits.
std::string Sha256(std::string_view bytes);

/// Computes a SHA-256 incrementally.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  void Add(std::string_view bytes);

  /// The digest of everything added; then the stream is reset.
  std::string Finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// The id of a git blob with this content (40 hexadecimal digits): what a SWHID
/// "swh:1:cnt:" names. The sha1 in it is an address, not a proof: an attacker
/// who controls the bytes can forge it. A pinned source also has a sha256 or a
/// trusted commit.
std::string GitBlobId(std::string_view bytes);

}  // namespace sibyl
