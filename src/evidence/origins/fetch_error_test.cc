// SPDX-License-Identifier: Apache-2.0
#include "evidence/origins/fetch_error.h"

#include <gtest/gtest.h>

namespace sibyl::evidence {
namespace {

std::string Told(std::string message) {
  return NotFetched("n", {.message = std::move(message)}).message;
}

// It was "source n: https://a.b/: fetching 'https://a.b/': …: cannot connect to 'a.b'".
TEST(FetchError, TheReasonComesFirstAndTheAddressOnce) {
  EXPECT_EQ(Told("fetching https://a.b/r: cannot resolve 'a.b'"),
            "cannot resolve 'a.b' (fetching https://a.b/r)");
  EXPECT_EQ(Told("fetching a b: reading the address 'a b': not an address"),
            "reading the address 'a b': not an address");
}

TEST(FetchError, OthersNameTheSource) {
  EXPECT_EQ(Told("copying x: no space left"), "source n: copying x: no space left");
  EXPECT_EQ(Told("fetching"), "source n: fetching");
}

}  // namespace
}  // namespace sibyl::evidence
