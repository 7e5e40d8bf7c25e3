// SPDX-License-Identifier: Apache-2.0
// Packs the text of passages into LZ4 blocks. A passage is never split, so that one block
// contains all of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/segment/segment_format.h"

namespace sibyl::index {

class TextPacker {
 public:
  /// A block ends with the passage that makes it this long. Smaller blocks open faster, larger
  /// ones compress better; at 16 KiB, opening a block costs less than searching it for a
  /// pattern.
  static constexpr std::size_t kBlockBytes = std::size_t{16} << 10;

  struct Place {
    std::uint32_t block = 0;
    std::uint32_t begin = 0;
  };

  /// `text` must stay valid until the block is closed, and directly follow in memory the text
  /// added before it to the same block.
  Place Add(std::string_view text);
  void CloseBlock();

  /// Offsets are relative to the start of `packed`.
  std::vector<TextBlockRecord> blocks;
  std::string packed;

  void Clear();

 private:
  /// Compresses into room_; returns the size, or 0 if there are too many bytes.
  std::size_t Pack(std::string_view text);

  std::string_view open_view_;
  std::vector<char> room_;  // reused for every block
};

/// Decompresses at least the first `wanted` of a block's `bytes` into `text`; false if it is
/// damaged.
bool UnpackText(std::string_view packed, std::uint32_t bytes, std::uint32_t wanted,
                std::string& text);

}  // namespace sibyl::index
