// SPDX-License-Identifier: Apache-2.0
// Decodes the payload of an image, or its beginning. Output never exceeds the requested size,
// whatever the payload claims.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "inspect/cuda/fatbin.h"

namespace sibyl::inspect {

/// Keeps its tables and its buffer between calls. One per thread.
class Unpacker {
 public:
  Unpacker();
  ~Unpacker();
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  struct Unpacked {
    std::string_view bytes;  ///< Valid until the next call.
    bool is_sound = false;   ///< No damage found so far.
  };

  /// The first `most` decoded bytes of `payload`, or all if there are fewer.
  Unpacked Unpack(std::string_view payload, Compression compression, std::size_t most);

 private:
  struct Streams;
  bool UnpackLz4Block(std::string_view payload, std::size_t most);
  bool UnpackLz4Frame(std::string_view payload, std::size_t most);
  bool UnpackZstd(std::string_view payload, std::size_t most);
  bool UnpackZlib(std::string_view payload, std::size_t most);

  std::unique_ptr<Streams> streams_;
  std::string buffer_;
};

}  // namespace sibyl::inspect
