// SPDX-License-Identifier: Apache-2.0
#include "index/builder/index_builder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "index/rank/searcher.h"
#include "index/test_index.h"

namespace sibyl::index {
namespace {

MemorySource::File File(std::string path, std::uint32_t version) {
  return {.path = std::move(path),
          .text = "common words here\nand version" + std::to_string(version) + "\n",
          .language = "text",
          .passages = {},
          .blob = BlobOf(version)};
}

std::vector<std::string> PathsWith(const Index& index, const std::string& word) {
  std::vector<std::string> paths;
  for (const Hit& hit : Searcher({&index}).Search({.text = word, .limit = 100})) {
    paths.emplace_back(hit.path_view);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

using Paths = std::vector<std::string>;

MemorySource HundredFiles() {
  MemorySource source;
  for (std::uint32_t i = 0; i < 100; ++i) source.Add(File("f" + std::to_string(100 + i), i));
  return source;
}

TEST(IndexBuilder, ReadsOnlyWhatChanged) {
  TestIndex test;
  MemorySource first = HundredFiles();
  EXPECT_EQ(test.Build(first).documents, 100U);
  MemorySource second;
  for (std::uint32_t i = 0; i < 100; ++i) {
    if (i == 7) continue;                                                // removed
    second.Add(File("f" + std::to_string(100 + i), i == 8 ? 1008 : i));  // one changed
  }
  second.Add(File("g", 1009));
  const BuildReport report = test.Build(second);
  EXPECT_EQ(report.documents, 100U);
  EXPECT_EQ(report.reused_documents, 98U);
  const Index index = test.Open();
  EXPECT_EQ(PathsWith(index, "version7"), Paths{});
  EXPECT_EQ(PathsWith(index, "version8"), Paths{});
  EXPECT_EQ(PathsWith(index, "version1008"), Paths{"f108"});
  EXPECT_EQ(PathsWith(index, "version1009"), Paths{"g"});
  EXPECT_EQ(PathsWith(index, "version9"), Paths{"f109"});
}

TEST(IndexBuilder, NoticesARename) {
  TestIndex test;
  MemorySource first = HundredFiles();
  test.Build(first);
  MemorySource second;
  for (std::uint32_t i = 0; i < 100; ++i) {
    second.Add(File(i == 50 ? "renamed" : "f" + std::to_string(100 + i), i));
  }
  EXPECT_EQ(test.Build(second).reused_documents, 99U);
  EXPECT_EQ(PathsWith(test.Open(), "version50"), Paths{"renamed"});
}

TEST(IndexBuilder, StaysRightOverManyCommits) {
  TestIndex test;
  for (std::uint32_t commit = 0; commit < 12; ++commit) {
    MemorySource source;
    for (std::uint32_t i = 0; i < 100; ++i) {
      const std::uint32_t version = i == commit * 3 ? 5000 + commit : i;
      source.Add(File("f" + std::to_string(100 + i), version));
    }
    test.Build(source);
    const Index index = test.Open();
    EXPECT_LE(index.parts().size(), 6U);
    EXPECT_EQ(PathsWith(index, "version" + std::to_string(5000 + commit)),
              Paths{"f" + std::to_string(100 + commit * 3)});
    std::uint64_t live = 0;
    for (const Index::Part& part : index.parts()) live += part.live_documents;
    EXPECT_EQ(live, 100U);
  }
}

TEST(IndexBuilder, StoresATextOnceForAllItsPaths) {
  TestIndex test;
  MemorySource source;
  source.Add(File("a/third_party/x", 1));
  source.Add(File("b/x", 1));
  EXPECT_EQ(test.Build(source).documents, 1U);
  const Index index = test.Open();
  const std::vector<Hit> hits = Searcher({&index}).Search({.text = "version1"});
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].path_view, "b/x");
  EXPECT_EQ(hits[0].copies, 1U);
}

TEST(IndexBuilder, MakesTheSameFilesOnAnyNumberOfThreads) {
  std::vector<std::string> ids;
  for (const std::size_t threads : {1U, 2U, 5U}) {
    TestIndex test;
    MemorySource source = HundredFiles();
    test.Build(source, {.threads = threads});
    ids.push_back(test.Open().manifest().segments[0].id);
  }
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_EQ(ids[0], ids[2]);
}

TEST(IndexBuilder, CutsALargeSourceIntoSegments) {
  TestIndex test;
  MemorySource source = HundredFiles();
  test.Build(source, {.threads = 2, .text_bytes = 1000});
  const Index index = test.Open();
  EXPECT_GT(index.parts().size(), 1U);
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(PathsWith(index, "version" + std::to_string(i)),
              Paths{"f" + std::to_string(100 + i)});
  }
}

// A part in one segment is a whole word in the next, which other threads may already be reading
// when the first is full.
TEST(IndexBuilder, CutsIntoTheSameSegmentsOnAnyNumberOfThreads) {
  std::vector<Manifest> manifests;
  for (const std::size_t threads : {1U, 2U, 5U, 5U, 5U}) {
    TestIndex test;
    MemorySource source;
    for (std::uint32_t i = 0; i < 640; ++i) {
      MemorySource::File file = File("f" + std::to_string(1000 + i), i);
      file.text += "some_word" + std::to_string(i) + " word" + std::to_string(i < 16 ? i : i - 16);
      source.Add(file);
    }
    test.Build(source, {.threads = threads, .text_bytes = 2000});
    manifests.push_back(test.Open().manifest());
  }
  EXPECT_GT(manifests[0].segments.size(), 5U);
  for (const Manifest& manifest : manifests) {
    ASSERT_EQ(manifest.segments.size(), manifests[0].segments.size());
    for (std::size_t i = 0; i < manifest.segments.size(); ++i) {
      EXPECT_EQ(manifest.segments[i].id, manifests[0].segments[i].id);
    }
  }
}

TEST(IndexBuilder, BuildsAnewWhenTheOldIndexIsBroken) {
  TestIndex test;
  MemorySource source = HundredFiles();
  test.Build(source);
  std::ofstream(test.manifest()) << "{\"format\":\"sibyl-index\"";
  BuildReport report = test.Build(source);
  EXPECT_NE(report.not_reused_because, "");
  EXPECT_EQ(report.reused_documents, 0U);
  test.fingerprint = "other settings";
  report = test.Build(source);
  EXPECT_EQ(report.reused_documents, 0U);
  EXPECT_EQ(test.Build(source).reused_documents, 100U);
}

TEST(Manifest, WithMembersOfOtherTypesIsRefused) {
  TestIndex test;
  MemorySource source = HundredFiles();
  for (const char* text : {"[]", R"({"format":7,"version":2,"crc32c":1,"body":{}})",
                           R"({"format":"sibyl-index","version":"2","crc32c":1,"body":{}})",
                           R"({"format":"sibyl-index","version":2,"crc32c":"1","body":{}})",
                           R"({"format":"sibyl-index","version":2,"crc32c":-1,"body":[]})"}) {
    std::ofstream(test.manifest()) << text;
    EXPECT_EQ(ReadManifest(test.manifest()).error().kind, ErrorKind::kCorrupt) << text;
    EXPECT_NE(test.Build(source).not_reused_because, "") << text;
  }
}

TEST(IndexBuilder, LeavesTheOldIndexWhenASourceFails) {
  class Failing : public MemorySource {
   public:
    Result<Loaded> Load(std::size_t, Document&) override {
      return Error{.kind = ErrorKind::kUnavailable, .message = "gone", .hint = {}, .place = {}};
    }
  };
  TestIndex test;
  MemorySource source = HundredFiles();
  test.Build(source);
  Failing failing;
  failing.Add(File("new", 999));
  const Result<BuildReport> report = BuildIndex(failing, {.segment_folder = test.folder(),
                                                          .manifest = test.manifest(),
                                                          .fingerprint = "test",
                                                          .previous = {},
                                                          .limits = {}});
  EXPECT_FALSE(report.ok());
  EXPECT_EQ(PathsWith(test.Open(), "version42"), Paths{"f142"});
  for (const auto& entry : std::filesystem::directory_iterator(test.folder())) {
    EXPECT_EQ(entry.path().filename().string().find("building"), std::string::npos);
  }
}

TEST(IndexBuilder, TakesASourceWithNothingInIt) {
  TestIndex test;
  MemorySource source;
  EXPECT_EQ(test.Build(source).documents, 0U);
  EXPECT_TRUE(PathsWith(test.Open(), "anything").empty());
}

}  // namespace
}  // namespace sibyl::index
