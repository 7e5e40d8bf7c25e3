// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/reading_operations.h"

#include <gtest/gtest.h>

#include <string>

#include "engine/agent/agent_operations.h"
#include "engine/evidence_operations.h"
#include "engine/test_operations.h"
#include "git/test_git.h"

namespace sibyl::engine {
namespace {

class ReadingOperations : public OperationTest {
 protected:
  ReadingOperations() {
    Write("notes/loader.cc", "// Loads a gadget.\nint LoadGadget(int id) {\n  return id;\n}\n");
    Write("notes/deep/a.txt", "a\n");
    MakeOracle();
    EXPECT_TRUE(Run(kSourceAdd, {{"origin", "notes"}}).ok());
    const Json cited = Answer(kCite, {{"target", "loader.cc:2-4"}});
    Write("oracle/gad/01-gadgets.md",
          "# Gadgets\n\nThe function `LoadGadget` takes an int and returns its id.[^1] It takes 64 "
          "KB.[^1] It is fast.\n\n| name | what |\n| --- | --- |\n| `LoadGadget` | returns id[^1] "
          "|\n\n## Sources\n\n" +
              cited["footnote"].get<std::string>() + "\n");
  }
  Json Shown(std::vector<GivenValue> more = {}) {
    more.push_back({"file", "oracle/gad/01-gadgets.md"});
    return Answer(kPageShow, std::move(more));
  }
};

TEST_F(ReadingOperations, AStatementHasItsPlaceItsVerdictAndItsWords) {
  const Json page = Shown();
  const Json& statements = page["statements"];
  ASSERT_EQ(statements.size(), 4U) << statements.dump(1);
  const auto text = page["text"].get<std::string>();
  const std::size_t begin = statements[0]["begin"];
  const std::size_t end = statements[0]["end"];
  EXPECT_TRUE(text.substr(begin, end - begin).starts_with("The function `LoadGadget`"));
  EXPECT_EQ(statements[0]["verdict"], "supported") << statements[0].dump(1);
  EXPECT_FALSE(statements[0]["words"].empty());
  EXPECT_EQ(statements[1]["verdict"], "absent") << statements[1].dump(1);
  EXPECT_TRUE(statements[2]["citations"].empty()) << "it has no citation, and says so";
  EXPECT_EQ(statements[2]["checks"][0]["code"], "cite/missing");
  EXPECT_EQ(statements[3]["kind"], "row") << "a row is one statement";
}

// Issue 18: such sentences had no number, so that no review could draw them.
TEST_F(ReadingOperations, AFirstSentenceWithoutAMarkIsAStatement) {
  const Json cited = Answer(kCite, {{"target", "loader.cc:1-4"}});
  Write("oracle/gad/01-gadgets.md",
        "# Gadgets\n\n`LoadGadget` loads a gadget. The function takes an int and returns its "
        "id.[^1]\n\n## Sources\n\n" +
            cited["footnote"].get<std::string>() + "\n");
  const Json page = Shown();
  const Json& statements = page["statements"];
  ASSERT_EQ(statements.size(), 2U) << statements.dump(1);
  EXPECT_EQ(statements[0]["id"], 1);
  EXPECT_TRUE(statements[0]["text"].get<std::string>().starts_with("LoadGadget loads"));
  EXPECT_EQ(statements[0]["citations"], Json::array({"1"}));
  EXPECT_EQ(statements[0]["verdict"], "supported");
}

TEST_F(ReadingOperations, AReceiptHasTheLinesAndThePin) {
  const Json page = Shown({{"statement", "1"}, {"context", "1"}});
  EXPECT_FALSE(page.contains("text"));
  ASSERT_EQ(page["receipts"].size(), 1U);
  const Json& receipt = page["receipts"][0];
  EXPECT_EQ(receipt["state"], "holds");
  EXPECT_EQ(receipt["source"], "notes");
  EXPECT_EQ(receipt["lines"].size(), 4U) << "three lines and one before them";
  EXPECT_EQ(receipt["lines"][0], Json::array({1, "// Loads a gadget."}));
  EXPECT_FALSE(receipt["pinned"].get<std::string>().empty());
}

TEST_F(ReadingOperations, AStaleReceiptSaysWhereItsLinesAreNow) {
  Write("notes/loader.cc",
        "// New.\n// Loads a gadget.\nint LoadGadget(int id) {\n  return id;\n}\n");
  ASSERT_TRUE(Run(kSourceSync, {}).ok());
  const Json page = Shown({{"statement", "1"}});
  EXPECT_EQ(page["receipts"][0]["state"], "stale");
  EXPECT_EQ(page["receipts"][0]["now"]["first_line"], 3);
  EXPECT_EQ(page["statements"][0]["verdict"], "stale");
}

TEST_F(ReadingOperations, AReceiptSaysWhatHoldsInTheNewestCommit) {
  const git::TestGit git(folder_.path() / "gadget");
  git.Write("gadget.conf", "# settings\ncache = 48\n");
  git.Commit();
  ASSERT_TRUE(
      Run(kSourceAdd, {{"origin", git.folder().string()}, {"name", "gadget"}, {"ref", "main"}})
          .ok());
  const Json cited = Answer(kCite, {{"target", "gadget:gadget.conf:2"}});
  Write("oracle/gad/02-conf.md", "# Conf\n\nThe `cache` is 48.[^1]\n\n## Sources\n\n" +
                                     cited["footnote"].get<std::string>() + "\n");
  const auto newest = [&] {
    return Answer(kPageShow, {{"file", "oracle/gad/02-conf.md"}})["receipts"][0]["newest"];
  };
  EXPECT_EQ(newest()["state"], "pin");
  git.Write("other", "x");
  git.Commit();
  EXPECT_EQ(newest()["state"], "holds");
  EXPECT_EQ(newest()["date"].get<std::string>().substr(0, 10), "2026-01-02");
  git.Write("gadget.conf", "# settings\n\ncache = 48\n");
  git.Commit();
  EXPECT_EQ(newest()["state"], "moved");
  EXPECT_EQ(newest()["first_line"], 3);
  git.Write("gadget.conf", "# settings\ncache = 64\n");
  git.Commit();
  EXPECT_EQ(newest()["state"], "changed");
  git.Run({"rm", "-q", "gadget.conf"});
  git.Commit();
  EXPECT_EQ(newest()["state"], "gone");
  EXPECT_FALSE(Shown()["receipts"][0].contains("newest")) << "a folder has no commits";
}

// Issue 22: in a clone before its sources are fetched, all statements were "not decided".
TEST_F(ReadingOperations, WhatCitesAMissingSourceIsNotChecked) {
  std::filesystem::remove_all(folder_.path() / "store");
  const Json page = Shown();
  EXPECT_EQ(page["receipts"][0]["state"], "missing");
  for (const Json& statement : page["statements"]) {
    EXPECT_EQ(statement["verdict"], "unchecked") << statement.dump(1);
  }
  EXPECT_EQ(page["marks"]["unchecked"], page["statements"].size());
  EXPECT_EQ(page["marks"]["undecided"], 0);
  EXPECT_EQ(page["marks"]["fails"], 0);
}

// Issue 22: fragments were "not checked here", as if their source were missing, and whole programs
// "not decided", though neither had been given to a tool.
TEST_F(ReadingOperations, CodeThatNoToolHasReadIsInAStateOfItsOwn) {
  const std::string footnote = Answer(kCite, {{"target", "loader.cc:2-4"}})["footnote"];
  Write(
      "oracle/gad/03-code.md",
      "# Code\n\n```python example\nLoadGadget(1)\n```\n\nThe fragment.[^1]\n\nThe program:[^1]\n\n"
      "```cpp example\n#include <x>\nint main() { return LoadGadget(1); }\n```\n\n## Sources\n\n" +
          footnote + "\n");
  const auto show = [&] { return Answer(kPageShow, {{"file", "oracle/gad/03-code.md"}}); };
  Json page = show();
  EXPECT_GE(page["marks"]["unchecked_code"], 1);
  EXPECT_EQ(page["marks"]["undecided"], 0) << page["statements"].dump(1);
  EXPECT_EQ(page["marks"]["unchecked"], 0);
  for (const Json& statement : page["statements"]) {
    if (statement["kind"] != "code") continue;
    EXPECT_EQ(statement["verdict"], "unchecked_code") << statement.dump(1);
  }
  std::filesystem::remove_all(folder_.path() / "store");
  page = show();
  EXPECT_EQ(page["marks"]["unchecked_code"], 0) << "first of all, what it cites is not here";
  EXPECT_GE(page["marks"]["unchecked"], 1);
}

TEST_F(ReadingOperations, WhatCitesASourceThatIsNotPinnedFails) {
  ASSERT_TRUE(Run(kSourceRemove, {{"name", "notes"}}).ok());
  const Json page = Shown();
  EXPECT_EQ(page["receipts"][0]["state"], "broken");
  EXPECT_EQ(page["statements"][0]["verdict"], "absent");
}

TEST_F(ReadingOperations, PagesAreListedWithWhatHolds) {
  const Json pages = Answer(kPageList, {})["pages"];
  ASSERT_FALSE(pages.empty());
  bool has_page = false;
  for (const Json& page : pages) {
    if (page["file"] != "gad/01-gadgets.md") continue;
    has_page = true;
    EXPECT_EQ(page["title"], "Gadgets");
    EXPECT_EQ(page["topic"], "gad");
    EXPECT_EQ(page["citations"], 1);
    EXPECT_GE(page["counts"]["absent"], 2);
  }
  EXPECT_TRUE(has_page);
}

// Issue 22: the first page counted checks, and the pages statements.
TEST_F(ReadingOperations, AListAndAPageCountTheSame) {
  const std::string page = Read("gad/01-gadgets.md");
  Write("oracle/gad/01-gadgets.md",
        page + "\n## Code\n\n```cpp\nint main() { return LoadGadget(1); }\n```\n");
  const Json shown = Shown();
  std::size_t units = 0;
  for (const auto& [name, count] : shown["marks"].items()) units += count.get<std::size_t>();
  EXPECT_EQ(units, shown["statements"].size()) << shown["marks"];
  EXPECT_GE(shown["marks"]["fails"], 1);
  EXPECT_GE(shown["marks"]["holds"], 1);
  const Json list = Answer(kPageList, {});
  for (const Json& listed : list["pages"]) {
    if (listed["file"] != "gad/01-gadgets.md") continue;
    EXPECT_EQ(listed["marks"], shown["marks"]);
  }
}

// Issue 22: a log of reviews crowded the results.
TEST_F(ReadingOperations, PagesWithoutFootnotesAreFoundLastAndFew) {
  std::string log = "# Notes\n";
  for (int i = 0; i < 12; ++i) {
    log +=
        "\n## LoadGadget " + std::to_string(i) + "\n\nLoadGadget was read. LoadGadget is fine.\n";
  }
  Write("oracle/notes.md", log);
  const Json found = Answer(kSearch, {{"query", "LoadGadget"}});
  std::size_t logs = 0;
  for (const Json& page : found["pages"]) {
    logs += page["page"] == "notes.md" ? 1 : 0;
    EXPECT_TRUE(logs == 0 || page["page"] == "notes.md") << found["pages"];
  }
  EXPECT_EQ(found["pages"][0]["page"], "gad/01-gadgets.md");
  EXPECT_EQ(logs, 2U);
  const Json lines = Answer(kSearch, {{"regex", "LoadGadget"}});
  EXPECT_EQ(lines["page_matches"].front()["page"], "gad/01-gadgets.md");
  EXPECT_EQ(lines["page_matches"].back()["page"], "notes.md");
}

TEST_F(ReadingOperations, ASnippetSaysWhetherItBeginsInCode) {
  Write("oracle/gad/02-code.md",
        "# Code[^1]\n\n```cpp\nint a;\nSpinWidget(3);\n```\n\nOutside SpinGasket.\n\n[^1]: x\n");
  const auto first = [&](const char* pattern) {
    return Answer(kSearch, {{"regex", pattern}})["page_matches"][0];
  };
  EXPECT_EQ(first("SpinWidget")["in_code"], true);
  EXPECT_EQ(first("SpinGasket")["in_code"], false);
}

TEST_F(ReadingOperations, AFolderOfASourceIsListed) {
  const Json root = Answer(kSourceFiles, {{"name", "notes"}});
  EXPECT_EQ(root["folders"], Json::array({"deep"}));
  EXPECT_EQ(root["files"], Json::array({"loader.cc"}));
  EXPECT_EQ(Answer(kSourceFiles, {{"name", "notes"}, {"folder", "deep/"}})["files"],
            Json::array({"a.txt"}));
  EXPECT_EQ(Run(kSourceFiles, {{"name", "notes"}, {"folder", "x"}}).error().kind,
            ErrorKind::kNotFound);
  EXPECT_EQ(Run(kSourceFiles, {{"name", "x"}}).error().kind, ErrorKind::kNotFound);
}

TEST_F(ReadingOperations, LinesAreThoseOfTheCitation) {
  // A carriage return does not end a line; that of CR LF is not shown.
  Write("notes/mixed.txt", "first\rstill first\r\nzweite größe = 4\r\n\tthird\r\n" +
                               std::string(3'000, 'x') + " größe = 9 " + std::string(3'000, 'y') +
                               "\r\n");
  ASSERT_TRUE(Run(kSourceSync, {}).ok());
  const auto receipt = [&](const std::string& target) {
    const Json cited = Answer(kCite, {{"target", target}});
    Write("oracle/gad/03-mixed.md", "# Mixed\n\nThe größe is 4.[^1]\n\n## Sources\n\n" +
                                        cited["footnote"].get<std::string>() + "\n");
    return Answer(kPageShow, {{"file", "oracle/gad/03-mixed.md"}})["receipts"][0];
  };
  const Json two = receipt("notes:mixed.txt:1-3");
  ASSERT_EQ(two["lines"].size(), 3U) << two.dump(1);
  EXPECT_EQ(two["lines"][0], Json::array({1, "first␍still first"}));
  EXPECT_EQ(two["lines"][1], Json::array({2, "zweite größe = 4"}));
  EXPECT_EQ(two["lines"][2], Json::array({3, "\tthird"}));
  EXPECT_EQ(two["file_lines"], 4);
  const Json read = Answer(kSourceRead, {{"target", "notes:mixed.txt"}, {"lines", "2"}});
  EXPECT_EQ(read["text"], "1\tfirst\rstill first\n2\tzweite größe = 4\n");
}

TEST_F(ReadingOperations, ARemarkIsNotAReceipt) {
  const Json cited = Answer(kCite, {{"target", "loader.cc:2-4"}});
  Write("oracle/gad/04-remark.md",
        "# Remarks\n\nThe function `LoadGadget` returns its id.[^1][^why] It is old.[^why] It is "
        "new.[^broken]\n\n## Sources\n\n" +
            cited["footnote"].get<std::string>() +
            "\n[^why]: A remark of the author.\n[^broken]: x <!-- swh:1:cnt:00 -->\n");
  const Json page = Answer(kPageShow, {{"file", "oracle/gad/04-remark.md"}});
  EXPECT_EQ(page["notes"], Json::parse(R"([{"label":"why","line":8}])")) << page.dump(1);
  ASSERT_EQ(page["statements"].size(), 2U) << "a sentence with a remark alone has no receipt";
  EXPECT_EQ(page["statements"][0]["citations"], Json::array({"1"}));
  EXPECT_EQ(page["statements"][0]["verdict"], "supported");
  EXPECT_EQ(page["receipts"].size(), 2U);
  EXPECT_EQ(page["receipts"][1]["label"], "broken");
  EXPECT_EQ(page["receipts"][1]["state"], "broken");
}

}  // namespace
}  // namespace sibyl::engine
