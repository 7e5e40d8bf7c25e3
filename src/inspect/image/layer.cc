// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/layer.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "base/free.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

// The stored bytes in pieces; drops pages already used.
class Pieces {
 public:
  Pieces(std::string_view stored, Memory memory) : stored_view_(stored), memory_(memory) {}

  std::string_view Next() {
    if (memory_ == Memory::kMapped && at_ - released_ >= kReleaseEvery) {
      ReleasePages(stored_view_.substr(released_, at_ - released_));
      released_ = at_;
    }
    const std::string_view piece = stored_view_.substr(at_, kPiece);
    at_ += piece.size();
    return piece;
  }
  bool is_empty() const { return at_ == stored_view_.size(); }

 private:
  static constexpr std::size_t kReleaseEvery = std::size_t{16} << 20;
  std::string_view stored_view_;
  Memory memory_;
  std::size_t at_ = 0;
  std::size_t released_ = 0;
};

using TakePiece = std::function<bool(std::string_view)>;

bool UnpackGzip(Pieces pieces, const TakePiece& take) {
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return false;
  std::string out(kPiece, '\0');
  bool is_sound = true;
  while (is_sound) {
    if (stream.avail_in == 0) {
      if (pieces.is_empty()) break;
      const std::string_view piece = pieces.Next();
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream.avail_in = static_cast<uInt>(piece.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = out.size() - stream.avail_out;
    is_sound = state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR;
    if (is_sound && made > 0) is_sound = take(std::string_view(out).substr(0, made));
    // Another member may follow; eStargz layers have thousands.
    if (state == Z_STREAM_END) inflateReset(&stream);
  }
  inflateEnd(&stream);
  return is_sound;
}

bool UnpackZstd(Pieces pieces, const TakePiece& take) {
  const std::unique_ptr<ZSTD_DCtx, Free<ZSTD_freeDCtx>> stream(ZSTD_createDCtx());
  std::string out(kPiece, '\0');
  std::size_t state = 0;
  while (!pieces.is_empty()) {
    const std::string_view piece = pieces.Next();
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    bool has_more = true;
    while (in.pos < in.size || has_more) {
      ZSTD_outBuffer made{out.data(), out.size(), 0};
      state = ZSTD_decompressStream(stream.get(), &made, &in);
      if (ZSTD_isError(state) != 0U) return false;
      has_more = made.pos == made.size;  // the decoder may hold back what did not fit
      if (made.pos == 0) continue;
      if (!take(std::string_view(out).substr(0, made.pos))) return false;
    }
  }
  return state == 0;
}

}  // namespace

bool UnpackLayer(std::string_view stored, Memory memory, Budget& budget, const TakePiece& take) {
  const Pieces pieces(stored, memory);
  const TakePiece charged = [&](std::string_view piece) {
    return budget.Spend(Total::kUnpackedBytes, piece.size()) && take(piece);
  };
  if (stored.starts_with("\x1f\x8b")) return UnpackGzip(pieces, charged);
  // A frame, or a skippable frame before it (zstd:chunked).
  const bool is_skippable = stored.size() > 4 && stored.substr(1, 3) == "\x2a\x4d\x18" &&
                            (static_cast<unsigned char>(stored[0]) & 0xf0U) == 0x50U;
  if (stored.starts_with("\x28\xb5\x2f\xfd") || is_skippable) return UnpackZstd(pieces, charged);
  for (Pieces plain = pieces; !plain.is_empty();) {
    if (!charged(plain.Next())) return false;
  }
  return true;
}

}  // namespace sibyl::inspect
