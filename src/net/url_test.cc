// SPDX-License-Identifier: Apache-2.0
#include "net/url.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace sibyl::net {
namespace {

std::string Read(std::string_view text) {
  const Result<Url> url = ParseUrl(text);
  return url.ok() ? url->Text() : "error: " + url.error().message;
}

std::string Resolve(std::string_view base, std::string_view reference) {
  const Result<Url> url = ResolveUrl(*ParseUrl(base), reference);
  return url.ok() ? url->Text() : "error: " + url.error().message;
}

TEST(ParseUrl, ReadsWhatPeopleWrite) {
  const Url url = *ParseUrl("HTTPS://Docs.NVIDIA.com:8443/cuda/../ptx/?a=1&b=2#warp");
  EXPECT_EQ(url.scheme, "https");
  EXPECT_EQ(url.host, "docs.nvidia.com");
  EXPECT_EQ(url.PortNumber(), 8443);
  EXPECT_EQ(url.path, "/ptx/");
  EXPECT_EQ(url.query, "a=1&b=2");
  EXPECT_EQ(url.fragment, "warp");
  EXPECT_EQ(url.Text(), "https://docs.nvidia.com:8443/ptx/?a=1&b=2");
  EXPECT_EQ(url.Origin(), "https://docs.nvidia.com:8443");
}

TEST(ParseUrl, GivesOneSpellingToOneThing) {
  EXPECT_EQ(Read("http://a.example"), "http://a.example/");
  EXPECT_EQ(Read("http://a.example:80/"), "http://a.example/");
  EXPECT_EQ(Read("https://a.example:443?x"), "https://a.example/?x");
  EXPECT_EQ(Read("https://a.example:/x"), "https://a.example/x");
  EXPECT_EQ(Read("https://a.example./x"), "https://a.example/x");
  EXPECT_EQ(Read("https://a.example/a/./b/%2e%2E/c/.."), "https://a.example/a/");
  EXPECT_EQ(Read("https://a.example/../../x"), "https://a.example/x");
  EXPECT_EQ(Read("https://a.example/a b|c\\d"), "https://a.example/a%20b%7Cc%5Cd");
  EXPECT_EQ(Read("https://a.example/gr\xc3\xbc\xc3\x9f"), "https://a.example/gr%C3%BC%C3%9F");
  EXPECT_EQ(Read("https://[2001:DB8::1]:8080/"), "https://[2001:db8::1]:8080/");
}

TEST(ParseUrl, RefusesWhatItCannotBeSureOf) {
  for (const std::string_view text : {"",
                                      "docs.nvidia.com",
                                      "ftp://a.example/",
                                      "file:///etc/passwd",
                                      "javascript:alert(1)",
                                      "https:/a.example",
                                      "https://",
                                      "https:///x",
                                      "https://a..b/",
                                      "https://.a/",
                                      "https://a b/",
                                      "https://a%2eb/",
                                      "https://a\\@b/",
                                      "https://[::1",
                                      "https://[fe80::1%25e]/",
                                      "https://[1234]/",
                                      "https://a:0/",
                                      "https://a:65536/",
                                      "https://a:8x/",
                                      "https://a/\n",
                                      "https://a\t/",
                                      "https://a:1:2/",
                                      "https://\xff/"}) {
    EXPECT_FALSE(ParseUrl(text).ok()) << text;
  }
  EXPECT_FALSE(ParseUrl("https://a/" + std::string(kMaxUrlBytes, 'x')).ok());
}

TEST(ParseUrl, NeverRepeatsAPassword) {
  const Result<Url> url = ParseUrl("https://user:hunter2@a.example/");
  ASSERT_FALSE(url.ok());
  EXPECT_EQ(url.error().message.find("hunter2"), std::string::npos);
  EXPECT_NE(url.error().message.find("password"), std::string::npos);
}

TEST(ResolveUrl, FollowsReferencesAsRfc3986Does) {
  const std::string_view base = "http://a.example/b/c/d?q";
  EXPECT_EQ(Resolve(base, "g"), "http://a.example/b/c/g");
  EXPECT_EQ(Resolve(base, "./g/"), "http://a.example/b/c/g/");
  EXPECT_EQ(Resolve(base, "/g"), "http://a.example/g");
  EXPECT_EQ(Resolve(base, "//h.example/x"), "http://h.example/x");
  EXPECT_EQ(Resolve(base, "?y"), "http://a.example/b/c/d?y");
  EXPECT_EQ(Resolve(base, "#s"), "http://a.example/b/c/d?q");
  EXPECT_EQ(Resolve(base, ""), "http://a.example/b/c/d?q");
  EXPECT_EQ(Resolve(base, "../../../g"), "http://a.example/g");
  EXPECT_EQ(Resolve(base, "g?y/../x"), "http://a.example/b/c/g?y/../x");
  EXPECT_EQ(Resolve(base, "https://h.example"), "https://h.example/");
  EXPECT_EQ(Resolve(base, " /with space "), "http://a.example/with%20space");
}

TEST(ResolveUrl, RefusesOtherSchemesAndTricks) {
  for (const std::string_view reference :
       {"file:///etc/passwd", "gopher://x/", "\\\\evil.example\\x", "//user@evil.example/",
        "https://evil.example\\@a.example/", "/\r\nX: y"}) {
    EXPECT_FALSE(ResolveUrl(*ParseUrl("https://a.example/"), reference).ok()) << reference;
  }
}

RC_GTEST_PROP(ParseUrl, ReadsItsOwnTextAsTheSame, (const std::string& path)) {
  const Result<Url> url = ParseUrl("https://a.example/" + path);
  if (!url.ok()) return;
  const Result<Url> again = ParseUrl(url->Text());
  RC_ASSERT(again.ok());
  RC_ASSERT(again->Text() == url->Text());
}

}  // namespace
}  // namespace sibyl::net
