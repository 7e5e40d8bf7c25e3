// SPDX-License-Identifier: Apache-2.0
#include "expansion/web_memory.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl::expansion {
namespace {

using FoundLists = std::vector<std::vector<research::Found>>;

const Time kDay = *ParseDate("2026-11-15");

research::Found FoundAt(std::string_view url, std::string title = "Title") {
  return {.url = *net::ParseUrl(url),
          .title = std::move(title),
          .snippet = "a „snippet“\nof two lines",
          .published = "2026-01-01",
          .provider = "searxng",
          .rank = 1};
}

class WebMemoryTest : public testing::Test {
 protected:
  OwnFolder Own() const {
    return OwnFolder::Open(folder_.path(), *UserState::Open(folder_.path() / "state")).value();
  }
  WebMemory Load(Time now = kDay) const { return WebMemory::Load(Own(), now); }

  std::filesystem::path file() const { return folder_.path() / ".sibyl/web.json"; }
  void PutSigned(std::string_view json) const {
    EXPECT_TRUE(Own().root().Write("web.json", Own().WithSignature("web", json)).ok());
  }

  TemporaryFolder folder_;
};

TEST_F(WebMemoryTest, KnowsNothingAtFirst) {
  const WebMemory memory = Load();
  EXPECT_EQ(memory.Find("key"), nullptr);
  EXPECT_EQ(memory.WhyRefused("https://example.org/"), "");
}

TEST_F(WebMemoryTest, RemembersAnswersAndRefusalsOfAnEarlierRun) {
  WebMemory memory = Load();
  memory.Remember("key", "gadget queue",
                  {{FoundAt("https://example.org/a"), FoundAt("https://example.org/b")}, {}});
  memory.Refuse("https://example.org/gone", "404 Not Found");
  ASSERT_TRUE(memory.Save().ok());

  const WebMemory again = Load();
  const FoundLists* lists = again.Find("key");
  ASSERT_NE(lists, nullptr);
  ASSERT_EQ(lists->size(), 2U) << "a provider that found nothing has answered too";
  ASSERT_EQ((*lists)[0].size(), 2U);
  const research::Found& second = (*lists)[0][1];
  EXPECT_EQ(second.url.Text(), "https://example.org/b");
  EXPECT_EQ(second.title, "Title");
  EXPECT_EQ(second.snippet, "a „snippet“\nof two lines");
  EXPECT_EQ(second.published, "2026-01-01");
  EXPECT_EQ(second.provider, "searxng");
  EXPECT_EQ(second.rank, 2U);
  EXPECT_TRUE((*lists)[1].empty());
  EXPECT_EQ(again.WhyRefused("https://example.org/gone"), "404 Not Found");
  EXPECT_EQ(again.Find("other"), nullptr);
}

TEST_F(WebMemoryTest, ANewAnswerReplacesTheOldOne) {
  WebMemory memory = Load();
  memory.Remember("key", "q", {{FoundAt("https://example.org/old")}});
  memory.Remember("key", "q", {{FoundAt("https://example.org/new")}});
  EXPECT_EQ(memory.Find("key")->at(0).at(0).url.Text(), "https://example.org/new");
}

TEST_F(WebMemoryTest, WithoutNewsNothingIsWritten) {
  WebMemory memory = Load();
  ASSERT_TRUE(memory.Save().ok());
  EXPECT_FALSE(std::filesystem::exists(file()));
  memory.Refuse("https://example.org/", "login");
  ASSERT_TRUE(memory.Save().ok());
  ASSERT_TRUE(std::filesystem::remove(file()));
  ASSERT_TRUE(memory.Save().ok()) << "saved once already";
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(WebMemoryTest, ForgetsWhatIsOlderThanAMonth) {
  WebMemory memory = Load();
  memory.Remember("key", "q", {{}});
  memory.Refuse("https://example.org/", "login");
  ASSERT_TRUE(memory.Save().ok());
  const WebMemory month = Load(kDay + std::chrono::days(30));
  EXPECT_NE(month.Find("key"), nullptr);
  EXPECT_EQ(month.WhyRefused("https://example.org/"), "login");
  const WebMemory later = Load(kDay + std::chrono::days(31));
  EXPECT_EQ(later.Find("key"), nullptr);
  EXPECT_EQ(later.WhyRefused("https://example.org/"), "");
}

TEST_F(WebMemoryTest, WithoutAFolderNothingIsKeptAndNothingFails) {
  WebMemory memory = WebMemory::Load(std::nullopt, kDay);
  memory.Remember("key", "q", {{}});
  EXPECT_NE(memory.Find("key"), nullptr);
  EXPECT_TRUE(memory.Save().ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / ".sibyl"));
}

TEST_F(WebMemoryTest, AFileThatWasChangedIsIgnoredAndWrittenAnew) {
  WebMemory memory = Load();
  memory.Remember("key", "q", {{FoundAt("https://example.org/a")}});
  ASSERT_TRUE(memory.Save().ok());
  std::string bytes = *ReadFile(file());
  bytes.replace(bytes.find("example.org"), 11, "example.net");
  ASSERT_TRUE(WriteFileAtomically(file(), bytes).ok());
  WebMemory changed = Load();
  EXPECT_EQ(changed.Find("key"), nullptr);
  changed.Remember("other", "q", {{}});
  ASSERT_TRUE(changed.Save().ok());
  EXPECT_NE(Load().Find("other"), nullptr);
  EXPECT_EQ(Load().Find("key"), nullptr);
}

TEST_F(WebMemoryTest, AFileOfAnotherOracleIsIgnored) {
  TemporaryFolder other;
  const OwnFolder own =
      OwnFolder::Open(other.path(), *UserState::Open(folder_.path() / "state")).value();
  WebMemory memory = WebMemory::Load(own, kDay);
  memory.Refuse("https://example.org/", "login");
  ASSERT_TRUE(memory.Save().ok());
  ASSERT_TRUE(CreateFolders(file().parent_path()).ok());
  Own();
  std::filesystem::copy_file(other.path() / ".sibyl/web.json", file());
  EXPECT_EQ(Load().WhyRefused("https://example.org/"), "");
}

TEST_F(WebMemoryTest, WhatMakesNoSenseInASignedFileIsPassedOver) {
  for (const std::string_view text :
       {"", "not json", "[]", "{}", R"({"version": "1"})", R"({"version": 2, "questions": []})",
        R"({"version": 1, "questions": 7, "refused": {}})",
        R"({"version": 1, "questions": [1, {"key": "k", "date": "2026-11-15"},
            {"key": "k", "date": "yesterday", "lists": []}], "refused": [null]})"}) {
    PutSigned(text);
    EXPECT_EQ(Load().Find("k"), nullptr) << text;
  }
}

