// SPDX-License-Identifier: Apache-2.0
#include "index/text_packer.h"

#include <lz4.h>

#include <algorithm>

namespace sibyl::index {

TextPacker::Place TextPacker::Add(std::string_view text) {
  if (open_view_.empty()) open_view_ = {text.data(), 0};
  const Place place = {.block = static_cast<std::uint32_t>(blocks.size()),
                       .begin = static_cast<std::uint32_t>(open_view_.size())};
  open_view_ = {open_view_.data(), open_view_.size() + text.size()};
  if (open_view_.size() >= kBlockBytes) CloseBlock();
  return place;
}

void TextPacker::CloseBlock() {
  if (open_view_.empty()) return;
  const std::size_t before = packed.size();
  std::size_t packed_bytes = 0;
  if (open_view_.size() <= LZ4_MAX_INPUT_SIZE) {
    const int size = static_cast<int>(open_view_.size());
    packed.resize(before + static_cast<std::size_t>(LZ4_compressBound(size)));
    packed_bytes =
        static_cast<std::size_t>(LZ4_compress_fast(open_view_.data(), packed.data() + before, size,
                                                   static_cast<int>(packed.size() - before), 1));
  }
  if (packed_bytes == 0 || packed_bytes >= open_view_.size()) {
    packed.resize(before);
    packed.append(open_view_);
    packed_bytes = open_view_.size();
  }
  packed.resize(before + packed_bytes);
  blocks.push_back({.offset = before,
                    .packed_bytes = static_cast<std::uint32_t>(packed_bytes),
                    .bytes = static_cast<std::uint32_t>(open_view_.size())});
  open_view_ = {};
}

void TextPacker::Clear() {
  blocks.clear();
  packed.clear();
  open_view_ = {};
}

bool UnpackText(std::string_view packed, std::uint32_t bytes, std::uint32_t wanted,
                std::string& text) {
  wanted = std::min(wanted, bytes);
  if (packed.size() == bytes) {
    text.assign(packed.substr(0, wanted));
    return true;
  }
  if (packed.size() > LZ4_MAX_INPUT_SIZE || bytes > LZ4_MAX_INPUT_SIZE) return false;
  // LZ4 cannot expand more than 255-fold: a damaged size must not allocate
  // gigabytes.
  if (bytes / 255 > packed.size()) return false;
  text.resize(wanted);
  const int got =
      LZ4_decompress_safe_partial(packed.data(), text.data(), static_cast<int>(packed.size()),
                                  static_cast<int>(wanted), static_cast<int>(wanted));
  return got == static_cast<int>(wanted);
}

}  // namespace sibyl::index
