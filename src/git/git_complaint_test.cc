// SPDX-License-Identifier: Apache-2.0
#include "git/git_complaint.h"

#include <gtest/gtest.h>

namespace sibyl::git {
namespace {

TEST(GitComplaint, IsTheReasonWithoutTheAddress) {
  EXPECT_EQ(ReasonOf("fatal: unable to access 'https://example.org/r/': Failed to connect to "
                     "example.org port 443 after 3 ms: Couldn't connect to server\n"),
            "cannot connect to example.org port 443");
  EXPECT_EQ(ReasonOf("fatal: unable to access 'https://example.org/r/': Failed to connect to "
                     "example.org port 443: Connection timed out\n"),
            "cannot connect to example.org port 443: Connection timed out");
  EXPECT_EQ(ReasonOf("fatal: unable to access 'https://a.b/r/': Could not resolve host: a.b\n"),
            "cannot resolve 'a.b'");
  EXPECT_EQ(ReasonOf("remote: Not Found\nfatal: repository 'https://a.b/r/' not found\n"),
            "no git repository there");
  EXPECT_EQ(ReasonOf("fatal: unable to access 'https://a.b/r/': The requested URL returned error: "
                     "403\n"),
            "the server responded with 403");
  EXPECT_EQ(ReasonOf("fatal: unable to connect to 127.0.0.1:\n127.0.0.1[0: 127.0.0.1]: errno=x\n"),
            "unable to connect to 127.0.0.1");
}

TEST(GitComplaint, OfSshIsWhatSshSaid) {
  EXPECT_EQ(ReasonOf("ssh: connect to host a.b port 22: Connection refused\r\nfatal: Could not "
                     "read from remote repository.\n\nPlease make sure you have the correct access "
                     "rights\nand the repository exists.\n"),
            "ssh: connect to host a.b port 22: Connection refused");
  EXPECT_EQ(ReasonOf("fatal: Could not read from remote repository.\n"),
            "Could not read from remote repository.");
}

TEST(GitComplaint, IsTheFirstExceptForAFullDisk) {
  EXPECT_EQ(ReasonOf("error: first\nfatal: second\n"), "first");
  EXPECT_EQ(ReasonOf("error: first\nfatal: write error: No space left on device\n"),
            "write error: No space left on device");
  EXPECT_EQ(ReasonOf("warning: x\nhint: y\n"), "");
}

TEST(GitComplaint, HasNoPassword) {
  EXPECT_EQ(ReasonOf("fatal: redirected to https://me:hunter2@a.b/r\n").find("hunter2"),
            std::string::npos);
}

}  // namespace
}  // namespace sibyl::git
