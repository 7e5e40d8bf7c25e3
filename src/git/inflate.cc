// SPDX-License-Identifier: Apache-2.0
#include "git/inflate.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/free.h"
#include "git/object.h"

namespace sibyl::git {
namespace {

// The state is a few kilobytes; abort if they cannot be allocated.
template <typename T>
T* Allocated(T* state) {
  if (state == nullptr) std::abort();
  return state;
}

}  // namespace

struct Inflater::State {
  std::unique_ptr<libdeflate_decompressor, Free<libdeflate_free_decompressor>> stream{
      Allocated(libdeflate_alloc_decompressor())};
};

Inflater::Inflater() : state_(std::make_unique<State>()) {}
Inflater::~Inflater() = default;
Inflater::Inflater(Inflater&&) noexcept = default;
Inflater& Inflater::operator=(Inflater&&) noexcept = default;

std::optional<std::size_t> Inflater::FillCounting(std::string_view compressed, char* out,
                                                  std::size_t size) {
  std::size_t used = 0;
  // Null for the actual size: then anything but exactly `size` bytes is an error.
  const libdeflate_result result = libdeflate_zlib_decompress_ex(
      state_->stream.get(), compressed.data(), compressed.size(), out, size, &used, nullptr);
  if (result != LIBDEFLATE_SUCCESS) return std::nullopt;
  return used;
}

bool Inflater::BeginsWithNul(std::string_view compressed) {
  constexpr std::size_t kLookedAt = 1024;
  constexpr std::size_t kStreamHeader = 2;
  constexpr std::size_t kStoredHeader = 5;
  if (compressed.size() < kStreamHeader + kStoredHeader) return false;
  const auto byte = [&](std::size_t at) {
    return static_cast<std::size_t>(static_cast<unsigned char>(compressed[at]));
  };
  // Images are already compressed and stored uncompressed here.
  if ((byte(kStreamHeader) >> 1 & 3) == 0) {
    const std::size_t stored = byte(kStreamHeader + 1) | byte(kStreamHeader + 2) << 8;
    return compressed.substr(kStreamHeader + kStoredHeader, std::min(stored, kLookedAt))
               .find('\0') != std::string_view::npos;
  }
  // Filled with another value, so that bytes not written by the stream are not
  // mistaken.
  std::array<char, kLookedAt> beginning;
  beginning.fill(' ');
  std::size_t size = 0;
  if (FillUpTo(compressed, beginning.data(), beginning.size(), size) == Ended::kBroken) {
    return false;
  }
  return std::find(beginning.begin(), beginning.end(), '\0') != beginning.end();
}

Inflater::Ended Inflater::FillUpTo(std::string_view compressed, char* out, std::size_t room,
                                   std::size_t& size) {
  std::size_t used = 0;
  switch (libdeflate_zlib_decompress_ex(state_->stream.get(), compressed.data(), compressed.size(),
                                        out, room, &used, &size)) {
    case LIBDEFLATE_SUCCESS:
      return Ended::kWhole;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return Ended::kNoRoom;
    default:
      return Ended::kBroken;
  }
}

struct Deflater::State {
  std::unique_ptr<libdeflate_compressor, Free<libdeflate_free_compressor>> stream{
      Allocated(libdeflate_alloc_compressor(1))};
  ByteBuffer out;
};

Deflater::Deflater() : state_(std::make_unique<State>()) {}
Deflater::~Deflater() = default;
Deflater::Deflater(Deflater&&) noexcept = default;
Deflater& Deflater::operator=(Deflater&&) noexcept = default;

std::string_view Deflater::Compress(std::string_view bytes) {
  const std::size_t bound = libdeflate_zlib_compress_bound(state_->stream.get(), bytes.size());
  char* out = state_->out.Prepare(bound);
  // Cannot fail: the room is the bound.
  const std::size_t size =
      libdeflate_zlib_compress(state_->stream.get(), bytes.data(), bytes.size(), out, bound);
  return {out, size};
}

std::uint32_t Crc32(std::string_view bytes) {
  return libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace sibyl::git
