// SPDX-License-Identifier: Apache-2.0
// Device memory that is taken once and handed out many times.
#pragma once

#include <cstddef>

#include "gadget/stream.h"

namespace gadget {

// Sizes are rounded up to this.
constexpr std::size_t kPoolAlignment = 256;
constexpr std::size_t kSmallBlock = 65536;

enum class PoolPolicy { kGrow, kFixed, kShared };

struct Block {
  void* data;
  std::size_t bytes;
};

class Pool {
 public:
  explicit Pool(PoolPolicy policy = PoolPolicy::kGrow);
  // Returns an empty block when the limit is reached; it never throws.
  Block Allocate(std::size_t bytes, Stream& stream);
  void Release(Block block);
  std::size_t BytesInUse() const;
  void TrimTo(std::size_t bytes);
};

}  // namespace gadget
