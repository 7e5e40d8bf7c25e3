// SPDX-License-Identifier: Apache-2.0
// Computes the sha256 of a long stream on another thread, while the caller unpacks and reads
// it. Hashing takes longer than decoding zstd, so on one thread it would be the bottleneck.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace sibyl::inspect {

class DigestStream {
 public:
  DigestStream();
  ~DigestStream();
  DigestStream(const DigestStream&) = delete;
  DigestStream& operator=(const DigestStream&) = delete;

  /// Copies the piece. Blocks if the hashing thread is far behind, to bound memory. Short
  /// streams get no thread.
  void Add(std::string_view piece);

  /// The digest of everything added. Call once.
  std::string Finish();

 private:
  class Worker;
  std::string pending_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace sibyl::inspect
