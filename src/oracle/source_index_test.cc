// SPDX-License-Identifier: Apache-2.0
#include "oracle/source_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "evidence/shared/shared_store.h"
#include "oracle/oracle.h"
#include "oracle/snapshot_documents.h"
#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

class SourceIndexTest : public OracleTest {
 protected:
  evidence::Surroundings Around() const { return *EvidenceAround(Here()); }
  evidence::Lock Lock() const { return *evidence::ReadLock(Around()); }

  // A folder of the oracle as a source.
  void Add(const std::string& name) const {
    const auto added = evidence::AddSource(
        {.name = name, .kind = evidence::SourceKind::kFolder, .origin = name}, Around());
    ASSERT_TRUE(added.ok()) << added.error().message;
  }

  SourceIndexes Open(const std::vector<std::string>& names = {}) const {
    Result<SourceIndexes> indexes = OpenSourceIndexes(Lock(), Around(), names);
    EXPECT_TRUE(indexes.ok()) << indexes.error().message;
    return indexes.ok() ? std::move(indexes).value() : SourceIndexes();
  }

  static std::uint64_t Documents(const index::Index& index) {
    std::uint64_t count = 0;
    for (const index::Index::Part& part : index.parts()) count += part.live_documents;
    return count;
  }

  std::size_t Files(const fs::path& folder) const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(top() / folder))
      count += entry.is_regular_file();
    return count;
  }
};

TEST_F(SourceIndexTest, IsBuiltForEveryPinInTheOrderOfTheLock) {
  Write("oracle/b/one.md", "# One\n\nText.\n");
  Write("oracle/a/two.md", "# Two\n\nText.\n");
  Write("oracle/a/three.md", "# Three\n\nOther text.\n");
  Add("b");
  Add("a");
  const SourceIndexes indexes = Open();
  EXPECT_TRUE(indexes.findings.empty());
  ASSERT_EQ(indexes.sources.size(), 2U);
  EXPECT_EQ(indexes.sources[0].pin.name, "a");
  EXPECT_EQ(Documents(*indexes.sources[0].index), 2U);
  EXPECT_EQ(Documents(*indexes.sources[1].index), 1U);
  ASSERT_EQ(indexes.Borrow().size(), 2U);
  EXPECT_EQ(indexes.Borrow()[1], indexes.sources[1].index.get());
  EXPECT_EQ(indexes.FindPin("b")->name, "b");
  EXPECT_EQ(indexes.FindPin("c"), nullptr);
}

TEST_F(SourceIndexTest, IsBuiltOnceAndOpenedAfterwards) {
  Write("oracle/a/one.md", "# One\n");
  Add("a");
  std::vector<std::string> lines;
  evidence::Surroundings around = Around();
  around.progress = [&lines](std::string_view line) { lines.emplace_back(line); };
  ASSERT_TRUE(OpenSourceIndexes(Lock(), around).ok());
  EXPECT_EQ(lines, std::vector<std::string>{"indexing a (1 files)"});
  ASSERT_TRUE(OpenSourceIndexes(Lock(), around).ok());
  EXPECT_EQ(lines.size(), 1U);
}

TEST_F(SourceIndexTest, IsCopiedFromTheSharedStoreByTheSecondMachine) {
  ASSERT_TRUE(evidence::SharedStore::Init(top() / "shared").ok());
  Write("oracle/a/one.md", "# One\n\nText.\n");
  Context first = Here();
  first.shared_store = top() / "shared";
  ASSERT_TRUE(
      evidence::AddSource({.name = "a", .kind = evidence::SourceKind::kFolder, .origin = "a"},
                          *EvidenceAround(first))
          .ok());
  ASSERT_TRUE(OpenSourceIndexes(Lock(), *EvidenceAround(first)).ok());
  Context second = first;
  second.store = top() / "store of the second";
  fs::remove_all(oracle() / "a");
  std::vector<std::string> lines;
  evidence::Surroundings around = *EvidenceAround(second);
  around.progress = [&lines](std::string_view line) { lines.emplace_back(line); };
  const Result<SourceIndexes> indexes = OpenSourceIndexes(Lock(), around);
  ASSERT_TRUE(indexes.ok());
  EXPECT_TRUE(indexes->findings.empty());
  ASSERT_EQ(indexes->sources.size(), 1U);
  EXPECT_EQ(Documents(*indexes->sources[0].index), 1U);
  EXPECT_TRUE(lines.empty());  // nothing was indexed
}

