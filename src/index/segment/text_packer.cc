// SPDX-License-Identifier: Apache-2.0
#include "index/segment/text_packer.h"

#include <lz4.h>

#include <algorithm>

#include "index/segment/lz4_block.h"

namespace sibyl::index {

TextPacker::Place TextPacker::Add(std::string_view text) {
  if (open_view_.empty()) open_view_ = {text.data(), 0};
  const Place place = {.block = static_cast<std::uint32_t>(blocks.size()),
                       .begin = static_cast<std::uint32_t>(open_view_.size())};
  open_view_ = {open_view_.data(), open_view_.size() + text.size()};
  if (open_view_.size() >= kBlockBytes) CloseBlock();
  return place;
}

std::size_t TextPacker::Pack(std::string_view text) {
  if (text.size() <= kMaxLz4BlockBytes) {
    if (room_.size() < Lz4BlockRoom(text.size())) room_.resize(Lz4BlockRoom(text.size()));
    return PackLz4Block(text, room_.data());
  }
  if (text.size() > LZ4_MAX_INPUT_SIZE) return 0;
  const int size = static_cast<int>(text.size());
  room_.resize(static_cast<std::size_t>(LZ4_compressBound(size)));
  return static_cast<std::size_t>(
      LZ4_compress_fast(text.data(), room_.data(), size, static_cast<int>(room_.size()), 1));
}

void TextPacker::CloseBlock() {
  if (open_view_.empty()) return;
  const std::size_t before = packed.size();
  const std::size_t packed_bytes = Pack(open_view_);
  if (packed_bytes == 0 || packed_bytes >= open_view_.size()) {
    packed.append(open_view_);
  } else {
    packed.append(room_.data(), packed_bytes);
  }
  blocks.push_back({.offset = before,
                    .packed_bytes = static_cast<std::uint32_t>(packed.size() - before),
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
  // LZ4 expands at most 255-fold: a damaged size must not allocate gigabytes.
  if (bytes / 255 > packed.size()) return false;
  text.resize(wanted);
  const int got =
      LZ4_decompress_safe_partial(packed.data(), text.data(), static_cast<int>(packed.size()),
                                  static_cast<int>(wanted), static_cast<int>(wanted));
  return got == static_cast<int>(wanted);
}

}  // namespace sibyl::index
