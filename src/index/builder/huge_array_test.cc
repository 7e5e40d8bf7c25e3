// SPDX-License-Identifier: Apache-2.0
#include "index/builder/huge_array.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace sibyl::index {
namespace {

TEST(HugeArray, IsZeroAndLiesOnAHugePageIfItIsLarge) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1} << 10, std::size_t{1} << 19,
                                 (std::size_t{1} << 20) + 1, std::size_t{3} << 20}) {
    HugeArray<std::uint32_t> array(size);
    ASSERT_EQ(array.size(), size);
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) EXPECT_EQ(array[at], 0U);
    array[size - 1] = 7;
    EXPECT_EQ(array[size - 1], 7U);
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    if (size * sizeof(std::uint32_t) >= kHugePage) {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % kHugePage, 0U);
    }
  }
}

TEST(HugeArray, IsExchangedByMoving) {
  HugeArray<char> one(5);
  one[4] = 'x';
  HugeArray<char> other = std::move(one);
  EXPECT_EQ(other[4], 'x');
  other = HugeArray<char>(std::size_t{4} << 20);
  EXPECT_EQ(other[4], 0);
  EXPECT_EQ(HugeArray<char>().data(), nullptr);
}

// Grows from small pages to huge ones and further: content stays, new elements are zero.
TEST(HugeList, KeepsWhatItHasWhileItGrows) {
  HugeList<std::uint32_t> list;
  constexpr std::uint32_t kMany = 3'000'000;
  for (std::uint32_t i = 0; i < kMany; ++i) list.Append(i);
  list.GrowTo(2 * kMany);
  ASSERT_EQ(list.size(), 2 * kMany);
  for (std::uint32_t i = 0; i < kMany; ++i) {
    ASSERT_EQ(list[i], i);
    ASSERT_EQ(list[kMany + i], 0U);
  }
}

}  // namespace
}  // namespace sibyl::index
