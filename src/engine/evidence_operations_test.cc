// SPDX-License-Identifier: Apache-2.0
#include "engine/evidence_operations.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "base/files/files.h"
#include "engine/test_operations.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

class EvidenceOperations : public OperationTest {
 protected:
  EvidenceOperations() {
    Write("notes/build.md", "# Building\n\n## Flags\nSet `GADGET_ARCH_LIST` before the build.\n");
    Write("notes/src/loader.cc", "// Loads a gadget.\nint LoadGadget(int id) {\n  return id;\n}\n");
    Write("notes/image.bin", std::string("\0\1\2", 3));
    MakeOracle();
  }

  std::vector<fs::path> FilesBelow(const fs::path& path) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / path)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }
};

TEST_F(EvidenceOperations, InitMakesAnOracleOnce) {
  EXPECT_TRUE(fs::exists(*oracle_ / "sibyl.toml"));
  EXPECT_TRUE(fs::exists(*oracle_ / "SKILL.md"));
  const auto again = Run(kInit, {{"dir", "oracle"}});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().kind, ErrorKind::kUsage);
}

TEST_F(EvidenceOperations, InitKeepsWhatAPersonWrote) {
  Write("mine/SKILL.md", "mine\n");
  Answer(kInit, {{"dir", "mine"}});
  EXPECT_EQ(*ReadFile(folder_.path() / "mine/SKILL.md"), "mine\n");
}

TEST_F(EvidenceOperations, ASourceIsPinnedFoundCitedAndForgotten) {
  const Json added = Answer(kSourceAdd, {{"origin", "notes"}});
  EXPECT_EQ(added["source"]["kind"], "folder");
  EXPECT_EQ(added["source"]["name"], "notes");

  const Json listed = Answer(kSourceList, {{"verbose", ""}});
  ASSERT_EQ(listed["sources"].size(), 1U);
  EXPECT_EQ(listed["sources"][0]["details"]["read"], 2);
  EXPECT_EQ(listed["sources"][0]["details"]["skips"]["binary"], 1);

  const Json found = Answer(kSearch, {{"query", "gadget arch list"}});
  ASSERT_FALSE(found["hits"].empty());
  EXPECT_EQ(found["hits"][0]["path"], "build.md");
  const Json resolved = Answer(kCite, {{"target", found["hits"][0]["citation"]}});
  EXPECT_NE(resolved["text"].get<std::string>().find("GADGET_ARCH_LIST"), std::string::npos);

  const Json cited = Answer(kCite, {{"target", "src/loader.cc:2-3"}});
  EXPECT_EQ(cited["text"], "int LoadGadget(int id) {\n  return id;\n");
  EXPECT_EQ(Answer(kCite, {{"target", cited["footnote"]}})["text"], cited["text"]);

  Answer(kSourceRemove, {{"name", "notes"}});
  EXPECT_TRUE(Answer(kSourceList, {})["sources"].empty());
}

TEST_F(EvidenceOperations, SearchFindsLinesByRegularExpression) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  const Json found = Answer(kSearch, {{"regex", "Load\\w+\\("}});
  ASSERT_EQ(found["matches"].size(), 1U);
  EXPECT_EQ(found["matches"][0]["path"], "src/loader.cc");
  EXPECT_EQ(found["matches"][0]["line"], 2);
  const auto nothing = Run(kSearch, {{"regex", "nowhere_to_be_found"}});
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->holds);
  EXPECT_FALSE(Run(kSearch, {{"regex", "("}}).ok());
  EXPECT_FALSE(Run(kSearch, {}).ok());
}

