// SPDX-License-Identifier: Apache-2.0
#include "evidence/lock.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "base/work.h"

namespace sibyl::evidence {
namespace {

Pin GitPin(std::string name) {
  Pin pin;
  pin.name = std::move(name);
  pin.kind = SourceKind::kGit;
  pin.origin = "https://example.org/r";
  pin.ref = "main";
  pin.commit = git::ObjectId::FromHex("03676b051d5a1302c8b17bb6b3325ee38acab914");
  pin.tree = git::ObjectId::FromHex("94954abda49de8615a048f8d2e64b5de848e27a1");
  pin.date = "2026-08-22T17:13:00Z";
  return pin;
}

std::string LockComplaint(std::string_view text) {
  const Result<Lock> lock = ParseLock(text);
  return lock.ok() ? "" : lock.error().message;
}

TEST(LockFile, IsTheSameBytesForTheSamePins) {
  Lock lock;
  lock.Put(GitPin("zeta"));
  lock.Put(GitPin("alpha"));
  Lock other;
  other.Put(GitPin("alpha"));
  other.Put(GitPin("zeta"));
  EXPECT_EQ(FormatLock(lock), FormatLock(other));
  EXPECT_EQ(FormatLock(lock),
            "# Where every source is pinned. Written by sibyl; `sibyl source sync` moves the "
            "pins.\nversion = 1\n"
            "\n[[pin]]\nname = \"alpha\"\nkind = \"git\"\norigin = \"https://example.org/r\"\n"
            "ref = \"main\"\ncommit = \"03676b051d5a1302c8b17bb6b3325ee38acab914\"\n"
            "tree = \"94954abda49de8615a048f8d2e64b5de848e27a1\"\n"
            "date = \"2026-08-22T17:13:00Z\"\nmax_file_bytes = 2097152\n"
            "\n[[pin]]\nname = \"zeta\"\nkind = \"git\"\norigin = \"https://example.org/r\"\n"
            "ref = \"main\"\ncommit = \"03676b051d5a1302c8b17bb6b3325ee38acab914\"\n"
            "tree = \"94954abda49de8615a048f8d2e64b5de848e27a1\"\n"
            "date = \"2026-08-22T17:13:00Z\"\nmax_file_bytes = 2097152\n");
}

TEST(LockFile, ReplacesAndRemovesPinsByName) {
  Lock lock;
  lock.Put(GitPin("a"));
  Pin moved = GitPin("a");
  moved.ref = "v2";
  lock.Put(moved);
  ASSERT_EQ(lock.pins.size(), 1u);
  EXPECT_EQ(lock.Find("a")->ref, "v2");
  EXPECT_TRUE(lock.Remove("a"));
  EXPECT_FALSE(lock.Remove("a"));
}

TEST(LockFile, RefusesAnUnknownVersionWithAWord) {
  EXPECT_NE(LockComplaint("version = 7\n").find("version 7 is not supported"), std::string::npos);
  EXPECT_NE(LockComplaint("").find("no version"), std::string::npos);
  EXPECT_NE(LockComplaint("[[pin]]\n").find("version"), std::string::npos);
}

TEST(LockFile, RefusesWhatAMergeOrAPersonMadeOfIt) {
  Lock lock;
  lock.Put(GitPin("a"));
  const std::string good = FormatLock(lock);
  ASSERT_TRUE(ParseLock(good).ok());
  EXPECT_NE(LockComplaint(good + "<<<<<<< HEAD\n").find("conflict"), std::string::npos);
  EXPECT_NE(LockComplaint(good + "colour = \"red\"\n").find("unknown key"), std::string::npos);
  EXPECT_NE(LockComplaint(good + "ref = \"v1\"\n").find("twice"), std::string::npos);
  EXPECT_NE(LockComplaint(good + good.substr(good.find("[[pin]]"))).find("pinned twice"),
            std::string::npos);
  EXPECT_NE(LockComplaint("version = 1\n[[pin]]\nname = \"a\"\nkind = \"git\"\norigin = \"u\"\n")
                .find("hashes"),
            std::string::npos);
  EXPECT_NE(LockComplaint("version = 1\n[[pin]]\nname = \"../a\"\n").find("name"),
            std::string::npos);
  EXPECT_NE(LockComplaint("version = 1\n[[pin]]\n").find("valid name"), std::string::npos);
  EXPECT_NE(LockComplaint("version = 1\n[[pin]]\n[[pin]]\n").find("valid name"), std::string::npos);
  EXPECT_NE(LockComplaint("version = 1\n[[pin]]\nname = a\n").find("double quotes"),
            std::string::npos);
  const Result<Lock> broken = ParseLock(good + "tree=\n");
  EXPECT_EQ(broken.error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(broken.error().place->line, 13u);
}

TEST(LockFile, SaysWhatAPageLacks) {
  const std::string pin =
      "version = 2\n[[pin]]\nname = \"a\"\nkind = \"page\"\norigin = \"u\"\ntree = \"" +
      std::string(40, 'a') + "\"\n";
  EXPECT_NE(LockComplaint(pin).find("hashes"), std::string::npos);
  EXPECT_NE(LockComplaint(pin + "[[pin.page]]\nurl = \"u\"\n").find("is missing"),
            std::string::npos);
  EXPECT_NE(LockComplaint(pin + "[[pin.page]]\nurl = \"u\"\nurl = \"v\"\n").find("twice"),
            std::string::npos);
  EXPECT_NE(LockComplaint(pin + "[[pin.page]]\nref = \"u\"\n").find("unknown key"),
            std::string::npos);
  EXPECT_NE(LockComplaint("version = 2\n[[pin.page]]\n").find("without a pin"), std::string::npos);
}

TEST(LockFile, EveryCutIsReadWholeOrRefused) {
  Lock lock;
  lock.Put(GitPin("a"));
  lock.Put(GitPin("b"));
  const std::string good = FormatLock(lock);
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    const Result<Lock> result = ParseLock(std::string_view(good).substr(0, cut));
    if (result.ok()) {
      for (const Pin& pin : result->pins) EXPECT_TRUE(pin.commit && pin.tree);
    }
  }
}

TEST(LockFile, IsTheInverseOfItsReader) {
  EXPECT_TRUE(rc::check("parse(format(lock)) == lock", [] {
    Lock lock;
    const int count = *rc::gen::inRange(0, 4);
    for (int i = 0; i < count; ++i) {
      Pin pin = GitPin("s" + std::to_string(i));
      pin.origin = *rc::gen::nonEmpty<std::string>();
      pin.ref = *rc::gen::arbitrary<std::string>();
      pin.date = *rc::gen::arbitrary<std::string>();
      pin.filter.include = *rc::gen::arbitrary<std::vector<std::string>>();
      pin.filter.exclude = *rc::gen::arbitrary<std::vector<std::string>>();
      pin.filter.max_file_bytes = *rc::gen::arbitrary<std::uint64_t>();
      if (*rc::gen::arbitrary<bool>()) {
        pin.kind = SourceKind::kFolder;
        pin.commit.reset();
      } else if (*rc::gen::arbitrary<bool>()) {
        pin.kind = SourceKind::kPage;
        pin.commit.reset();
        pin.pages.push_back({.url = *rc::gen::nonEmpty<std::string>(),
                             .final_url = *rc::gen::arbitrary<std::string>(),
                             .path = "a.md",
                             .title = *rc::gen::arbitrary<std::string>(),
                             .sha256 = std::string(64, 'a'),
                             .text_sha256 = std::string(64, '0'),
                             .fetched = "2026-11-15T10:02:11Z",
                             .etag = *rc::gen::arbitrary<std::string>(),
                             .last_modified = {}});
      }
      lock.Put(std::move(pin));
    }
    const Result<Lock> back = ParseLock(FormatLock(lock));
    RC_ASSERT(back.ok());
    RC_ASSERT(back->pins == lock.pins);
  }));
}

// A stranger wrote the file: the names come in the worst order.
std::uint64_t StepsToReadAndFind(std::size_t pins) {
  Lock lock;
  for (std::size_t i = 0; i < pins; ++i) lock.pins.push_back(GitPin(fmt::format("p{:05}", i)));
  std::reverse(lock.pins.begin(), lock.pins.end());
  const std::string text = FormatLock(lock);
  const std::uint64_t before = Work::Done();
  const Result<Lock> read = ParseLock(text);
  EXPECT_TRUE(read.ok());
  for (const Pin& pin : lock.pins) EXPECT_EQ(read->Find(pin.name)->name, pin.name);
  EXPECT_EQ(read->Find("p"), nullptr);
  EXPECT_EQ(read->Find("q"), nullptr);
  return Work::Done() - before;
}

TEST(LockFile, IsReadAndSearchedInProportionToItsPins) {
  const std::uint64_t once = StepsToReadAndFind(1000);
  EXPECT_GT(once, 0U);
  EXPECT_LT(StepsToReadAndFind(2000), 3 * once);
}

}  // namespace
}  // namespace sibyl::evidence
