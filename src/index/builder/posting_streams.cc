// SPDX-License-Identifier: Apache-2.0
#include "index/builder/posting_streams.h"

namespace sibyl::index {

void PostingStreams::AddPassage(const std::uint32_t* ids, const std::uint8_t* impacts,
                                std::size_t count) {
  std::array<std::uint32_t*, kPartitions> ends{};
  for (std::size_t p = 0; p < kPartitions; ++p) {
    Stream& stream = streams_[p];
    if (stream.words.size() < stream.size + count + 1) {
      stream.words.resize(2 * (stream.size + count + 1));
    }
    ends[p] = stream.words.data() + stream.size;
  }
  for (std::size_t i = 0; i < count; ++i) {
    *ends[ids[i] >> 24]++ = ids[i] << 8 | impacts[i];
  }
  for (std::size_t p = 0; p < kPartitions; ++p) {
    *ends[p]++ = kMarker;
    streams_[p].size = static_cast<std::size_t>(ends[p] - streams_[p].words.data());
  }
}

void PostingStreams::Clear() {
  for (Stream& stream : streams_) stream.size = 0;
}

}  // namespace sibyl::index