TEST_F(EvidenceOperations, MatchingLinesAreOrderedByWhatTheirFileIs) {
  Write("notes/a/use.cc", "int Use() { return OpenGadget(1); }\n");
  Write("notes/b/tests/gadget_test.cc", "int CheckIt() { return OpenGadget(2); }\n");
  Write("notes/docs/gadget.md", "# Gadget\n\n`OpenGadget` opens one.\n");
  Write("notes/include/gadget.h", "/// Opens it.\nint OpenGadget(int id);\n");
  Answer(kSourceAdd, {{"origin", "notes"}});
  const Json found = Answer(kSearch, {{"regex", "OpenGadget"}});
  std::vector<std::string> paths;
  for (const Json& match : found["matches"]) paths.push_back(match["path"]);
  EXPECT_EQ(paths, (std::vector<std::string>{"include/gadget.h", "docs/gadget.md", "a/use.cc",
                                             "b/tests/gadget_test.cc"}));
  // The limit keeps the best, not the first.
  const Json best = Answer(kSearch, {{"regex", "OpenGadget"}, {"limit", "1"}});
  ASSERT_EQ(best["matches"].size(), 1U);
  EXPECT_EQ(best["matches"][0]["path"], "include/gadget.h");
  EXPECT_EQ(best["complete"], false);
}

TEST_F(EvidenceOperations, ResultsAreGroupedByFileAndCarryWhatDiffers) {
  std::string data = "needle";
  for (int i = 0; i < 1'000; ++i) data += ", abc";
  Write("notes/data.md", "# Data\n\n" + data + "\n\nneedle two\n");
  Answer(kSourceAdd, {{"origin", "notes"}});
  const Json lines = Answer(kSearch, {{"regex", "needle"}, {"by-file", ""}});
  ASSERT_EQ(lines["files"].size(), 1U) << lines.dump(2);
  EXPECT_EQ(lines["line_count"], 2);
  EXPECT_EQ(lines["files"][0]["source"], "notes");
  EXPECT_EQ(lines["files"][0]["lines"][1]["text"], "needle two");
  EXPECT_LT(lines.dump().size(), 1'000U) << "a long line is cut";
  const Json hits = Answer(kSearch, {{"query", "gadget arch list"}, {"by-file", ""}});
  EXPECT_EQ(hits["files"][0]["path"], "build.md");
  EXPECT_TRUE(hits["files"][0]["hits"][0].contains("snippet"));
  EXPECT_FALSE(hits["files"][0]["hits"][0].contains("citation"));
}

TEST_F(EvidenceOperations, SeveralQueriesAreAnsweredInOneCall) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  const Json found =
      Answer(kSearch, {{"queries", "gadget arch list"}, {"queries", "zonkification"}});
  ASSERT_EQ(found["answers"].size(), 2U);
  EXPECT_EQ(found["answers"][0]["query"], "gadget arch list");
  EXPECT_EQ(found["answers"][0]["hits"][0]["path"], "build.md");
  EXPECT_TRUE(found["answers"][1]["hits"].empty());
  EXPECT_EQ(Answer(kSearch, {{"query", "gadget"}, {"queries", "loader"}, {"cards", ""}})["answers"]
                .size(),
            2U);
  EXPECT_FALSE(Run(kSearch, {{"queries", "a"}, {"regex", "b"}}).ok());
}

TEST_F(EvidenceOperations, SyncMovesThePinAndSaysWhatChanged) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  EXPECT_FALSE(Answer(kSourceSync, {})["sources"][0]["moved"].get<bool>());
  Answer(kSearch, {{"query", "gadget"}});
  Write("notes/new.md", "# Widgets\nAll about zonkification.\n");
  EXPECT_TRUE(Answer(kSearch, {{"query", "zonkification"}})["hits"].empty())
      << "the pin has not moved yet";
  const Json moved = Answer(kSourceSync, {{"name", "notes"}});
  EXPECT_TRUE(moved["sources"][0]["moved"].get<bool>());
  EXPECT_EQ(moved["sources"][0]["changes"]["added"], 1);
  ASSERT_FALSE(Answer(kSearch, {{"query", "zonkification"}})["hits"].empty());
}

