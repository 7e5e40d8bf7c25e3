// SPDX-License-Identifier: Apache-2.0
#include "index/segment/lz4_block.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace sibyl::index {
namespace {

std::string Packed(const std::string& text) {
  std::string packed(Lz4BlockRoom(text.size()), '\0');
  packed.resize(PackLz4Block(text, packed.data()));
  return packed;
}

std::string Unpacked(const std::string& packed, std::size_t bytes) {
  std::string text(bytes, '\0');
  const int got = LZ4_decompress_safe(packed.data(), text.data(), static_cast<int>(packed.size()),
                                      static_cast<int>(bytes));
  return got == static_cast<int>(bytes) ? text : "unreadable";
}

TEST(Lz4Block, OfEveryLengthIsReadByLz4) {
  for (std::size_t period : {std::size_t{1}, std::size_t{7}, std::size_t{9}, std::size_t{300}}) {
    std::string text;
    for (std::size_t i = 0; i < 600; ++i) {
      EXPECT_EQ(Unpacked(Packed(text), text.size()), text) << i << " bytes, period " << period;
      text.push_back(static_cast<char>('a' + i % period % 26));
    }
  }
}

TEST(Lz4Block, OfTheGreatestLengthIsReadByLz4) {
  std::string same(kMaxLz4BlockBytes, 'x');
  EXPECT_LT(Packed(same).size(), 400U);
  EXPECT_EQ(Unpacked(Packed(same), same.size()), same);
  // The only match is at the greatest possible distance.
  std::string far = "the beginning of it all!";
  std::uint32_t state = 1;
  while (far.size() < kMaxLz4BlockBytes - 64) {
    state = state * 1664525 + 1013904223;
    far.push_back(static_cast<char>(state >> 24));
  }
  far += "the beginning of it all!";
  far.resize(kMaxLz4BlockBytes, '\n');
  EXPECT_LE(Packed(far).size(), Lz4BlockRoom(far.size()));
  EXPECT_EQ(Unpacked(Packed(far), far.size()), far);
}

TEST(Lz4Block, SavesWhatComesAgain) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "  const std::size_t count = counts[" + std::to_string(i) + "];\n";
  EXPECT_LT(Packed(text).size(), text.size() / 4);
}

RC_GTEST_PROP(Lz4Block, OfAnyPiecesIsReadByLz4,
              (const std::vector<std::string>& pieces, const std::vector<std::uint8_t>& order)) {
  std::string text;
  for (const std::uint8_t piece : order) {
    if (!pieces.empty()) text += pieces[piece % pieces.size()] + "twelve bytes";
  }
  text.resize(std::min(text.size(), kMaxLz4BlockBytes));
  const std::string packed = Packed(text);
  RC_ASSERT(packed.size() <= Lz4BlockRoom(text.size()));
  RC_ASSERT(Unpacked(packed, text.size()) == text);
}

}  // namespace
}  // namespace sibyl::index
