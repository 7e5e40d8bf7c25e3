// SPDX-License-Identifier: Apache-2.0
#include "references/kept/kept_verdicts.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"
#include "git/test_git.h"
#include "references/kept/verdict_json.h"

namespace sibyl::references {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kThreeFunctions =
    "fn first() {\n    one();\n}\n\nfn second() {\n    two();\n}\n\nfn third() {\n    "
    "three();\n}\n";
const std::string kMovedDown =
    "// a\n// b\n// c\n// d\n// e\n// f\n" + std::string(kThreeFunctions);

class Kept : public testing::Test {
 protected:
  Kept() {
    git_.Write("src/a.rs", kThreeFunctions);
    git_.Write("doc.md", "`second` (`src/a.rs:5-7`) calls two.\n");
    git_.Write("other.md", "`third` (`src/a.rs:9-11`), see `src/gone.rs:3`.\n");
    git_.Commit();
  }

  // Every member of every answer, in lines.
  std::string Check(const fs::path& cache, bool keeps = true) {
    const auto location = FindGitRepository(git_.folder());
    const auto repository = Repository::Open(**location);
    auto checked = CheckDocuments({.documents = **repository,
                                   .code = **repository,
                                   .paths = DocumentsOf(**repository),
                                   .cache = cache,
                                   .keeps_cache = keeps});
    EXPECT_TRUE(checked.ok());
    std::string all;
    for (const CheckedDocument& document : *checked) {
      all += document.path + "\n";
      for (const CheckedReference& one : document.references) {
        all += FormatJson(AsJson(one), JsonLayout::kCompact) + "\n";
      }
    }
    return all;
  }

  fs::path File() const {
    for (const auto& entry : fs::directory_iterator(cache_)) {
      if (entry.path().filename().string().starts_with("verdicts-")) return entry.path();
    }
    return {};
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
  fs::path cache_ = folder_.path() / "cache";
};

TEST_F(Kept, AnswersAreTheSameWithAndWithoutThem) {
  git_.Write("src/a.rs", kMovedDown);
  const std::string without = Check({});
  EXPECT_EQ(Check(cache_), without);
  EXPECT_FALSE(File().empty());
  EXPECT_EQ(Check(cache_), without);
}

TEST_F(Kept, AnUnchangedRepositoryIsAnsweredFromThem) {
  Check(cache_);
  // What is written there is what is answered.
  std::string bytes = ReadFile(File()).value();
  const std::string body = bytes.substr(bytes.find('\n') + 1);
  Json json = ParseJson(body).value();
  json[0][4][0][4] = "as it was kept";
  const std::string changed = FormatJson(json, JsonLayout::kCompact);
  ASSERT_TRUE(
      WriteFileAtomically(File(), "sibyl verdicts 1 " + Sha256(changed) + "\n" + changed).ok());
  EXPECT_NE(Check(cache_).find("as it was kept"), std::string::npos);
}

TEST_F(Kept, AChangedFileIsJudgedAnew) {
  const std::string before = Check(cache_);
  git_.Write("src/a.rs", kMovedDown);
  const std::string after = Check(cache_);
  EXPECT_NE(after, before);
  EXPECT_EQ(after, Check({}));
}

TEST_F(Kept, AChangedDocumentIsJudgedAnew) {
  Check(cache_);
  git_.Write("doc.md", "`third` (`src/a.rs:1`) is first.\n");
  EXPECT_EQ(Check(cache_), Check({}));
}

TEST_F(Kept, ANewFileAndANewCommitAreSeen) {
  Check(cache_);
  git_.Write("src/gone.rs", kThreeFunctions);
  EXPECT_EQ(Check(cache_), Check({}));
  git_.Commit();
  EXPECT_EQ(Check(cache_), Check({}));
}

TEST_F(Kept, AFileThatIsIgnoredNowIsSeen) {
  Check(cache_);
  git_.Write(".gitignore", "gone.rs\n");
  const std::string ignored = Check(cache_);
  EXPECT_EQ(ignored, Check({}));
  git_.Write(".gitignore", "nothing\n");
  EXPECT_NE(Check(cache_), ignored);
}

TEST_F(Kept, DamagedAndForeignFilesAreIgnoredAndReplaced) {
  const std::string right = Check(cache_);
  const fs::path file = File();
  const std::string bytes = ReadFile(file).value();
  std::string damaged = bytes;
  damaged[damaged.size() / 2] ^= 1;
  for (const std::string& other :
       {damaged, std::string(), bytes.substr(0, bytes.size() - 3), std::string("verdicts\n[]"),
        std::string("sibyl verdicts 2 x\n[]"),
        std::string("sibyl verdicts 1 ") + Sha256("[[1]]") + "\n[[1]]"}) {
    ASSERT_TRUE(WriteFileAtomically(file, other).ok());
    EXPECT_EQ(Check(cache_), right);
    EXPECT_EQ(ReadFile(file).value(), bytes);
  }
}

TEST_F(Kept, NothingIsWrittenUnlessAllowed) {
  Check(cache_, false);
  EXPECT_FALSE(fs::exists(cache_) && !File().empty());
}

TEST(VerdictJson, EveryMemberSurvives) {
  CheckedReference one;
  one.reference = {.form = Form::kLink,
                   .line = 3,
                   .begin = 10,
                   .end = 20,
                   .text = "a.rs:5-7",
                   .path = "a.rs",
                   .mentioned = "src/a.rs",
                   .base = "src/",
                   .commit = "abc",
                   .repository = "o/r",
                   .lines = {5, 7},
                   .is_approximate = true,
                   .numbers = {{15, 16, false}, {17, 18, true}},
                   .path_begin = 10,
                   .path_end = 14,
                   .claim = {}};
  one.judged = {.status = CitationStatus::kDrifted,
                .target = {"src/a.rs", {5, 7}},
                .suggestion = Target{"src/b.rs", {9, 11}},
                .is_certain = true,
                .symbol = "run",
                .commit = "def",
                .reason = "why"};
  const auto read = CheckedFromJson(AsJson(one));
  ASSERT_TRUE(read);
  EXPECT_EQ(AsJson(*read), AsJson(one));
  EXPECT_EQ(read->reference.numbers, one.reference.numbers);
  EXPECT_EQ(read->judged.suggestion, one.judged.suggestion);
  Json short_one = AsJson(one);
  short_one.erase(short_one.size() - 1);
  EXPECT_FALSE(CheckedFromJson(short_one));
  Json other = AsJson(one);
  other[0] = "x";
  EXPECT_FALSE(CheckedFromJson(other));
}

}  // namespace
}  // namespace sibyl::references