TEST_F(WebMemoryTest, AddressesThatAreNoneAreLeftOutAndTheRestRanked) {
  PutSigned(R"({"version": 1, "questions": [{"key": "k", "date": "2026-11-15", "lists":
      [[{"url": "javascript:alert"}, {"url": 7}, 9, {"url": "https://example.org/"}], {}]}]})");
  const WebMemory memory = Load();
  const FoundLists* lists = memory.Find("k");
  ASSERT_NE(lists, nullptr);
  ASSERT_EQ(lists->at(0).size(), 1U);
  EXPECT_EQ(lists->at(0)[0].rank, 1U);
  EXPECT_TRUE(lists->at(1).empty());
}

TEST(QuestionKey, DependsOnQueryHostsLimitAndProviders) {
  const research::Query query{.text = "gadget", .limit = 16, .hosts = {"example.org"}};
  const std::string key = QuestionKey(query, {"searxng"});
  EXPECT_EQ(key, QuestionKey(query, {"searxng"}));
  EXPECT_NE(key, QuestionKey(query, {"brave"}));
  EXPECT_NE(key, QuestionKey(query, {}));
  EXPECT_NE(key,
            QuestionKey({.text = "gadgets", .limit = 16, .hosts = {"example.org"}}, {"searxng"}));
  EXPECT_NE(key,
            QuestionKey({.text = "gadget", .limit = 8, .hosts = {"example.org"}}, {"searxng"}));
  EXPECT_NE(key, QuestionKey({.text = "gadget", .limit = 16, .hosts = {}}, {"searxng"}));
}

TEST(QuestionKey, ListsWithTheSameLettersHaveDifferentKeys) {
  EXPECT_NE(QuestionKey({.text = "q", .hosts = {"a", "b"}}, {}),
            QuestionKey({.text = "q", .hosts = {"a\",\"b"}}, {}));
  EXPECT_NE(QuestionKey({.text = "q", .hosts = {"a"}}, {"b"}),
            QuestionKey({.text = "q", .hosts = {}}, {"a", "b"}));
}

TEST_F(WebMemoryTest, ReasonsAreReadBackAsTheyWereGiven) {
  // One file for all of them: each write reaches the disk.
  WebMemory memory = Load();
  std::map<std::string, std::string> reasons;
  EXPECT_TRUE(rc::check([&] {
    const std::string url = "https://example.org/" + std::to_string(reasons.size());
    reasons[url] = *rc::gen::nonEmpty(
        rc::gen::container<std::string>(rc::gen::element('a', ' ', '\n', '"', '\\', '{', '\t')));
    memory.Refuse(url, reasons[url]);
  }));
  ASSERT_TRUE(memory.Save().ok());
  const WebMemory again = Load();
  for (const auto& [url, reason] : reasons) EXPECT_EQ(again.WhyRefused(url), reason);
}

}  // namespace
}  // namespace sibyl::expansion
