// SPDX-License-Identifier: Apache-2.0
// Packs the text of passages into LZ4 blocks. A passage is never cut, so that
// one block gives all of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/segment/segment_format.h"

namespace sibyl::index {

class TextPacker {
 public:
  /// A block is closed by the passage that makes it this long. Smaller blocks
  /// are quicker to open and larger ones smaller on disk; at 16 KiB
  /// opening one costs less than looking for a pattern in it.
  static constexpr std::size_t kBlockBytes = std::size_t{16} << 10;

  struct Place {
    std::uint32_t block = 0;
    std::uint32_t begin = 0;
  };

  /// `text` stays valid until the block is closed, and follows in memory what
  /// was added before it to the same block.
  Place Add(std::string_view text);
  void CloseBlock();

  /// With offsets from the beginning of `packed`.
  std::vector<TextBlockRecord> blocks;
  std::string packed;

  void Clear();

 private:
  /// Into room_; how many bytes, or 0 if there are too many.
  std::size_t Pack(std::string_view text);

  std::string_view open_view_;
  std::vector<char> room_;  // kept from block to block
};

/// Unpacks the first `wanted` or more of a block's `bytes` into `text`; false
/// if it is damaged.
bool UnpackText(std::string_view packed, std::uint32_t bytes, std::uint32_t wanted,
                std::string& text);

}  // namespace sibyl::index
