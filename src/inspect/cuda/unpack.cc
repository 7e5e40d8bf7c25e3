// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/unpack.h"

#include <lz4.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "base/free.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kStep = std::size_t{256} << 10;

// A frame may request a window of gigabytes; 128 MiB is zstd's own default limit.
constexpr int kMostWindowLog = 27;

}  // namespace

struct Unpacker::Streams {
  std::unique_ptr<ZSTD_DCtx, Free<ZSTD_freeDCtx>> zstd{ZSTD_createDCtx()};
};

Unpacker::Unpacker() : streams_(std::make_unique<Streams>()) {
  ZSTD_DCtx_setParameter(streams_->zstd.get(), ZSTD_d_windowLogMax, kMostWindowLog);
}

Unpacker::~Unpacker() = default;

Unpacker::Unpacked Unpacker::Unpack(std::string_view payload, Compression compression,
                                    std::size_t most) {
  if (compression == Compression::kNone) {
    return {.bytes = payload.substr(0, most), .is_sound = true};
  }
  buffer_.clear();
  bool is_sound = false;
  switch (compression) {
    case Compression::kLz4Block:
      is_sound = UnpackLz4Block(payload, most);
      break;
    case Compression::kLz4Frame:
      is_sound = UnpackLz4Frame(payload, most);
      break;
    case Compression::kZstd:
      is_sound = UnpackZstd(payload, most);
      break;
    case Compression::kZlib:
      is_sound = UnpackZlib(payload, most);
      break;
    case Compression::kNone:
      break;
  }
  return {.bytes = buffer_, .is_sound = is_sound};
}

bool Unpacker::UnpackLz4Block(std::string_view payload, std::size_t most) {
  constexpr std::size_t kMostRatio = 255;  // of the format: a wrong size allocates no more
  payload = payload.substr(0, LZ4_MAX_INPUT_SIZE);
  most = std::min({most, kMostRatio * payload.size(), std::size_t{LZ4_MAX_INPUT_SIZE}});
  buffer_.resize(most);
  // liblz4 does not report how many bytes were good before damage or truncation. It stops
  // before them if fewer bytes are requested.
  for (std::size_t wanted = most; wanted > 0; wanted /= 2) {
    const int made = LZ4_decompress_safe_partial(
        payload.data(), buffer_.data(), static_cast<int>(payload.size()), static_cast<int>(wanted),
        static_cast<int>(wanted));
    if (made < 0) continue;
    buffer_.resize(static_cast<std::size_t>(made));
    return wanted == most;
  }
  buffer_.clear();
  return most == 0;
}

bool Unpacker::UnpackLz4Frame(std::string_view payload, std::size_t most) {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0U) return false;
  const std::unique_ptr<LZ4F_dctx, Free<LZ4F_freeDecompressionContext>> owner(context);
  while (buffer_.size() < most) {
    const std::size_t old = buffer_.size();
    std::size_t made = std::min(kStep, most - old);
    std::size_t used = payload.size();
    buffer_.resize(old + made);
    const std::size_t left = LZ4F_decompress(context, buffer_.data() + old, &made, payload.data(),
                                             &used, /*dOptPtr=*/nullptr);
    const bool is_error = LZ4F_isError(left) != 0U;
    buffer_.resize(is_error ? old : old + made);
    if (is_error) return false;
    if (left == 0) return true;                // the frame is complete
    if (made == 0 && used == 0) return false;  // truncated
    payload.remove_prefix(used);
  }
  return true;
}

bool Unpacker::UnpackZstd(std::string_view payload, std::size_t most) {
  ZSTD_DCtx* const stream = streams_->zstd.get();
  ZSTD_DCtx_reset(stream, ZSTD_reset_session_only);
  ZSTD_inBuffer in{payload.data(), payload.size(), 0};
  while (buffer_.size() < most) {
    const std::size_t old = buffer_.size();
    buffer_.resize(old + std::min(kStep, most - old));
    ZSTD_outBuffer out{buffer_.data() + old, buffer_.size() - old, 0};
    const std::size_t left = ZSTD_decompressStream(stream, &out, &in);
    buffer_.resize(old + out.pos);
    if (ZSTD_isError(left) != 0U) return false;
    if (left == 0) return true;                           // the frame is complete
    if (out.pos == 0 && in.pos == in.size) return false;  // truncated
  }
  return true;
}

bool Unpacker::UnpackZlib(std::string_view payload, std::size_t most) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  // zlib does not write to its input, but its type is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(payload.data()));
  stream.avail_in = static_cast<uInt>(std::min<std::size_t>(payload.size(), UINT32_MAX));
  int state = Z_OK;
  while (state == Z_OK && buffer_.size() < most) {
    const std::size_t old = buffer_.size();
    const std::size_t step = std::min(kStep, most - old);
    buffer_.resize(old + step);
    stream.next_out = reinterpret_cast<Bytef*>(buffer_.data() + old);
    stream.avail_out = static_cast<uInt>(step);
    state = inflate(&stream, Z_NO_FLUSH);
    buffer_.resize(old + step - stream.avail_out);
    if (state == Z_OK && buffer_.size() == old) state = Z_BUF_ERROR;
  }
  inflateEnd(&stream);
  return state == Z_OK || state == Z_STREAM_END;
}

}  // namespace sibyl::inspect