TEST_F(SourceIndexTest, AStoreThatIsNotMountedIsAWarning) {
  Write("oracle/a/one.md", "# One\n");
  Add("a");
  fs::create_directories(top() / "mnt");
  Context context = Here();
  context.shared_store = top() / "mnt";
  const Result<SourceIndexes> indexes = OpenSourceIndexes(Lock(), *EvidenceAround(context));
  ASSERT_TRUE(indexes.ok());
  ASSERT_EQ(indexes->findings.size(), 1U);
  EXPECT_EQ(indexes->findings[0].code, "store/unavailable");
  EXPECT_EQ(indexes->sources.size(), 1U);
  EXPECT_TRUE(fs::is_empty(top() / "mnt"));
}

// Issue 23: `ask` quoted what another oracle had pinned, while `verify` called it missing.
TEST_F(SourceIndexTest, WhatAnotherOracleIndexedIsNotThisOnes) {
  Write("oracle/a/one.md", "# One\n");
  Add("a");
  ASSERT_EQ(Open().sources.size(), 1U);
  evidence::Lock lock = Lock();
  lock.pins[0].origin = "not here";
  const Result<SourceIndexes> other = OpenSourceIndexes(lock, Around());
  ASSERT_TRUE(other.ok());
  EXPECT_TRUE(other->sources.empty());
  ASSERT_EQ(other->findings.size(), 1U);
  EXPECT_EQ(other->findings[0].code, "source/unsearchable");
}

TEST_F(SourceIndexTest, OnlyTheNamedSourcesAreOpened) {
  Write("oracle/a/one.md", "# One\n");
  Write("oracle/b/two.md", "# Two\n");
  Add("a");
  Add("b");
  const SourceIndexes indexes = Open({"b"});
  ASSERT_EQ(indexes.sources.size(), 1U);
  EXPECT_EQ(indexes.sources[0].pin.name, "b");
  EXPECT_EQ(Files("store/index/manifests"), 1U) << "the other is not built";
}

TEST_F(SourceIndexTest, AnUnknownNameIsRefusedWithTheNearest) {
  Write("oracle/docs/one.md", "# One\n");
  Add("docs");
  const Result<SourceIndexes> near = OpenSourceIndexes(Lock(), Around(), {"dosc"});
  ASSERT_FALSE(near.ok());
  EXPECT_EQ(near.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(near.error().message, "no source is named 'dosc'");
  EXPECT_EQ(near.error().hint, "did you mean 'docs'?");
  EXPECT_EQ(OpenSourceIndexes(Lock(), Around(), {"elsewhere"}).error().hint,
            "'sibyl source list' shows them");
}

TEST_F(SourceIndexTest, WithoutPinsTheHintSaysWhatComesNext) {
  const Result<SourceIndexes> none = OpenSourceIndexes({}, Around());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kUsage);
  EXPECT_NE(none.error().hint.find("sibyl source add"), std::string::npos);
  Write("oracle/sibyl.toml", "[[source]]\nname = \"a\"\nfolder = \"a\"\n");
  EXPECT_NE(OpenSourceIndexes({}, Around()).error().hint.find("sibyl source sync"),
            std::string::npos);
}

TEST_F(SourceIndexTest, ADamagedIndexIsRebuiltWithANote) {
  Write("oracle/a/one.md", "# One\n");
  Add("a");
  Open();
  for (const auto& entry : fs::directory_iterator(top() / "store/index/manifests")) {
    ASSERT_TRUE(WriteFileAtomically(entry.path(), "nonsense").ok());
  }
  const SourceIndexes indexes = Open();
  ASSERT_EQ(indexes.sources.size(), 1U);
  EXPECT_EQ(Documents(*indexes.sources[0].index), 1U);
  ASSERT_EQ(indexes.findings.size(), 1U);
  EXPECT_EQ(indexes.findings[0].severity, Severity::kNote);
  EXPECT_EQ(indexes.findings[0].code, "index/rebuilt");
  EXPECT_TRUE(Open().findings.empty());
}

