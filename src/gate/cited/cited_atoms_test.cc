// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_atoms.h"

#include <gtest/gtest.h>

#include "gate/knowledge.h"
#include "gate/test_book.h"

namespace sibyl::gate {
namespace {

using Strings = std::vector<std::string>;

TEST(CitedNames, MustStandInTheCitedLines) {
  const TestBook book;
  const TestFile file(
      book,
      "`NO_DEFAULT_PATH` in `cmake/Profiler.cmake` keeps system folders out.[^1]\n\n"
      "Setting `PROF_LIBRARIES` turns it on.[^1]\n\n"
      "`USE_PROF` is set then.[^1]\n\n" +
          book.Define("1", "cmake/Profiler.cmake:3-5"));
  const auto judgements = JudgeNames(file.cited());
  EXPECT_EQ(Failures(judgements), (Strings{"3 ident/unknown absent", "5 ident/unknown absent"}));
  for (const statement::Judgement& judgement : judgements) {
    if (judgement.text == "PROF_LIBRARIES") {
      EXPECT_EQ(judgement.nearest, "PROF_LIBRARY");
    }
    if (judgement.text == "USE_PROF") {
      EXPECT_EQ(judgement.nearest, "cmake/Profiler.cmake:7");
    }
  }
}

TEST(CitedNames, AreNotCalledAbsentWhenThereWasTooMuchToRead) {
  const TestBook book;
  book.git().Write("long.txt", "\n\n\n\n" + std::string(900'000, 'x') + "\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  std::string text = "# Long\n\n";
  for (int i = 0; i < 700; ++i) text += "Then `NAME_" + std::to_string(i) + "` is used.[^1]\n\n";
  const TestFile file(book, text + book.Define("1", "long.txt"));
  const statement::VerdictCounts counts = statement::CountVerdicts(JudgeNames(file.cited()));
  EXPECT_GT(counts.absent, 80U);
  EXPECT_GT(counts.undecidable, 50U);
}

TEST(CitedNames, AreLookedForElsewhereInTheirSource) {
  const TestBook book;
  const CitationResolver resolver = book.Resolver();
  OraclePages oracle(book.oracle().oracle());
  std::vector<PageText> texts;
  texts.push_back({.path = "a/01-b.md",
                   .name = "a/01-b.md",
                   .text = "`NO_DEFAULT_PATH` keeps them out.[^1] `NO_SUCH_PATH` does too.[^1]\n\n"
                           "## Sources\n" +
                           book.Define("1", "README.md:3")});
  Pages pages = ReadPages(std::move(texts));
  const PageChecks checks{.resolver = resolver, .oracle = oracle};
  ResolvePages(pages, checks);
  std::vector<statement::Judgement> absent;
  auto judgements = JudgePages(pages, checks);
  for (statement::Judgement& judgement : judgements[0]) {
    if (judgement.Fails()) absent.push_back(std::move(judgement));
  }
  ASSERT_EQ(absent.size(), 2U);
  EXPECT_EQ(absent[0].nearest, "cmake/Profiler.cmake:5");
  EXPECT_NE(absent[1].reason.find("it is nowhere in gadget"), std::string::npos);
}

TEST(CitedNames, AreHeldInWordsOfTheWriterAlone) {
  const TestBook book;
  const TestFile file(book,
                      "> `NO_SUCH_NAME` is quoted.[^1]\n\n```cmake\nNO_SUCH_NAME()\n```\n[^1]\n\n"
                      "Plain NO_SUCH_NAME here.[^1]\n\n`NO_SUCH_NAME` without a receipt.\n\n" +
                          book.Define("1", "README.md:3"));
  EXPECT_TRUE(JudgeNames(file.cited()).empty());
}

TEST(CitedNames, MayBeSpeltInAnotherWay) {
  const TestBook book;
  book.git().Write("run.sh", "PYTHON_VERSION=3.12  # or raise PyExc_RuntimeError\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const TestFile file(book,
                      "`--python-version` is 3.12.[^1]\n\n`RuntimeError` is raised.[^1]\n\n"
                      "`--python-versions` is 3.12.[^1]\n\n`TimeError` is raised.[^1]\n\n" +
                          book.Define("1", "run.sh:1"));
  EXPECT_EQ(Failures(JudgeNames(file.cited())),
            (Strings{"5 ident/unknown absent", "7 ident/unknown absent"}));
}

TEST(CitedNames, MayBeAnOptionThatAParserDeclaresOrAPlural) {
  const TestBook book;
  book.git().Write("cli.rs", "Arg::new(\"x\").long(\"sort\")  // for `staticlib` and others\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const TestFile file(book, "`--sort` sorts `staticlib`s.[^1]\n\n`--sorted` does not.[^1]\n\n" +
                                book.Define("1", "cli.rs:1"));
  EXPECT_EQ(Failures(JudgeNames(file.cited())), (Strings{"3 ident/unknown absent"}));
}

TEST(CitedNames, MayBeAPartOfThePathInAnotherStyle) {
  const TestBook book;
  book.git().Write("gadget_core/optical_flow.cc", "int f() { return 4; }\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const TestFile file(book,
                      "`gadget.core` has it.[^1]\n\n`OpticalFlow` has it.[^1]\n\n"
                      "`gadget.cores` has it.[^1]\n\n`OPTICAL_FLOW` has it.[^1]\n\n" +
                          book.Define("1", "gadget_core/optical_flow.cc:1"));
  EXPECT_EQ(Failures(JudgeNames(file.cited())),
            (Strings{"5 ident/unknown absent", "7 ident/unknown absent"}));
}

TEST(CitedNames, LiteralsThatAreAlmostThereAreRefused) {
  const TestBook book;
  book.git().Write("notes.md", "Write `[skip-docs]`, or edit `~/.config/gad/config.yaml`.\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const TestFile file(book,
                      "Write `[skip-docs]`.[^1]\n\nWrite `[no-docs]`.[^1]\n\n"
                      "Edit `~/.config/gad/gad.yaml`.[^1]\n\nUse `[a-b-c]`.[^1]\n\n" +
                          book.Define("1", "notes.md:1"));
  Strings found;
  for (const statement::Judgement& judgement : JudgeNames(file.cited())) {
    if (judgement.message.find("which have") != std::string::npos) {
      found.push_back(judgement.nearest);
    }
  }
  EXPECT_EQ(found, (Strings{"[skip-docs]", "~/.config/gad/config.yaml"}));
}

TEST(CitedNames, AWholeNameIsMeant) {
  const TestBook book;
  const TestFile file(book, "`PROF_LIB` and `LIBRARY` are set.[^1]\n\n" +
                                book.Define("1", "cmake/Profiler.cmake:3"));
  EXPECT_EQ(Failures(JudgeNames(file.cited())).size(), 2U);
}

TEST(CitedNames, AReceiptOfTheParagraphSupportsToo) {
  const TestBook book;
  const TestFile file(book, "`USE_PROF` is set.[^1] `PROF_LIBRARY` was found.[^2]\n\n" +
                                book.Define("1", "cmake/Profiler.cmake:3") +
                                book.Define("2", "cmake/Profiler.cmake:7"));
  for (const statement::Judgement& judgement : JudgeNames(file.cited())) {
    EXPECT_EQ(judgement.verdict, statement::Verdict::kSupported) << judgement.text;
    if (judgement.text == "USE_PROF") {
      EXPECT_TRUE(judgement.message.ends_with("for another sentence of the paragraph"));
    }
  }
}

TEST(CitedNames, AQualifiedNameHoldsByItsLastPart) {
  const TestBook book;
  const TestFile file(book, "`gadget::PROF_LIBRARY` and `gadget::NO_LIBRARY` exist.[^1]\n\n" +
                                book.Define("1", "cmake/Profiler.cmake:3"));
  const auto judgements = JudgeNames(file.cited());
  ASSERT_EQ(judgements.size(), 2U);
  EXPECT_EQ(judgements[0].verdict, statement::Verdict::kSupported);
  EXPECT_EQ(judgements[1].verdict, statement::Verdict::kAbsent);
}

TEST(CitedNames, APathHoldsByBeingCited) {
  const TestBook book;
  const TestFile file(book,
                      "See `cmake/Profiler.cmake`, `Profiler.cmake` and `cmake/Other.cmake`."
                      "[^1]\n\n" +
                          book.Define("1", "cmake/Profiler.cmake:3"));
  EXPECT_EQ(Failures(JudgeNames(file.cited())), Strings{"1 ident/unknown absent"});
}

TEST(CitedNames, MayBeAnEndingOrBeginWithAnotherCase) {
  const TestBook book;
  book.git().Write("names.txt", "80-virtual and 90-real, atomicAdd_block\nclusterPolicy.deploy\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const TestFile file(book,
                      "`-virtual`, `_block` and `ClusterPolicy` are there.[^1]\n\n"
                      "`-static` and `_warp` and `ClusterRole` are not.[^1]\n\n" +
                          book.Define("1", "names.txt:1-2"));
  EXPECT_EQ(
      Failures(JudgeNames(file.cited())),
      (Strings{"3 ident/unknown absent", "3 ident/unknown absent", "3 ident/unknown absent"}));
}

}  // namespace
}  // namespace sibyl::gate
