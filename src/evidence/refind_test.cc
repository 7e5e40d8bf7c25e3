// SPDX-License-Identifier: Apache-2.0
#include "evidence/refind.h"

#include <gtest/gtest.h>

#include "evidence/evidence.h"
#include "evidence/test_oracle.h"
#include "git/test_git.h"

namespace sibyl::evidence {
namespace {

constexpr std::string_view kFunction =
    "int multiply_and_add(int a, int b, int c) {\n"
    "  return a * b + c;\n"
    "}\n";

std::string Padding(std::string_view name, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "// " + std::string(name) + " line " + std::to_string(i) + "\n";
  }
  return text;
}

/// Cites lines of a first commit, then looks for them in a second.
class RefindTest : public testing::Test {
 protected:
  RefindTest() : git_(oracle_.folder() / "r") {}

  void Start() {
    git_.Commit("one");
    const SourceSpec spec{.name = "r", .kind = SourceKind::kGit, .origin = git_.folder().string()};
    const Result<SourceChange> added = AddSource(spec, oracle_.around());
    ASSERT_TRUE(added.ok()) << added.error().message;
    old_ = added->pin;
  }

  void Cite(const std::string& target) {
    const Result<CitedText> cited = MakeCitation(target, oracle_.around());
    ASSERT_TRUE(cited.ok()) << cited.error().message;
    SourceCitation whole = cited->citation;
    whole.lines = {};
    requests_.push_back({cited->citation, ResolveCitation(whole, oracle_.around())->text});
  }

  std::vector<Refound> Move() {
    git_.Commit("two");
    const Result<SourceChange> moved = SyncSource("r", oracle_.around());
    EXPECT_TRUE(moved.ok());
    const Result<Snapshot> now = OpenSnapshot(moved->pin, oracle_.around());
    const Result<Snapshot> before = OpenSnapshot(old_, oracle_.around());
    EXPECT_TRUE(now.ok() && before.ok());
    return Refind(requests_, *now, moved->pin, {.before = &*before});
  }

  // A new citation must resolve to the same text, or it is none.
  void ExpectSameText(const Refound& refound, std::size_t request) {
    const Result<CitedText> was = ResolveCitation(requests_[request].citation, oracle_.around());
    const Result<CitedText> is = ResolveCitation(refound.citation, oracle_.around());
    ASSERT_TRUE(was.ok());
    ASSERT_TRUE(is.ok()) << is.error().message;
    EXPECT_EQ(was->text, is->text);
  }

  TestOracle oracle_;
  git::TestGit git_;
  Pin old_;
  std::vector<RefindRequest> requests_;
};

TEST_F(RefindTest, LinesThatStayAreUnchanged) {
  git_.Write("a.c", Padding("a", 5) + std::string(kFunction) + Padding("b", 5));
  git_.Write("same.c", kFunction);
  Start();
  Cite("a.c:6-8");
  Cite("same.c:1-3");
  Cite("same.c");
  git_.Write("a.c", Padding("a", 5) + std::string(kFunction) + Padding("c", 9));
  const std::vector<Refound> found = Move();
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(found[i].whereabouts, Whereabouts::kUnchanged) << i;
    ExpectSameText(found[i], i);
  }
}

TEST_F(RefindTest, LinesThatMovedAreFoundInTheirFile) {
  git_.Write("a.c", Padding("a", 5) + std::string(kFunction));
  Start();
  Cite("a.c:6-8");
  git_.Write("a.c", Padding("x", 11) + std::string(kFunction) + "int more;\n");
  const std::vector<Refound> found = Move();
  EXPECT_EQ(found[0].whereabouts, Whereabouts::kMovedInFile);
  EXPECT_EQ(found[0].citation.lines, (LineRange{12, 14}));
  ExpectSameText(found[0], 0);
}

TEST_F(RefindTest, LinesThatMovedAreFoundInAnotherFile) {
  git_.Write("a.c", Padding("a", 5) + std::string(kFunction));
  git_.Write("renamed.c", Padding("r", 9));
  Start();
  Cite("a.c:6-8");
  Cite("renamed.c:3");
  git_.Write("a.c", Padding("a", 5));
  git_.Write("b/new.c", Padding("n", 20) + std::string(kFunction));
  git_.Run({"mv", "renamed.c", "moved.c"});
  const std::vector<Refound> found = Move();
  EXPECT_EQ(found[0].whereabouts, Whereabouts::kMovedToFile);
  EXPECT_EQ(found[0].citation.path, "b/new.c");
  EXPECT_EQ(found[0].citation.lines, (LineRange{21, 23}));
  ExpectSameText(found[0], 0);
  EXPECT_EQ(found[1].whereabouts, Whereabouts::kMovedToFile);
  EXPECT_EQ(found[1].citation.path, "moved.c");
}

TEST_F(RefindTest, WhatWasEditedIsGone) {
  git_.Write("a.c", std::string(kFunction) + "\n");
  Start();
  Cite("a.c:1-3");
  Cite("a.c:1");
  git_.Write("a.c", "int multiply_and_add(int a, int b, int c) {\n  return c + a * b;\n}\n");
  const std::vector<Refound> found = Move();
  EXPECT_EQ(found[0].whereabouts, Whereabouts::kGone);
  EXPECT_EQ(found[1].whereabouts, Whereabouts::kUnchanged);
}

TEST_F(RefindTest, TwoPlacesAreNotGuessedBetween) {
  git_.Write("a.c", Padding("a", 5) + std::string(kFunction));
  Start();
  Cite("a.c:6-8");
  git_.Write("a.c",
             Padding("x", 3) + std::string(kFunction) + Padding("y", 3) + std::string(kFunction));
  const std::vector<Refound> found = Move();
  EXPECT_EQ(found[0].whereabouts, Whereabouts::kAmbiguous);
  EXPECT_EQ(found[0].candidates.size(), 2u);
}

TEST_F(RefindTest, ContextTellsTwoPlacesApart) {
  git_.Write("a.c", Padding("a", 5) + std::string(kFunction) + Padding("b", 5));
  Start();
  Cite("a.c:6-8");
  git_.Write("a.c", Padding("x", 3) + std::string(kFunction) + Padding("a", 5) +
                        std::string(kFunction) + Padding("b", 5));
  const std::vector<Refound> found = Move();
  EXPECT_EQ(found[0].whereabouts, Whereabouts::kMovedInFile);
  EXPECT_EQ(found[0].citation.lines, (LineRange{12, 14}));
}

TEST_F(RefindTest, WhatIsEverywhereIsNotFoundByItself) {
  git_.Write("a.c", "int f() {\n  return 0;\n}\n");
  Start();
  Cite("a.c:3");
  git_.Write("a.c", "int g() {\n  return 1;\n}\nint h;\n");
  const std::vector<Refound> found = Move();
  EXPECT_EQ(found[0].whereabouts, Whereabouts::kAmbiguous);
}

TEST_F(RefindTest, ACopyThatAlwaysStoodThereIsNoNewHome) {
  git_.Write("a.c", Padding("a", 5) + std::string(kFunction));
  git_.Write("vendored/a.c", Padding("v", 5) + std::string(kFunction));
  Start();
  Cite("a.c:6-8");
  git_.Write("a.c", Padding("a", 5));
  const std::vector<Refound> found = Move();
  EXPECT_EQ(found[0].whereabouts, Whereabouts::kGone);
  ASSERT_EQ(found[0].candidates.size(), 1u);
  EXPECT_EQ(found[0].candidates[0].path, "vendored/a.c");
}

}  // namespace
}  // namespace sibyl::evidence
