// SPDX-License-Identifier: Apache-2.0
// The sha256 of a long stream, computed beside it: a layer is unpacked and
// looked at by one thread while another hashes it. Hashing takes longer than
// unpacking zstd, so in one thread it would set the pace.
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

  /// Copies the piece. Waits when the other thread is far behind: memory stays
  /// small. Short streams get no thread.
  void Add(std::string_view piece);

  /// The digest of all that was added. Once.
  std::string Finish();

 private:
  class Worker;
  std::string pending_;
  std::unique_ptr<Worker> worker_;
};

}  // namespace sibyl::inspect
