// SPDX-License-Identifier: Apache-2.0
// Decodes the payload of an image, or only its beginning. Nothing grows beyond
// what was asked for, whatever the payload claims.
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
    bool is_sound = false;   ///< No damage met as far as it went.
  };

  /// The first `most` bytes of what `payload` holds, or all if it holds less.
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
