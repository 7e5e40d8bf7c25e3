// SPDX-License-Identifier: Apache-2.0
#include "audit/witness.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "audit/test_witness.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kGadgetSource = 0;
constexpr std::size_t kToolkitSource = 1;

const Witness& TwoSources() {
  static const TestWitness* const kSources = new TestWitness(
      {{.name = "gadget",
        .files = {{"docs/queue.md",
                   "# Queue\n\nThe queue_limit is 64.\nA QUEUE_LIMIT of 0 turns it off.\n"
                   "Ümlaut and queue_limits.\n"},
                  {"src/queue.cc", "int queue_limit = 64;\r\nint queueLimit() { return 1; }\r\n"},
                  {"src/queue/list.h", "#pragma once\n"},
                  {"README.md", "Gadget drops the oldest entry.\n"}}},
       {.name = "toolkit",
        .files = {{"include/queue.h", "// queue_limit is not ours\nvoid queue_open();\n"},
                  {"src/queue.cc", "void queue_close() {}\n"}}}});
  return **kSources;
}

std::vector<std::string> PathsOf(const std::vector<Witness::File>& files) {
  std::vector<std::string> paths;
  for (const Witness::File& file : files) paths.push_back(file.path);
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST(Witness, FindsAWordWithItsLine) {
  const auto found = TwoSources().FindWord("queue_open");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->source, kToolkitSource);
  EXPECT_EQ(found->path, "include/queue.h");
  EXPECT_EQ(found->line, 2U);
  EXPECT_EQ(found->text, "void queue_open();");
  EXPECT_EQ(TwoSources().Show(*found), "toolkit@0123abc include/queue.h:2");
}

TEST(Witness, FindsOnlyExactlyTheseLettersAsAWholeWord) {
  EXPECT_TRUE(TwoSources().FindWord("QUEUE_LIMIT").has_value());
  EXPECT_TRUE(TwoSources().FindWord("queueLimit").has_value());
  EXPECT_FALSE(TwoSources().FindWord("Queue_Limit").has_value());
  EXPECT_FALSE(TwoSources().FindWord("queue_lim").has_value());
  EXPECT_FALSE(TwoSources().FindWord("ueue_limit").has_value());
  EXPECT_TRUE(TwoSources().FindWord("Ümlaut").has_value());
  EXPECT_FALSE(TwoSources().FindWord("mlaut").has_value()) << "a letter goes on before it";
}

TEST(Witness, LooksIntoOneSourceOnly) {
  EXPECT_EQ(TwoSources().FindWord("queue_limit", kToolkitSource)->path, "include/queue.h");
  EXPECT_EQ(TwoSources().FindWord("queue_limit", kGadgetSource)->source, kGadgetSource);
  EXPECT_FALSE(TwoSources().FindWord("queue_open", kGadgetSource).has_value());
}