TEST_F(EvidenceOperations, ADamagedIndexIsBuiltAgainWithAWord) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  Answer(kSearch, {{"query", "gadget"}});
  for (const fs::path& file : FilesBelow("store/index/segments")) fs::resize_file(file, 100);
  const auto outcome = Run(kSearch, {{"query", "gadget"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_FALSE(outcome->data["hits"].empty());
  ASSERT_EQ(outcome->findings.size(), 1U);
  EXPECT_EQ(outcome->findings[0].code, "index/rebuilt");
}

TEST_F(EvidenceOperations, AStoreThatWasDeletedIsFilledAgain) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  fs::remove_all(folder_.path() / "store");
  const auto outcome = Run(kSearch, {{"query", "gadget arch list"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_FALSE(outcome->data["hits"].empty());
  fs::remove_all(folder_.path() / "store");
  Write("notes/build.md", "changed\n");
  const auto changed = Run(kSearch, {{"query", "gadget"}});
  ASSERT_TRUE(changed.ok());
  EXPECT_FALSE(changed->holds) << "the pinned bytes are nowhere any more";
  EXPECT_EQ(changed->findings.at(0).code, "source/unsearchable");
}

TEST_F(EvidenceOperations, ABatchAnswersLineByLine) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  Write("q.jsonl", "{\"id\": \"a\", \"query\": \"gadget\"}\n\nnot json\n{\"id\": 2}\n");
  const auto outcome = Run(kSearch, {{"batch", "q.jsonl"}});
  ASSERT_TRUE(outcome.ok());
  const Json& lines = outcome->data["json_lines"];
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["id"], "a");
  EXPECT_FALSE(lines[0]["hits"].empty());
  EXPECT_TRUE(lines[1].contains("error"));
  EXPECT_FALSE(outcome->holds);
}

TEST_F(EvidenceOperations, DumpReadsWhateverWeWrote) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  Answer(kSearch, {{"query", "gadget"}});
  EXPECT_EQ(Answer(kDump, {{"file", "oracle/sibyl.lock"}})["pins"].size(), 1U);
  for (const fs::path& file : FilesBelow("store/index/segments")) {
    const Json segment = Answer(kDump, {{"file", file.string()}, {"entries", ""}});
    EXPECT_EQ(segment["documents"], 2);
    EXPECT_EQ(segment["entries"].size(), 2U);
  }
  for (const fs::path& file : FilesBelow("store/index/manifests")) {
    EXPECT_EQ(Answer(kDump, {{"file", file.string()}})["segments"].size(), 1U);
  }
  EXPECT_FALSE(Run(kDump, {{"file", "notes/image.bin"}}).ok());
}

TEST_F(EvidenceOperations, BadOriginsGetAWordAndChangeNothing) {
  const std::string before = *ReadFile(*oracle_ / "sibyl.toml");
  for (const std::vector<GivenValue>& given :
       std::vector<std::vector<GivenValue>>{{{"origin", "nowhere"}},
                                            {{"origin", "notes"}, {"name", "a b"}},
                                            {{"origin", "notes"}, {"kind", "git"}}}) {
    const auto outcome = Run(kSourceAdd, given);
    ASSERT_FALSE(outcome.ok());
    EXPECT_FALSE(outcome.error().message.empty());
  }
  const auto with_ref = Run(kSourceAdd, {{"origin", "notes@v1.2"}});
  ASSERT_FALSE(with_ref.ok());
  EXPECT_NE(with_ref.error().hint.find("--ref v1.2"), std::string::npos) << with_ref.error().hint;
  EXPECT_EQ(*ReadFile(*oracle_ / "sibyl.toml"), before);
  EXPECT_FALSE(fs::exists(*oracle_ / "sibyl.lock"));
  EXPECT_FALSE(Run(kSearch, {{"query", "x"}}).ok()) << "nothing is pinned";
  oracle_.reset();
  EXPECT_EQ(Run(kSourceList, {}).error().kind, ErrorKind::kUsage);
}

TEST_F(EvidenceOperations, WithSourcesThatAreNotPinnedSyncIsWhatHelps) {
  const auto none = Run(kSearch, {{"query", "x"}});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().hint, "pin one with 'sibyl source add ORIGIN'");
  Write("oracle/sibyl.toml", "[[source]]\nname = \"notes\"\nfolder = \"../notes\"\n");
  const auto declared = Run(kSearch, {{"query", "x"}});
  ASSERT_FALSE(declared.ok());
  EXPECT_EQ(declared.error().hint,
            "'sibyl source sync' fetches and pins those that sibyl.toml declares");
}

