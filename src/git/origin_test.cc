// SPDX-License-Identifier: Apache-2.0
#include "git/origin.h"

#include <gtest/gtest.h>

namespace sibyl::git {
namespace {

TEST(Origin, TellsPathsFromAddresses) {
  EXPECT_TRUE(IsLocalOrigin("/srv/repo"));
  EXPECT_TRUE(IsLocalOrigin("../repo"));
  EXPECT_TRUE(IsLocalOrigin("repo"));
  EXPECT_TRUE(IsLocalOrigin("file:///srv/repo"));
  EXPECT_TRUE(IsLocalOrigin("/srv/odd:name/repo"));
  EXPECT_FALSE(IsLocalOrigin("git@github.com:o/r"));
  EXPECT_FALSE(IsLocalOrigin("https://github.com/o/r"));
  EXPECT_FALSE(IsLocalOrigin("git://localhost:9418/r"));
  EXPECT_EQ(LocalPath("file:///srv/a%20b"), "/srv/a b");
}

TEST(Origin, LosesCredentialsBeforeItIsCommitted) {
  EXPECT_EQ(WithoutCredentials("https://me:token@host/o/r"), "https://host/o/r");
  EXPECT_EQ(WithoutCredentials("https://token@host/o/r@v1"), "https://host/o/r@v1");
  EXPECT_EQ(WithoutCredentials("git@github.com:o/r"), "git@github.com:o/r");
  EXPECT_EQ(WithoutCredentials("/srv/me@home"), "/srv/me@home");
}

// Issue 16, finding 11.
TEST(Origin, TellsASecretFromAUserOfSsh) {
  for (const char* secret : {"https://me:token@host/o/r", "https://token@host/o/r",
                             "HTTP://me:pw@host/r", "ssh://git:pw@host/r"}) {
    EXPECT_TRUE(HasCredentials(secret)) << secret;
    const Error refused = CredentialsRefused(secret);
    for (const char* word : {"token", "pw"}) {
      EXPECT_EQ((refused.message + refused.hint).find(word), std::string::npos) << secret;
    }
  }
  for (const char* plain : {"https://host/o/r@v1", "ssh://git@host/r", "git@github.com:o/r",
                            "/srv/me@home", "https://host/a:b@c"}) {
    EXPECT_FALSE(HasCredentials(plain)) << plain;
  }
}

TEST(Origin, KnowsTheSameRepositoryInOtherWords) {
  EXPECT_TRUE(SameOrigin("git@github.com:o/r.git", "https://github.com/o/r"));
  EXPECT_TRUE(SameOrigin("https://github.com/o/r/", "http://github.com/o/r"));
  EXPECT_TRUE(SameOrigin("/srv/r/", "file:///srv/r"));
  EXPECT_FALSE(SameOrigin("https://github.com/o/r", "https://github.com/o/s"));
  EXPECT_FALSE(SameOrigin("/srv/r", "https://srv/r"));
}

TEST(Origin, SuggestsAName) {
  EXPECT_EQ(OriginName("https://github.com/NVIDIA/cutlass.git"), "cutlass");
  EXPECT_EQ(OriginName("git@host:tool.git"), "tool");
  EXPECT_EQ(OriginName("/srv/repo/"), "repo");
}

TEST(Origin, HasAPageToBrowse) {
  EXPECT_EQ(BrowseUrl("git@github.com:o/r.git"), "https://github.com/o/r");
  EXPECT_EQ(BrowseUrl("ssh://git@github.com/o/r"), "https://github.com/o/r");
  EXPECT_EQ(BrowseUrl("ssh://git@host:2222/o/r"), "https://host/o/r");
  EXPECT_EQ(BrowseUrl("https://host:8443/o/r.git/"), "https://host:8443/o/r");
  EXPECT_EQ(BrowseUrl("http://host/o/r"), "http://host/o/r");
  EXPECT_EQ(BrowseUrl("HTTPS://host:8443/o/r"), "https://host:8443/o/r");
  for (const char* local : {"/srv/r", "../r", "file:///srv/r", ""}) {
    EXPECT_EQ(BrowseUrl(local), "") << local;
  }
}

TEST(Origin, ShowsNoPasswordOnAPage) {
  EXPECT_EQ(BrowseUrl("https://me:token@host/o/r"), "https://host/o/r");
}

TEST(Origin, OddOnesAreSurvived) {
  for (const char* origin : {"", "/", ":", "://", "a:", "@", ".git", "http://", "git@", "//"}) {
    IsLocalOrigin(origin);
    OriginName(origin);
    BrowseUrl(origin);
    WithoutCredentials(origin);
    EXPECT_TRUE(SameOrigin(origin, origin)) << origin;
  }
}

TEST(Origin, RefusesCredentialsWithWhatToDoInstead) {
  const Error for_git = CredentialsRefused("https://me:token@host/r");
  EXPECT_EQ(for_git.kind, ErrorKind::kUsage);
  EXPECT_EQ(for_git.message, "https://host/r contains a user name or password");
  EXPECT_NE(for_git.hint.find("credential helper"), std::string::npos);
  const Error for_page = CredentialsRefused("https://me:token@host/r", LogIn::kNever);
  EXPECT_EQ(for_page.hint.find("credential helper"), std::string::npos);
  EXPECT_NE(for_page.hint.find("without logging in"), std::string::npos);
}

}  // namespace
}  // namespace sibyl::git
