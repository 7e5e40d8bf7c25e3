// SPDX-License-Identifier: Apache-2.0
// Search with a history: what people wrote when they changed a file helps to find it.
#include <gtest/gtest.h>

#include <memory>

#include "git/test_git.h"
#include "index/history/history_field.h"
#include "index/rank/searcher.h"
#include "oracle/oracle.h"
#include "oracle/source_index.h"
#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

class HistorySearchTest : public OracleTest {
 protected:
  HistorySearchTest() {
    // The same words in all of them.
    for (const char* name : {"a.c", "b.c", "c.c", "d.c"}) {
      git_.Write(std::string("src/") + name, Text(name, 1));
    }
    git_.Commit("Import");
    git_.Write("src/c.c", Text("c.c", 2));
    git_.Commit("Keep the tortoise from starving\n\nThe hare took every lock of the buffer.\n");
    for (const char* name : {"a.c", "b.c", "d.c"}) {
      git_.Write(std::string("src/") + name, Text(name, 3));
      git_.Commit(std::string("Tidy ") + name);
    }
  }

  static std::string Text(const std::string& name, int version) {
    return "/* The buffer of " + name + ", version " + std::to_string(version) +
           " */\nint buffer_lock(int buffer) {\n  return buffer;\n}\n";
  }

  // The user agreed to the repository.
  evidence::Surroundings Around() const {
    evidence::Surroundings around = *EvidenceAround(Here());
    around.admit = {};
    return around;
  }

  evidence::Pin Add(bool has_history) const {
    const auto added = evidence::AddSource({.name = has_history ? "with" : "without",
                                            .kind = evidence::SourceKind::kGit,
                                            .origin = git_.folder().string(),
                                            .has_history = has_history},
                                           Around());
    EXPECT_TRUE(added.ok()) << added.error().message;
    return added.ok() ? added->pin : evidence::Pin{};
  }

  SourceIndexes Open(const std::string& name) const {
    Result<SourceIndexes> indexes =
        OpenSourceIndexes(*evidence::ReadLock(Around()), Around(), {name});
    EXPECT_TRUE(indexes.ok()) << indexes.error().message;
    return indexes.ok() ? std::move(indexes).value() : SourceIndexes();
  }

  git::TestGit git_{top() / "oracle" / "repository"};
};

TEST_F(HistorySearchTest, FindsAFileByTheWordsOfItsCommits) {
  EXPECT_EQ(Add(true).history, 5U);
  const SourceIndexes indexes = Open("with");
  ASSERT_EQ(indexes.sources.size(), 1U);
  EXPECT_TRUE(indexes.findings.empty());
  ASSERT_NE(indexes.sources[0].index->history(), nullptr);
  const index::Searcher searcher(indexes.Borrow());
  const index::Query query{.text = "tortoise starving buffer lock"};
  const std::vector<index::Hit> hits = searcher.Search(query);
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].path_view, "src/c.c");
  EXPECT_GT(hits[0].history, 0.2F);
  EXPECT_GT(hits[0].rank_by_words, 0U);
  const auto reasons = searcher.Reasons(hits[0], query, 3);
  ASSERT_FALSE(reasons.empty());
  EXPECT_EQ(reasons[0].commit, 3U) << "the latest is 0, the import 4";
}

TEST_F(HistorySearchTest, IsAsBeforeForASourceWithoutOne) {
  EXPECT_EQ(Add(false).history, 0U);
  EXPECT_FALSE(std::filesystem::exists(
      evidence::HistoryRepository(
          Around().store.MirrorOf(evidence::SourceKind::kGit,
                                  evidence::StoreOrigin(git_.folder().string(), oracle())))
          .folder()));
  const SourceIndexes indexes = Open("without");
  const index::Searcher searcher(indexes.Borrow());
  const std::vector<index::Hit> hits = searcher.Search({.text = "tortoise buffer lock"});
  ASSERT_FALSE(hits.empty());
  for (const index::Hit& hit : hits) EXPECT_EQ(hit.rank_by_words, 0U);
  EXPECT_EQ(Read("oracle/sibyl.lock").find("history"), std::string::npos);
  EXPECT_EQ(Read("oracle/sibyl.toml").find("history"), std::string::npos);
  EXPECT_NE(Read("oracle/sibyl.lock").find("version = 1\n"), std::string::npos);
}

TEST_F(HistorySearchTest, SurvivesASyncAndTheLossOfTheRepository) {
  Add(true);
  git_.Write("src/d.c", Text("d.c", 9));
  git_.Commit("Feed the walrus before the buffer is locked");
  const auto specs = evidence::SourcesToSync({"with"}, Around());
  ASSERT_TRUE(specs.ok());
  const auto synced = evidence::SyncSource(specs->front(), Around());
  ASSERT_TRUE(synced.ok()) << synced.error().message;
  EXPECT_EQ(synced->pin.history, 6U);
  std::filesystem::remove_all(git_.folder());
  const SourceIndexes indexes = Open("with");
  EXPECT_TRUE(indexes.findings.empty());
  const index::Searcher searcher(indexes.Borrow());
  const std::vector<index::Hit> hits = searcher.Search({.text = "walrus buffer"});
  ASSERT_FALSE(hits.empty());
  EXPECT_EQ(hits[0].path_view, "src/d.c");
}

TEST_F(HistorySearchTest, SaysThatAHistoryIsAbsent) {
  const evidence::Pin pin = Add(true);
  const evidence::Mirror mirror =
      Around().store.MirrorOf(pin.kind, evidence::StoreOrigin(pin.origin, oracle()));
  std::filesystem::remove_all(evidence::HistoryRepository(mirror).folder());
  const SourceIndexes indexes = Open("with");
  ASSERT_EQ(indexes.findings.size(), 1U);
  EXPECT_EQ(indexes.findings[0].code, "history/absent");
  EXPECT_EQ(indexes.sources[0].index->history(), nullptr);
  ASSERT_TRUE(evidence::RestoreHistory(pin, Around()).ok());
  EXPECT_TRUE(Open("with").findings.empty());
}

// A file of history that is damaged costs its opinion, not the search.
TEST_F(HistorySearchTest, IsSearchedWithoutADamagedHistory) {
  const evidence::Pin pin = Add(true);
  const evidence::Mirror mirror =
      Around().store.MirrorOf(pin.kind, evidence::StoreOrigin(pin.origin, oracle()));
  const std::filesystem::path file =
      evidence::HistoryRepository(mirror).folder() / (pin.commit->Hex() + ".history");
  ASSERT_TRUE(std::filesystem::exists(file));
  std::filesystem::resize_file(file, 100);
  const SourceIndexes indexes = Open("with");
  ASSERT_EQ(indexes.findings.size(), 1U);
  EXPECT_EQ(indexes.findings[0].code, "history/absent");
  EXPECT_FALSE(index::Searcher(indexes.Borrow()).Search({.text = "buffer"}).empty());
}

}  // namespace
}  // namespace sibyl::oracle