TEST_F(SourceIndexTest, ADeletedIndexIsBuiltAgainInSilence) {
  Write("oracle/a/one.md", "# One\n");
  Add("a");
  Open();
  fs::remove_all(top() / "store/index");
  const SourceIndexes indexes = Open();
  EXPECT_EQ(indexes.sources.size(), 1U);
  EXPECT_TRUE(indexes.findings.empty());
}

TEST_F(SourceIndexTest, ASourceThatCannotBeReadIsAFindingAndTheOthersAreOpened) {
  Write("oracle/a/one.md", "# One\n");
  Write("oracle/b/two.md", "# Two\n");
  Add("a");
  Add("b");
  evidence::Lock lock = Lock();
  evidence::Pin pin = *lock.Find("a");
  pin.tree = git::ObjectId::FromHex(std::string(40, 'a'));
  lock.Put(pin);
  const Result<SourceIndexes> indexes = OpenSourceIndexes(lock, Around());
  ASSERT_TRUE(indexes.ok());
  ASSERT_EQ(indexes->sources.size(), 1U);
  EXPECT_EQ(indexes->FindPin("b")->name, "b");
  EXPECT_EQ(indexes->FindPin("a"), nullptr);
  ASSERT_EQ(indexes->findings.size(), 1U);
  EXPECT_EQ(indexes->findings[0].code, "source/unsearchable");
  EXPECT_EQ(indexes->findings[0].severity, Severity::kError);
  EXPECT_EQ(indexes->findings[0].place.file, "sibyl.lock");
}

TEST_F(SourceIndexTest, AFilterIsPartOfWhatAnIndexIsBuiltFrom) {
  Write("oracle/a/one.md", "# One\n");
  Write("oracle/a/two.txt", "Two.\n");
  Add("a");
  EXPECT_EQ(Documents(*Open().sources[0].index), 2U);
  evidence::Lock lock = Lock();
  lock.pins[0].filter.exclude = {"*.txt"};
  const Result<SourceIndexes> filtered = OpenSourceIndexes(lock, Around());
  ASSERT_TRUE(filtered.ok());
  EXPECT_EQ(Documents(*filtered->sources[0].index), 1U);
}

TEST_F(SourceIndexTest, TheDocumentsOfASnapshotAreItsTexts) {
  Write("oracle/a/page.md", "# One\n\nText.\n\n## Two\n\nMore.\n");
  Write("oracle/a/data.bin", std::string_view("\0\1\2\3", 4));
  Write("oracle/a/kernel.cc", "int Add(int a, int b) {\n  return a + b;\n}\n");
  Add("a");
  const Result<evidence::Snapshot> snapshot = evidence::OpenSnapshot(Lock().pins[0], Around());
  ASSERT_TRUE(snapshot.ok());
  SnapshotDocuments documents(*snapshot);
  std::vector<std::string> texts;
  for (std::size_t item = 0; item < documents.size(); ++item) {
    index::Document document;
    const Result<index::Loaded> loaded = documents.Load(item, document);
    ASSERT_TRUE(loaded.ok());
    if (*loaded == index::Loaded::kSkipped) continue;
    texts.push_back(documents.key(item).path + " " + document.language);
    ASSERT_FALSE(document.passages.empty()) << documents.key(item).path;
    for (const index::PassageSpan& passage : document.passages) {
      EXPECT_LE(passage.end, document.text.size());
      EXPECT_LE(passage.first_line, passage.last_line);
    }
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"kernel.cc c++", "page.md markdown"}));
}

TEST_F(SourceIndexTest, ADocumentIsFilledAnewWhenItIsReused) {
  Write("oracle/a/1.md", "# One\n\nText.\n\n## Two\n\nMore.\n\n## Three\n\nMore.\n");
  Write("oracle/a/2.md", "# Four\n");
  Add("a");
  const Result<evidence::Snapshot> snapshot = evidence::OpenSnapshot(Lock().pins[0], Around());
  ASSERT_TRUE(snapshot.ok());
  SnapshotDocuments documents(*snapshot);
  index::Document document;
  ASSERT_EQ(*documents.Load(0, document), index::Loaded::kText);
  const std::size_t before = document.passages.size();
  ASSERT_EQ(*documents.Load(1, document), index::Loaded::kText);
  EXPECT_EQ(document.text, "# Four\n");
  EXPECT_LE(document.passages.size(), 1U);
  EXPECT_GE(before, 1U);
}

}  // namespace
}  // namespace sibyl::oracle
