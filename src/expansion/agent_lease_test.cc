// SPDX-License-Identifier: Apache-2.0
#include "expansion/agent_lease.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>
#include <limits>
#include <string>

#include "base/files/temporary_folder.h"
#include "runner/test_runs.h"

namespace sibyl::expansion {
namespace {

class AgentLeaseTest : public testing::Test {
 protected:
  std::string Format(const AgentLease& lease) const { return FormatLease(journal_, lease); }
  Result<AgentLease> Parse(std::string_view word) const { return ParseLease(journal_, word); }
  void ExpectRefused(std::string_view word) const {
    const auto lease = Parse(word);
    ASSERT_FALSE(lease.ok()) << word;
    EXPECT_EQ(lease.error().kind, ErrorKind::kUsage);
    EXPECT_NE(lease.error().hint.find("claim_part"), std::string::npos);
  }

  TemporaryFolder folder_;
  runner::Journal journal_ = runner::OpenJournal(folder_.path());
};

TEST_F(AgentLeaseTest, NamesRunPlaceAndTokenAndAKeyedHash) {
  const std::string word = Format({.run = 3, .lease = {.place = 0, .token = 7}});
  EXPECT_TRUE(word.starts_with("3-0-7-")) << word;
  EXPECT_EQ(word.size(), std::string("3-0-7-").size() + 32);
  const auto lease = Parse(word);
  ASSERT_TRUE(lease.ok()) << lease.error().message;
  EXPECT_EQ(lease->run, 3);
  EXPECT_EQ(lease->lease.place, 0U);
  EXPECT_EQ(lease->lease.token, 7);
}

TEST_F(AgentLeaseTest, WordsThatAreNoLeaseAreRefused) {
  ExpectRefused("");
  ExpectRefused("-");
  ExpectRefused("---");
  ExpectRefused("3-0-7");
  ExpectRefused("3-0-7-");
  ExpectRefused("3-0-7-0123456789abcdef0123456789abcdef");
  ExpectRefused(std::string(100'000, '-'));
  ExpectRefused(std::string("3-0-7-\0x", 8));
}

TEST_F(AgentLeaseTest, ALeaseIsNotGuessedByCounting) {
  const std::string word = Format({.run = 3, .lease = {.place = 0, .token = 7}});
  const std::string hash = word.substr(word.rfind('-'));
  ExpectRefused("3-0-8" + hash);
  ExpectRefused("3-1-7" + hash);
  ExpectRefused("4-0-7" + hash);
  ExpectRefused("03-0-7" + hash);
  ExpectRefused(" 3-0-7" + hash);
}

TEST_F(AgentLeaseTest, AHashIsTakenWholeAndAsItIs) {
  const std::string word = Format({.run = 1, .lease = {.place = 2, .token = 3}});
  ExpectRefused(word.substr(0, word.size() - 1));
  ExpectRefused(word + "0");
  ExpectRefused(word + "\n");
  std::string other = word;
  other.back() = other.back() == '0' ? '1' : '0';
  ExpectRefused(other);
}

TEST_F(AgentLeaseTest, ALeaseOfAnotherJournalDoesNotFit) {
  const std::string word = Format({.run = 1, .lease = {.place = 0, .token = 1}});
  TemporaryFolder elsewhere;
  const runner::Journal journal = runner::OpenJournal(elsewhere.path());
  EXPECT_FALSE(ParseLease(journal, word).ok()) << "another key and another journal";
  std::filesystem::remove(runner::JournalIn(folder_.path()));
  EXPECT_FALSE(ParseLease(runner::OpenJournal(folder_.path()), word).ok())
      << "the journal was made anew";
}

TEST_F(AgentLeaseTest, TheSameLeaseIsTheSameWordInAnotherProcess) {
  const AgentLease lease{.run = 5, .lease = {.place = 1, .token = 9}};
  const std::string word = Format(lease);
  EXPECT_EQ(FormatLease(runner::OpenJournal(folder_.path()), lease), word);
}

TEST_F(AgentLeaseTest, WhatIsWrittenIsReadBackTheSame) {
  const auto number = rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max());
  EXPECT_TRUE(rc::check([&] {
    const AgentLease lease{.run = *number,
                           .lease = {.place = static_cast<std::size_t>(*number), .token = *number}};
    const auto read = Parse(Format(lease));
    RC_ASSERT(read.ok());
    RC_ASSERT(read->run == lease.run);
    RC_ASSERT(read->lease.place == lease.lease.place);
    RC_ASSERT(read->lease.token == lease.lease.token);
  }));
}

TEST_F(AgentLeaseTest, AnyOtherWordIsRefused) {
  EXPECT_TRUE(rc::check([&](const std::string& word) { RC_ASSERT(!Parse(word).ok()); }));
}

}  // namespace
}  // namespace sibyl::expansion