// A mapped page beyond a file's new end would kill the process.
TEST_F(EvidenceOperations, DumpReadsAFileThatIsShortenedMeanwhile) {
  std::string noise;
  for (std::uint32_t i = 0, x = 1; i < 150'000; ++i) {
    x = x * 1103515245 + 12345;
    noise += std::to_string(x >> 8) + (i % 8 == 0 ? "\n" : " ");
  }
  Write("notes/noise.txt", noise);
  Answer(kSourceAdd, {{"origin", "notes"}});
  Answer(kSearch, {{"query", "gadget"}});
  const std::string bytes = *ReadFile(FilesBelow("store/index/segments").at(0));
  const fs::path file = Write("segment", bytes);
  std::jthread writer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      fs::resize_file(file, 0);
      std::ofstream(file, std::ios::binary) << bytes;
    }
  });
  for (int i = 0; i < 30; ++i) {
    const auto outcome = Run(kDump, {{"file", file.string()}});
    EXPECT_TRUE(outcome.ok() || !outcome.error().message.empty());
  }
}

TEST_F(EvidenceOperations, SearchFindsThePagesFirst) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  Write("oracle/cuda/01-streams.md",
        "# Streams and events\n\n## 1. Ordering\n\nWork in one stream runs in order.\n\n"
        "## 2. Priorities\n\nA stream of high priority runs its pending blocks first.\n");
  Write("oracle/cuda/INDEX.md", "# Index\n\n- stream priority\n");
  const Json found = Answer(kSearch, {{"query", "priority of streams"}});
  ASSERT_TRUE(found.contains("pages")) << found.dump(1);
  const Json& page = found["pages"][0];
  EXPECT_EQ(page["page"], "cuda/01-streams.md");
  EXPECT_EQ(page["topic"], "cuda");
  EXPECT_EQ(page["title"], "Streams and events");
  EXPECT_EQ(page["heading"], "2. Priorities");
  EXPECT_EQ(page["anchor"], "2-priorities");
  EXPECT_NE(page["snippet"]["text"].get<std::string>().find("high priority"), std::string::npos);
  for (const char* filter : {"source", "path", "language"}) {
    const Result<Outcome> filtered =
        Run(kSearch, {{"query", "priority of streams"}, {filter, "notes"}});
    EXPECT_TRUE(!filtered.ok() || !filtered->data.contains("pages")) << filter;
  }
  EXPECT_FALSE(Answer(kSearch, {{"query", "entirely different words"}}).contains("pages"));
}

TEST_F(EvidenceOperations, ACloneWithoutItsSourcesIsSearchedInItsPages) {
  Answer(kSourceAdd, {{"origin", "notes"}});
  Write("oracle/cuda/01-streams.md",
        "# Streams\n\nA stream of high priority runs its pending blocks first.\n");
  std::filesystem::remove_all(folder_.path() / "store");
  std::filesystem::remove_all(folder_.path() / "notes");
  const Result<Outcome> found = Run(kSearch, {{"query", "stream priority"}});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_TRUE(found->holds);
  EXPECT_EQ(found->data["pages"][0]["page"], "cuda/01-streams.md");
  for (const Finding& finding : found->findings) EXPECT_EQ(finding.severity, Severity::kNote);
  EXPECT_FALSE(Run(kSearch, {{"query", "unicorns"}})->holds);
}

}  // namespace
}  // namespace sibyl::engine