TEST(Witness, HasNoPlaceForNothing) {
  EXPECT_FALSE(TwoSources().FindWord("").has_value());
  EXPECT_FALSE(TwoSources().FindText("").has_value());
  EXPECT_FALSE(TwoSources().FindText(" \n ::").has_value());
  EXPECT_TRUE(TwoSources().VisitLines({}, 10, [](const Sighting&) { return true; }));
  EXPECT_FALSE(TwoSources().FindWord(std::string(100'000, 'x')).has_value());
  EXPECT_FALSE(TwoSources().FindWord("\xFF\xFE").has_value());
}

// What is remembered of one question is not the answer to another.
TEST(Witness, DoesNotConfuseASourceWithAWordOfTheText) {
  const TestWitness made({{.name = "one", .files = {{"a.md", "nothing here\n"}}},
                          {.name = "two", .files = {{"b.md", "the word\n"}}}});
  EXPECT_FALSE((*made).FindWord("1 word").has_value());
  EXPECT_TRUE((*made).FindWord("word", 1).has_value());
  EXPECT_FALSE((*made).FindWord("0 = word").has_value());
  EXPECT_TRUE((*made).FindText("word").has_value());
}

TEST(Witness, AnswersTheSameWhenItIsAskedAgain) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(TwoSources().FindWord("queue_close")->line, 1U);
    EXPECT_FALSE(TwoSources().FindWord("queue_none").has_value());
    EXPECT_TRUE(TwoSources().FindText("drops the oldest").has_value());
  }
}

TEST(Witness, VisitsEveryPlaceOfAWordUntilItIsTold) {
  std::vector<std::string> places;
  TwoSources().VisitWord("queue_limit", {}, 100, [&](const Sighting& sighting) {
    places.push_back(TwoSources().Show(sighting));
    return true;
  });
  EXPECT_EQ(
      std::set<std::string>(places.begin(), places.end()),
      (std::set<std::string>{"gadget@0123abc docs/queue.md:3", "gadget@0123abc src/queue.cc:1",
                             "toolkit@0123abc include/queue.h:1"}));
  std::size_t seen = 0;
  TwoSources().VisitWord("queue_limit", {}, 100, [&](const Sighting&) { return ++seen < 2; });
  EXPECT_EQ(seen, 2U);
  seen = 0;
  TwoSources().VisitWord("queue_limit", {}, 1, [&](const Sighting&) { return ++seen > 0; });
  EXPECT_EQ(seen, 1U) << "up to the limit";
}

TEST(Witness, FindsATextWithNoWordGoingOnAtItsEnds) {
  EXPECT_EQ(TwoSources().FindText("drops the oldest entry")->path, "README.md");
  EXPECT_EQ(TwoSources().FindText("limit = 64;"), std::nullopt);
  EXPECT_FALSE(TwoSources().FindText("drops the old").has_value());
  EXPECT_FALSE(TwoSources().FindText("drops  the oldest").has_value()) << "exactly these bytes";
  EXPECT_FALSE(TwoSources().FindText("oldest entry drops").has_value());
  EXPECT_FALSE(TwoSources().FindText("drops the oldest entry", kToolkitSource).has_value());
}

TEST(Witness, VisitsLinesThatHaveAllWordsInWhateverLetters) {
  std::vector<std::size_t> lines;
  EXPECT_TRUE(TwoSources().VisitLines({"queue_limit", "turns"}, 100, [&](const Sighting& at) {
    lines.push_back(at.line);
    return true;
  }));
  EXPECT_EQ(lines, std::vector<std::size_t>{4});
  lines.clear();
  TwoSources().VisitLines({"queue_limit", "oldest"}, 100, [&](const Sighting& at) {
    lines.push_back(at.line);
    return true;
  });
  EXPECT_TRUE(lines.empty()) << "both are there, but in no line together";
}

TEST(Witness, SaysWhenItDidNotLookAtAllPassages) {
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 0; i < 5; ++i) files.push_back({"f" + std::to_string(i) + ".md", "common word\n"});
  const TestWitness made({{.name = "many", .files = files}});
  std::size_t seen = 0;
  const auto count = [&](const Sighting&) { return ++seen > 0; };
  EXPECT_TRUE((*made).VisitLines({"common"}, 5, count));
  EXPECT_EQ(seen, 5U);
  seen = 0;
  EXPECT_FALSE((*made).VisitLines({"common"}, 3, count));
  EXPECT_EQ(seen, 3U);
}

TEST(Witness, FindsAWordThatMostPassagesSpellOtherwise) {
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 100; i < 200; ++i) files.push_back({std::to_string(i) + ".md", "GADGET runs\n"});
  files.push_back({"zz.md", "gadget runs\n"});
  const TestWitness made({{.name = "many", .files = files}});
  ASSERT_TRUE((*made).FindWord("gadget").has_value());
  EXPECT_EQ((*made).FindWord("gadget")->path, "zz.md");
  EXPECT_FALSE((*made).FindWord("Gadget").has_value());
}

TEST(Witness, CountsPassagesInWhateverLetters) {
  EXPECT_EQ(TwoSources().CountPassages("queue_open"), 1U);
  EXPECT_EQ(TwoSources().CountPassages("queue_open", kGadgetSource), 0U);
  EXPECT_GE(TwoSources().CountPassages("queue_limit"), 3U);
  EXPECT_EQ(TwoSources().CountPassages("nowhere"), 0U);
}

TEST(Witness, ListsNamesByTheirBeginning) {
  EXPECT_EQ(TwoSources().NamesWithPrefix(kToolkitSource, "queue_", 10),
            (std::vector<std::string>{"queue_close", "queue_limit", "queue_open"}));
  EXPECT_EQ(TwoSources().NamesWithPrefix(kToolkitSource, "queue_", 2).size(), 2U);
  EXPECT_TRUE(TwoSources().NamesWithPrefix(kToolkitSource, "zeppelin", 10).empty());
}

TEST(Witness, ListsNamesByAPart) {
  EXPECT_EQ(TwoSources().NamesContaining(kGadgetSource, "limit", 10),
            (std::vector<std::string>{"queue_limit", "queue_limits", "queuelimit"}));
  EXPECT_EQ(TwoSources().NamesContaining(kGadgetSource, "limit", 1).size(), 1U);
  EXPECT_TRUE(TwoSources().NamesContaining(kToolkitSource, "umlaut", 10).empty());
}

TEST(Witness, KnowsHowAWordIsSpelled) {
  const auto spelled = TwoSources().FindSpelling("queuelimit", kGadgetSource);
  ASSERT_TRUE(spelled.has_value());
  EXPECT_EQ(spelled->word, "queueLimit");
  EXPECT_EQ(spelled->sighting.path, "src/queue.cc");
  EXPECT_FALSE(TwoSources().FindSpelling("queuelimit", kToolkitSource).has_value());
}

