// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/unpack.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <lz4frame.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace sibyl::inspect {
namespace {

constexpr std::size_t kAll = std::size_t{1} << 20;

// Runs, repetitions and noise, as in a cubin.
std::string CubinLikeText() {
  std::string text;
  unsigned state = 1;
  while (text.size() < 200'000) {
    state = state * 1'664'525U + 1'013'904'223U;
    if (state >> 30U == 0) text.append(state >> 22U & 0xffU, '\0');
    if (state >> 30U == 1) text += ".nv.info._Z6kernelPfS_i";
    text += static_cast<char>(state >> 24U);
  }
  return text;
}

std::string Lz4BlockOf(std::string_view text) {
  std::string block(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), 0);
  block.resize(static_cast<std::size_t>(LZ4_compress_default(
      text.data(), block.data(), static_cast<int>(text.size()), static_cast<int>(block.size()))));
  return block;
}

std::string Lz4FrameOf(std::string_view text, const LZ4F_preferences_t& preferences) {
  std::string frame(LZ4F_compressFrameBound(text.size(), &preferences), 0);
  frame.resize(
      LZ4F_compressFrame(frame.data(), frame.size(), text.data(), text.size(), &preferences));
  return frame;
}

TEST(Unpacker, Lz4BlockIsDecodedWholeOrItsBeginning) {
  const std::string text = CubinLikeText();
  const std::string block = Lz4BlockOf(text);
  Unpacker unpacker;
  for (const std::size_t most :
       {std::size_t{0}, std::size_t{1}, std::size_t{16'384}, text.size()}) {
    const Unpacker::Unpacked unpacked = unpacker.Unpack(block, Compression::kLz4Block, most);
    EXPECT_TRUE(unpacked.is_sound);
    EXPECT_EQ(unpacked.bytes, std::string_view(text).substr(0, most));
  }
  EXPECT_EQ(unpacker.Unpack(block, Compression::kLz4Block, kAll).bytes, text);
}

// The layers of an image are streamed, and only the beginning of a payload is kept.
TEST(Unpacker, CutLz4BlockGivesHalfOfWhatItHoldsOrMore) {
  const std::string text = CubinLikeText();
  const std::string block = Lz4BlockOf(text);
  Unpacker unpacker;
  for (std::size_t cut = 64; cut < block.size(); cut += 97) {
    const Unpacker::Unpacked unpacked =
        unpacker.Unpack(std::string_view(block).substr(0, cut), Compression::kLz4Block, 65'536);
    EXPECT_TRUE(text.starts_with(unpacked.bytes)) << cut;
    EXPECT_GE(unpacked.bytes.size(), std::min<std::size_t>(cut / 2, 65'536) / 2) << cut;
  }
}

TEST(Unpacker, DamagedLz4BlockIsNotSound) {
  const std::string text = CubinLikeText();
  std::string block = Lz4BlockOf(text);
  std::fill(block.begin() + 10'000, block.begin() + 11'000, '\0');  // a match of distance 0
  Unpacker unpacker;
  const Unpacker::Unpacked unpacked = unpacker.Unpack(block, Compression::kLz4Block, text.size());
  EXPECT_FALSE(unpacked.is_sound && unpacked.bytes.size() == text.size());
  EXPECT_GT(unpacked.bytes.size(), 1'000U);
}

TEST(Unpacker, EmptyLz4PayloadHoldsNothing) {
  Unpacker unpacker;
  for (const Compression compression : {Compression::kLz4Block, Compression::kLz4Frame}) {
    EXPECT_TRUE(unpacker.Unpack("", compression, 100).bytes.empty());
  }
  EXPECT_FALSE(unpacker.Unpack("not a frame", Compression::kLz4Frame, 100).is_sound);
}

TEST(Unpacker, Lz4FrameIsDecodedWithEveryOption) {
  const std::string text = CubinLikeText();
  Unpacker unpacker;
  for (const LZ4F_blockMode_t mode : {LZ4F_blockLinked, LZ4F_blockIndependent}) {
    for (const LZ4F_contentChecksum_t checksum :
         {LZ4F_noContentChecksum, LZ4F_contentChecksumEnabled}) {
      LZ4F_preferences_t preferences{};
      preferences.frameInfo.blockMode = mode;
      preferences.frameInfo.contentChecksumFlag = checksum;
      preferences.frameInfo.blockSizeID = LZ4F_max64KB;
      const std::string frame = Lz4FrameOf(text, preferences);
      const Unpacker::Unpacked whole = unpacker.Unpack(frame, Compression::kLz4Frame, kAll);
      EXPECT_TRUE(whole.is_sound);
      EXPECT_EQ(whole.bytes, text);
      const Unpacker::Unpacked beginning = unpacker.Unpack(frame, Compression::kLz4Frame, 16'384);
      EXPECT_TRUE(beginning.is_sound);
      EXPECT_EQ(beginning.bytes, std::string_view(text).substr(0, 16'384));
      const Unpacker::Unpacked cut = unpacker.Unpack(
          std::string_view(frame).substr(0, frame.size() / 2), Compression::kLz4Frame, kAll);
      EXPECT_FALSE(cut.is_sound);
      EXPECT_TRUE(text.starts_with(cut.bytes));
    }
  }
}

// A size in a file is only a claim.
TEST(Unpacker, Lz4BlockOfFewBytesAllocatesLittle) {
  Unpacker unpacker;
  const std::string_view bytes =
      unpacker.Unpack("\x10z", Compression::kLz4Block, std::size_t{1} << 40U).bytes;
  EXPECT_LE(bytes.size(), 2U * 255U);
}

}  // namespace
}  // namespace sibyl::inspect
