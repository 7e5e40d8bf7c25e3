// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/digest_stream.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace sibyl::inspect {
namespace {

TEST(DigestStream, IsTheDigestOfTheWholeHoweverItIsCut) {
  std::string all(std::size_t{20} << 20, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i * i >> 7);
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{1} << 20,
                                   (std::size_t{1} << 20) + 1, all.size()}) {
    for (const std::size_t step : {std::size_t{65536}, std::size_t{3} << 20, all.size()}) {
      const std::string_view text = std::string_view(all).substr(0, length);
      DigestStream digest;
      for (std::size_t at = 0; at < text.size(); at += step) digest.Add(text.substr(at, step));
      EXPECT_EQ(digest.Finish(), Sha256(text)) << length << " in steps of " << step;
    }
  }
}

TEST(DigestStream, MayBeGivenUp) {
  DigestStream digest;
  for (int i = 0; i < 20; ++i) digest.Add(std::string(std::size_t{1} << 20, 'x'));
}

}  // namespace
}  // namespace sibyl::inspect
