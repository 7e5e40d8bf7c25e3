// SPDX-License-Identifier: Apache-2.0
#include "base/userinfo.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl {
namespace {

TEST(Userinfo, IsLeftOutOfEveryAddressInAText) {
  const struct {
    const char* text;
    const char* shown;
  } kCases[] = {
      {"https://u:hunter9@example.com/x", "https://example.com/x"},
      {"HTTPS://hunter9@example.com", "HTTPS://example.com"},
      {"see http://u:hunter9@a/ and http://hunter9@b?q=@", "see http://a/ and http://b?q=@"},
      {"[x](https://u:hunter9@a/b)", "[x](https://a/b)"},
      {"[\"--proxy=socks5://u:hunter9@p:1\"]", "[\"--proxy=socks5://p:1\"]"},
      {"git+https://hunter9@host/r", "git+https://host/r"},
      {"ssh://git:hunter9@host/r", "ssh://host/r"},
      {"https://u:hunt@er9@host/r@v1", "https://host/r@v1"},
      {"https:/u:hunter9@host", "https:/host"},
      {"https:u:hunter9@host", "https:host"},
      {"https:https://u:hunter9@host", "https:https://host"},
      {"a,https://u:hunter9@h,https://u:hunter9@i", "a,https://h,https://i"},
      {"https:\\\\u:hunter9@host", "https:\\\\host"},
      {"https://u:hunter9/x@host/y", "https://host/y"},
      {"https://u:hunter9?x@host", "https://host"},
      {"https://u:hunter'9@host'", "https://host'"},
  };
  for (const auto& [text, shown] : kCases) {
    EXPECT_EQ(WithoutUserinfo(text), shown) << text;
    EXPECT_TRUE(HasUserinfo(text)) << text;
  }
}

TEST(Userinfo, OtherTextsStayAsTheyAre) {
  for (const char* text :
       {"", "https://host/@scope/name@1.2", "https://host:8080/a@b", "https://[::1]:80/a@b",
        "https://evil.example?@good.example/", "git@github.com:o/r", "ssh://git@host/r",
        "me@example.com: yes", "mailto:me@example.com", "a: b @ c", "https://host/ me@x",
        "https://[2001:db8::1]/a@b"}) {
    EXPECT_EQ(WithoutUserinfo(text), text);
    EXPECT_FALSE(HasUserinfo(text)) << text;
  }
}

TEST(Userinfo, ManySchemesAndNoHostAreReadInOnePass) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "http:";
  EXPECT_EQ(WithoutUserinfo(text + "@host"), "http:host");
  EXPECT_EQ(WithoutUserinfo(text), text);
}

}  // namespace
}  // namespace sibyl
