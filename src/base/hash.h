// SPDX-License-Identifier: Apache-2.0
// The two names we give to bytes: sha256, and the id git gives a blob.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace sibyl {

/// 64 lower-case hexadecimal digits.
std::string Sha256(std::string_view bytes);

/// The same in pieces, for what is too long to hold at once.
class Sha256Stream {
 public:
  Sha256Stream();
  ~Sha256Stream();
  Sha256Stream(Sha256Stream&&) noexcept;
  Sha256Stream& operator=(Sha256Stream&&) noexcept;

  void Add(std::string_view bytes);

  /// The digest of all that was added; the stream then starts anew.
  std::string Finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

/// The id of a git blob with this content (40 hexadecimal digits): what a
/// SWHID "swh:1:cnt:" names. The sha1 in it is an address, not a proof: whoever
/// may forge the bytes can forge the id, and a pinned source also has a sha256
/// or a commit somebody trusts.
std::string GitBlobId(std::string_view bytes);

}  // namespace sibyl