TEST(Witness, FindsFilesByTheEndOfTheirPath) {
  EXPECT_EQ(PathsOf(TwoSources().FindFiles("queue.cc")),
            (std::vector<std::string>{"src/queue.cc", "src/queue.cc"}));
  EXPECT_EQ(PathsOf(TwoSources().FindFiles("src/queue.cc")).size(), 2U);
  EXPECT_EQ(PathsOf(TwoSources().FindFiles("queue/list.h")),
            std::vector<std::string>{"src/queue/list.h"});
  EXPECT_TRUE(TwoSources().FindFiles("ueue.cc").empty()) << "whole names of folders and files";
  EXPECT_TRUE(TwoSources().FindFiles("/src/queue.cc").empty());
  EXPECT_TRUE(TwoSources().FindFiles("").empty());
  EXPECT_TRUE(TwoSources().FindFiles("src/").empty());
}

TEST(Witness, KnowsFoldersAndWhatIsInThem) {
  EXPECT_TRUE(TwoSources().HasFolder(kGadgetSource, "src"));
  EXPECT_TRUE(TwoSources().HasFolder(kGadgetSource, "src/queue/"));
  EXPECT_FALSE(TwoSources().HasFolder(kGadgetSource, "queue"));
  EXPECT_FALSE(TwoSources().HasFolder(kToolkitSource, "docs"));
  EXPECT_EQ(TwoSources().FilesIn(kGadgetSource, "src"), std::vector<std::string>{"queue.cc"});
  EXPECT_TRUE(TwoSources().FilesIn(kGadgetSource, "sr").empty());
  EXPECT_TRUE(TwoSources().HasFile(kGadgetSource, "docs/queue.md"));
  EXPECT_FALSE(TwoSources().HasFile(kGadgetSource, "queue.md")) << "from the root of the source";
  EXPECT_FALSE(TwoSources().HasFile(kToolkitSource, "docs/queue.md"));
}

TEST(Witness, ReadsAFileWhole) {
  const auto files = TwoSources().FindFiles("include/queue.h");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(TwoSources().ReadText(files[0]), "// queue_limit is not ours\nvoid queue_open();\n");
  EXPECT_EQ(TwoSources().Show(files[0]), "toolkit@0123abc include/queue.h");
}

TEST(Witness, ABestPlaceIsAFileOfThatNameOrWhereItIsDefined) {
  EXPECT_EQ(TwoSources().BestPlace("queue")->line, 1U);
  EXPECT_EQ(TwoSources().BestPlace("queue", kToolkitSource)->path, "include/queue.h");
  EXPECT_EQ(TwoSources().BestPlace("queueLimit")->path, "src/queue.cc");
  EXPECT_FALSE(TwoSources().BestPlace("zeppelin").has_value());
}

TEST(Witness, TellsThePassageOfASighting) {
  const auto found = TwoSources().FindWord("QUEUE_LIMIT");
  ASSERT_TRUE(found.has_value());
  std::size_t first_line = 0;
  const std::string passage = TwoSources().PassageOf(*found, first_line);
  const auto lines = SplitLines(passage);
  ASSERT_LT(found->line - first_line, lines.size());
  EXPECT_EQ(lines[found->line - first_line], found->text);
}

TEST(Witness, SearchesForAQuestion) {
  const auto found = TwoSources().Search("which entry is dropped, the oldest", 1);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].where.starts_with("gadget@0123abc README.md:1")) << found[0].where;
  EXPECT_NE(found[0].text.find("oldest"), std::string::npos);
  EXPECT_TRUE(TwoSources().Search("", 3).empty());
}

TEST(Witness, ASourceWithoutAPinIsShownByItsName) {
  index::TestIndex folder;
  index::MemorySource files;
  files.Add({.path = "a.md", .text = "word\n", .blob = index::BlobOf(1)});
  folder.Build(files);
  const index::Index opened = folder.Open("unknown");
  const index::Searcher searcher({&opened});
  const Witness witness(searcher, {});
  ASSERT_EQ(witness.sources().size(), 1U) << "known by its index alone";
  EXPECT_EQ(witness.ShowSource(0), "unknown");
}

TEST(Witness, EveryWordOfASourceIsFoundInIt) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < 400; ++i) words.push_back("w" + std::to_string(i * 7919) + "_x");
  std::string text;
  for (const std::string& word : words) text += "Line of " + word + " here.\n";
  const TestWitness made({{.name = "words", .files = {{"a.md", text}}}});
  EXPECT_TRUE(rc::check([&] {
    const auto at = *rc::gen::inRange<std::size_t>(0, words.size());
    const auto found = (*made).FindWord(words[at]);
    RC_ASSERT(found.has_value());
    RC_ASSERT(found->line == at + 1);
    RC_ASSERT(!(*made).FindWord(words[at] + "y").has_value());
  }));
}

TEST(Witness, AnyQuestionIsAnsweredWithoutACrash) {
  EXPECT_TRUE(rc::check([](const std::string& bytes) {
    (void)TwoSources().FindWord(bytes);
    (void)TwoSources().FindText(bytes);
    (void)TwoSources().FindFiles(bytes);
    (void)TwoSources().BestPlace(bytes);
  }));
}

}  // namespace
}  // namespace sibyl::audit
