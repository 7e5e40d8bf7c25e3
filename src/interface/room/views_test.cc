// SPDX-License-Identifier: Apache-2.0
// Pages of the reading room from answers of operations, without a server.
#include "interface/room/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "interface/room/checking/artifact_html.h"
#include "interface/room/checking/room_check.h"
#include "interface/room/receipt_html.h"

namespace sibyl::interface {
namespace {

const Json kNone;

TEST(SourcePageTest, AnOutlineNamesEntriesWithoutWhatEnclosesThem) {
  const Json text = {
      {"source", "s"}, {"path", "a.cc"}, {"text", "x\n"}, {"first_line", 1}, {"last_line", 900}};
  const auto entry = [](const char* label, int depth, int line) {
    return Json{{"label", label}, {"depth", depth}, {"first_line", line}, {"last_line", line}};
  };
  const Json outline = {{"entries",
                         {entry("a::b::Pool", 0, 1), entry("a::b::Pool::get", 1, 2),
                          entry("a::b::free", 0, 3), entry("plain", 0, 4)}}};
  const std::string page = SourcePage({.oracle = "o"}, {.text = text, .outline = outline});
  EXPECT_TRUE(Contains(page, "<a href=\"#L1\" title=\"a::b::Pool\">Pool</a>")) << page;
  EXPECT_TRUE(Contains(page, "<a href=\"#L2\" title=\"a::b::Pool::get\">get</a>")) << page;
  EXPECT_TRUE(Contains(page, "<a href=\"#L3\" title=\"a::b::free\">free</a>")) << page;
  EXPECT_TRUE(Contains(page, "<a href=\"#L4\">plain</a>")) << page;
}

TEST(BoardTest, ShowsFindingsTokensAndMoney) {
  const Json status = Json::parse(R"({"runs": [{"id": 3, "plan": "p.md", "state": "interrupted",
    "began": "2026-11-18 12:00", "jobs": [
      {"name": "a.md", "state": "done", "attempts": 1, "points": 12, "covered": 9, "citations": 14,
       "lines": 98, "tokens": 1200, "cost": 0.03, "refused": 2},
      {"name": "b.md", "state": "running", "step": "gathering", "points": 5, "attempts": 1,
       "holder": {"process": 7, "host": "h"}}]}], "plans": []})");
  const std::string board = BoardPart({.oracle = "o"}, status, {.can_start = true}).Take();
  EXPECT_TRUE(Contains(board, "9 of 12")) << board;
  EXPECT_TRUE(Contains(board, "14 citations<br>98 lines")) << board;
  EXPECT_TRUE(Contains(board, "2 refused by the gate")) << board;
  EXPECT_TRUE(Contains(board, "1200 tokens, 0.0300 spent")) << board;
  EXPECT_TRUE(Contains(board, "5 looked up")) << "not: 0 of 5 covered";
  EXPECT_TRUE(Contains(board, "9 of 12 points covered. 1200 tokens")) << board;
  EXPECT_TRUE(Contains(board, "held by process 7 on h")) << board;
  EXPECT_TRUE(Contains(board, "Resume")) << board;
  EXPECT_FALSE(Contains(BoardPart({.oracle = "o"}, status, {}).Take(), "<button"))
      << "needs --tool";
}

// Issue 22: only a number said that something was refused.
TEST(BoardTest, ShowsWhatTheGateRefusedAsItComes) {
  Json status = Json::parse(R"json({"runs": [{"id": 3, "plan": "p.md", "state": "running",
    "jobs": [{"name": "a.md", "state": "running", "step": "repairing section 1", "refused": 7,
      "findings": ["line 3: `x` <b> is not there [ident/unknown]", "line 9: wrong [number/value]"]}
    ]}], "plans": []})json");
  const auto shown = [&status] { return BoardPart({.oracle = "o"}, status, {}).Take(); };
  EXPECT_TRUE(Contains(shown(),
                       "<details data-key=\"findings of a.md\" open=\"open\"><summary>7 "
                       "refused by the gate</summary>"))
      << shown();
  EXPECT_TRUE(Contains(shown(), "<li>line 3: <code>x</code> &lt;b&gt; is not there")) << shown();
  EXPECT_TRUE(Contains(shown(), "the newest 2 are shown")) << shown();
  status["runs"][0]["jobs"][0]["state"] = "done";
  EXPECT_TRUE(Contains(shown(), "<details data-key=\"findings of a.md\"><summary>7")) << shown();
}

// Issue 22: a part that cannot be run was missing from the board: "2 done".
TEST(BoardTest, ShowsPartsThatNoRunTakes) {
  const Json status = Json::parse(R"json({"runs": [{"id": 3, "plan": "p.md", "state": "finished",
    "jobs": [{"name": "a.md", "state": "done"}], "refused": [{"number": 2, "target": "x/<b>.md",
      "reason": "PART 2: a bad name", "hint": "use letters"}]}],
    "plans": [{"plan": "p.md", "open": 1, "refused": [{"number": 2}]}]})json");
  const std::string board = BoardPart({.oracle = "o"}, status, {}).Take();
  EXPECT_TRUE(Contains(board, "Parts: 1 done, 1 refused.")) << board;
  EXPECT_TRUE(Contains(board, "<td>x/&lt;b&gt;.md</td>")) << board;
  EXPECT_TRUE(Contains(board, "PART 2: a bad name<span class=\"dim note\">use letters")) << board;
  EXPECT_TRUE(Contains(board, "<span class=\"pill bad\">1 refused</span>")) << board;
}

// Issue 22: the board did not count the points of a failed part, the page of the run did; the run
// was a green "finished", and named by its path.
TEST(BoardTest, AFailedPartCountsAsOnThePageOfItsRun) {
  Json status = Json::parse(R"json({"runs": [{"id": 3, "plan": "x/ingestion.md", "title": "Docker",
    "state": "finished", "jobs": [
      {"name": "a.md", "state": "done", "points": 5, "covered": 3, "planned_points": 6},
      {"name": "b.md", "state": "failed", "step": "gathering", "points": 2,
       "planned_points": 4}]}]})json");
  const std::string board = BoardPart({.oracle = "o"}, status, {}).Take();
  EXPECT_TRUE(Contains(board, "3 of 9 points covered")) << board;
  EXPECT_TRUE(Contains(board, "0 of 4")) << board;
  EXPECT_FALSE(Contains(board, "looked up")) << board;
  EXPECT_TRUE(Contains(board, "<span class=\"pill bad\">finished, 1 failed</span>")) << board;
  EXPECT_TRUE(Contains(board, ">Docker</a>")) << board;
  EXPECT_TRUE(Contains(board, "x/ingestion.md, started")) << board;
  const auto points = [](int planned, const char* state) {
    Json section = {{"title", "T"}, {"points", Json::array()}};
    for (int i = 0; i < planned; ++i)
      section["points"].push_back({{"point", "p"}, {"state", state}});
    return Json::array({std::move(section)});
  };
  status["runs"][0]["jobs"][0]["planned"] = points(5, "covered");
  status["runs"][0]["jobs"][1]["planned"] = points(4, "planned");
  EXPECT_TRUE(Contains(RunPart({.oracle = "o"}, status, {}).Take(), "5 of 9 points covered"));
}

// Issue 22: numbers were bold in the statement, and not marked in the cited lines.
TEST(ReceiptTest, NumbersAreMarkedInTheCitedLines) {
  const Json answer = Json::parse(R"json({"file": "a.md", "statements": [{"id": 4,
    "verdict": "supported", "text": "The V100 has 7.0, not 8.9, with 80 units.",
    "words": [{"text": "V100", "ground": "word", "by": "V100"}]}],
    "receipts": [{"kind": "source", "path": "a.md", "state": "stale", "first_line": 5,
      "last_line": 5, "lines": [[4, "8.9 before"], [5, "| V100 | 7.0 | 80 |"]],
      "now": {"whereabouts": "gone"}}]})json");
  const std::string part = ReceiptPart({.oracle = "o"}, answer, 1).Take();
  for (const char* marked : {"V100", "7.0", "80"}) {
    EXPECT_TRUE(Contains(part, fmt::format("<b class=\"gr\">{}</b>", marked))) << marked << part;
  }
  EXPECT_TRUE(Contains(part, "stale, gone")) << part;
  EXPECT_TRUE(Contains(part, ">7.0</b>, not 8.9, with <b")) << "8.9 is not cited: " << part;
}

TEST(RunTest, ListsWhatWasLeftOut) {
  const Json status = Json::parse(R"json({"runs": [{"id": 3, "plan": "p.md", "state": "finished",
    "jobs": [{"name": "a.md", "state": "done", "planned": [{"title": "T", "points": []}],
      "left_out": [{"point": "p", "text": "It has **64** `rows`.", "reason": "the gate: no"}]}]}]})json");
  const std::string run = RunPart({.oracle = "o"}, status, {}).Take();
  EXPECT_TRUE(Contains(run, "<summary>1 sentence left out</summary>")) << run;
  EXPECT_TRUE(Contains(run, "<li>It has <strong>64</strong> <code>rows</code>.")) << run;
  EXPECT_TRUE(Contains(run, "the gate: no")) << run;
}

// Issue 22: links led to plans and to pages that were never written.
TEST(RunTest, APageThatIsGoneIsNotLinked) {
  const Json status = Json::parse(R"json({"runs": [{"id": 3, "plan": "p.md", "state": "finished",
    "jobs": [{"name": "a.md", "state": "done"}, {"name": "b.md", "state": "done"}]}]})json");
  const RoomStyle style{.oracle = "o",
                        .has_page = [](std::string_view page) { return page == "a.md"; }};
  const std::string run = RunPart(style, status, {}).Take();
  EXPECT_TRUE(Contains(run, "<a href=\"/page/a.md\">a.md</a>")) << run;
  EXPECT_TRUE(Contains(run, "<td>b.md</td>")) << run;
}

// Issue 22: points were shown as Markdown.
TEST(RunTest, RendersTheMarkdownOfItsPoints) {
  const Json status = Json::parse(R"json({"runs": [{"id": 3, "plan": "p.md", "state": "finished",
    "began": "2026-11-18 12:00", "jobs": [
      {"name": "a/a.md", "state": "done", "attempts": 1, "reason": "`x` failed", "planned": [
        {"title": "The `title`", "points": [
          {"point": "p", "state": "covered", "where": "**2.1** `z`", "nearest": "in **b**, [c](d)"},
          {"point": "**bold** and `code`", "state": "open", "nearest": "nearest: `y` <b> __init__.py"},
          {"point": "known", "state": "covered", "where": "[b *x*](../b/02-b.md#x)"},
          {"point": "the *colour*, not a * b", "state": "open"},
          {"point": "torch/__init__.py", "state": "open"}]}]}]}]})json");
  const std::string run = RunPart({.oracle = "o"}, status, {}).Take();
  EXPECT_TRUE(Contains(run, "<td><strong>bold</strong> and <code>code</code></td>")) << run;
  EXPECT_TRUE(Contains(run, "The <code>title</code>")) << run;
  EXPECT_TRUE(Contains(run, "nearest: <code>y</code> &lt;b&gt; __init__.py")) << run;
  EXPECT_TRUE(Contains(run, "<td>torch/__init__.py</td>")) << run;
  EXPECT_TRUE(Contains(run, "<a href=\"/page/b/02-b.md#x\">b <em>x</em></a>")) << run;
  EXPECT_TRUE(Contains(run, "<td>the <em>colour</em>, not a * b</td>")) << run;
  EXPECT_TRUE(Contains(run, "<strong>2.1</strong> <code>z</code>")) << run;
  EXPECT_TRUE(Contains(run, "in <strong>b</strong>, c")) << run;
  EXPECT_TRUE(Contains(run, "<p class=\"why\"><code>x</code> failed</p>")) << run;
}

std::string Checked(const char* findings) {
  const Json audit = {{"counts", {{"supported", 0}}}, {"findings", Json::parse(findings)}};
  const Json sources = {{"sources", {{{"name", "cmake"}}}}};
  return CheckPage({.oracle = "o"}, {.text = "Set `X_Y`.\n",
                                     .audit = audit,
                                     .inspection = kNone,
                                     .sources = sources,
                                     .kind = "markdown"});
}

// Issue 22: reasons named a place, and did not lead there.
// Issue 22: the excerpt showed other rows than the one with the word, and a match within a word was
// not marked.
TEST(SearchTest, AnExcerptShowsItsHit) {
  const Json found = Json::parse(R"json({"pages": [{"page": "a.md", "title": "T", "anchor": "x",
    "snippet": {"text": "| `backend` | native |\n| `other` | 20 |\n| `grow_segments` | False |\n"}}]})json");
  const std::string hits =
      SearchPart({.oracle = "o"}, {.query = "grow_segments"}, {.found = found, .cards = kNone})
          .Take();
  EXPECT_TRUE(Contains(hits, "<mark>grow_segments</mark>")) << hits;
  EXPECT_TRUE(Contains(hits, "other")) << "the line before: " << hits;
  EXPECT_FALSE(Contains(hits, "backend")) << hits;
  const Json matched = Json::parse(R"json({"complete": true, "page_matches": [{"page": "a.md",
    "title": "T", "anchor": "x", "line": 3, "text": "It has `grow_segments:True` and 80 GB.",
    "range": [13, 26]}]})json");
  const std::string matches = SearchPart({.oracle = "o"}, {.query = "segm.*True", .mode = "regex"},
                                         {.found = matched, .cards = kNone})
                                  .Take();
  EXPECT_TRUE(Contains(matches, "grow_<mark>segments:True</mark>")) << matches;
}

// Issue 22: each picture of two compared runs had its own scale, and without "after" it failed.
TEST(LabsTest, ComparedRunsAreDrawnOnOneScale) {
  const Json compared = {{"before", "0a"}, {"after", "0b"}, {"compared", Json::array()}};
  const std::string page = LabComparePage({.oracle = "o"}, compared);
  EXPECT_TRUE(Contains(page, "src=\"/labs/0a.svg?beside=0b\"")) << page;
  EXPECT_TRUE(Contains(page, "src=\"/labs/0b.svg?beside=0a\"")) << page;
}

// Issue 22: after 'source sync' all statements of a changed file had the same sign.
TEST(PageTest, AStaleStatementSaysWhereItsLinesAre) {
  const auto page = [](const char* whereabouts) {
    const Json answer = {
        {"file", "a.md"},
        {"title", "A"},
        {"text", "It holds 4.[^1]\n\n[^1]: x\n"},
        {"statements",
         {{{"id", 1}, {"begin", 0}, {"end", 11}, {"verdict", "stale"}, {"citations", {"1"}}}}},
        {"receipts",
         {{{"label", "1"},
           {"kind", "source"},
           {"state", "stale"},
           {"number", 1},
           {"now", {{"whereabouts", whereabouts}}}}}}};
    const Result<std::string> made = KnowledgePage({.oracle = "o"}, answer);
    return made.ok() ? *made : made.error().message;
  };
  EXPECT_TRUE(Contains(page("unchanged"), "↻=</a>")) << page("unchanged");
  EXPECT_TRUE(Contains(page("moved within the file"), "↻→</a>")) << page("moved within the file");
  EXPECT_TRUE(Contains(page("gone"), "↻✗</a>")) << page("gone");
}

// Issue 22: three reasons of one line were "126".
TEST(CheckTest, ReasonsOfOneLineAreApart) {
  const std::string text = "FROM x\n";
  Json artifact = {{"kind", "dockerfile"}, {"findings", Json::array()}};
  for (const char* code : {"a/b", "a/c"}) {
    artifact["findings"].push_back(
        {{"code", code}, {"severity", "note"}, {"line", 1}, {"message", "m"}});
  }
  Html html;
  AddArtifact(artifact, {.audit = kNone, .inspection = kNone, .sources = kNone, .lines = text},
              html);
  const std::string shown = std::move(html).Take();
  EXPECT_TRUE(Contains(shown, "<sup>1</sup>") && Contains(shown, "<sup>,2</sup>")) << shown;
}

// Issue 22: "sm_100, sm_120, sm_75".
TEST(CheckTest, ArchitecturesAreInTheirOrder) {
  const Json fact = {{"value", {"sm_100", "sm_120", "sm_75", "sm_90a"}}};
  const std::string shown = FactValue(fact).Take();
  EXPECT_LT(shown.find("sm_90a"), shown.find("sm_100")) << shown;
  EXPECT_LT(shown.find("sm_75"), shown.find("sm_90a")) << shown;
}

// Issue 22: "Its architectures and its toolkit fit", of a toolkit that nothing named.
TEST(CheckTest, ACacheIsNotSaidToHaveAToolkitThatFits) {
  Json artifact = {{"kind", "cmake-cache"},
                   {"compared", {"B200 (sm_100): CMAKE_CUDA_ARCHITECTURES 80;90 runs on it"}},
                   {"findings", Json::array()}};
  const auto shown = [&artifact](const char* driver) {
    Html html;
    AddArtifact(
        artifact,
        {.audit = kNone, .inspection = kNone, .sources = kNone, .gpu = "B200", .driver = driver},
        html);
    return std::move(html).Take();
  };
  EXPECT_TRUE(Contains(shown(""), "no conflict found ✓")) << shown("");
  EXPECT_TRUE(Contains(shown(""), "CMAKE_CUDA_ARCHITECTURES 80;90 runs on it.")) << shown("");
  EXPECT_FALSE(Contains(shown(""), "toolkit")) << shown("");
  artifact["findings"].push_back({{"code", "cmake/driver-not-compared"},
                                  {"severity", "note"},
                                  {"message", "unknown which CUDA the build uses"}});
  EXPECT_TRUE(Contains(shown("580"), "not decided ?")) << shown("580");
  EXPECT_TRUE(Contains(shown("580"), "build uses. B200 (sm_100): CMAKE_CUDA_ARCHITECTURES 80;90"))
      << shown("580");
}

TEST(CheckTest, AReasonLeadsToItsPlace) {
  const std::string page = Checked(
      R"([{"verdict": "absent", "line": 1, "column": 6, "text": "X_Y", "message": "is not there",
           "nearest": "X_Z", "where": "cmake@03676b0 Help/a b.rst:8-13"}])");
  EXPECT_TRUE(Contains(page,
                       "<a class=\"err\" href=\"#why-1\" title=\"is not there\">"
                       "X_Y<sup>1</sup></a>"))
      << page;
  EXPECT_TRUE(Contains(page, "<li id=\"why-1\" value=\"1\">")) << page;
  EXPECT_TRUE(Contains(page, "<a href=\"#c1\">line 1</a>")) << page;
  EXPECT_TRUE(Contains(page, "<span class=\"ln\" id=\"c1\">")) << page;
  EXPECT_TRUE(Contains(page, "href=\"/source/cmake/Help/a%20b.rst?from=8&amp;to=13#L8\"")) << page;
  EXPECT_TRUE(Contains(page, "nearest: <b>X_Z</b>")) << page;
}

TEST(CheckTest, APlaceThatIsNotInASourceIsNoLinkIntoOne) {
  for (const char* where : {"other@03676b0 a.rst:8", "cmake", "a table of this program", ""}) {
    const Json finding = {
        {"verdict", "absent"}, {"line", 1}, {"text", "X_Y"}, {"nearest", "n"}, {"where", where}};
    const std::string page = Checked(Json::array({finding}).dump().c_str());
    EXPECT_FALSE(Contains(page, "href=\"/source/")) << where;
    EXPECT_TRUE(Contains(page, where)) << where;
  }
  EXPECT_TRUE(Contains(Checked(R"([{"verdict": "absent", "line": 1, "text": "X_Y",
                                    "where": "https://example.org/a"}])"),
                       "href=\"https://example.org/a\""));
}

// Issue 22: a Dockerfile that mentions CMake was taken for a cache.
TEST(CheckTest, WhatWasPastedIsKnownByItsContent) {
  EXPECT_EQ(NameOfSent("", "# a\n\nfrom x\nRUN cmake -DCMAKE_A:STRING=b\n"), "Dockerfile");
  EXPECT_EQ(NameOfSent("", "ARG A=1\nFROM x:$A\n"), "Dockerfile");
  EXPECT_EQ(NameOfSent("", "//doc FROM x\nCMAKE_BUILD_TYPE:STRING=Release\n"), "CMakeCache.txt");
  EXPECT_EQ(NameOfSent("", "It comes FROM CMAKE_X.\n"), "artifact");
  EXPECT_EQ(NameOfSent("", std::string_view("FROM \0", 6)), "artifact");
  EXPECT_EQ(NameOfSent("../lib x.so", ""), "artifact");
  EXPECT_EQ(NameOfSent("a/lib x.so", ""), "a_lib_x.so");
  EXPECT_EQ(NameOfSent("gpu.Dockerfile", "x"), "gpu.Dockerfile");
  EXPECT_EQ(NameOfSent("notes.txt", "FROM debian:12\n"), "Dockerfile");
}

std::string Inspected(const Json& artifact, const char* gpu, const char* driver) {
  const Json inspection = {{"artifacts", {artifact}}};
  return CheckPage({.oracle = "o"}, {.text = {},
                                     .audit = kNone,
                                     .inspection = inspection,
                                     .sources = kNone,
                                     .kind = "artifact",
                                     .gpu = gpu,
                                     .driver = driver});
}

TEST(CheckTest, WhatConfiguresAnImageHasAVerdictForTheGpuAndTheDriver) {
  Json file = {{"kind", "dockerfile"},
               {"stages", {{{"root", "nvidia/cuda:12.8"}, {"cuda", "12.8"}}}}};
  EXPECT_TRUE(Contains(Inspected(file, "L4", "535"),
                       "L4 with driver 535: no conflict found ✓</strong> nvidia/cuda:12.8 "
                       "has CUDA 12.8."));
  EXPECT_FALSE(Contains(Inspected(file, "", ""), "class=\"ok unknown verdict\""));
  const auto with = [&](const char* code, const char* severity) {
    file["findings"].push_back({{"code", code}, {"severity", severity}, {"message", code}});
    return Inspected(file, "", "470");
  };
  EXPECT_TRUE(Contains(with("docker/driver-not-compared", "note"), "driver 470: not decided ?"));
  EXPECT_TRUE(Contains(with("docker/driver-too-old", "warning"), "driver 470: may not run ?"));
  EXPECT_TRUE(Contains(with("docker/cuda-not-gpu", "error"), "driver 470: does not run ✗"));
  EXPECT_TRUE(Contains(Inspected({{"kind", "wheel"}}, "L4", ""), "L4: not decided ?"));
}

// Issue 22: a Dockerfile that cannot be built had the verdict that it runs.
TEST(CheckTest, AVerdictDoesNotContradictTheFindings) {
  Json file = Json::parse(R"({"kind": "dockerfile", "stages": [{"root": "x", "cuda": "12.8"}],
    "verdicts": [{"gpu": "L4", "arch": "sm_89", "runs": "native", "why": "it fits"}],
    "findings": [{"code": "docker/devel-last", "severity": "warning", "message": "m"}]})");
  EXPECT_TRUE(Contains(Inspected(file, "L4", ""), "L4 (sm_89): runs natively ✓</strong> it fits"));
  file["findings"].push_back({{"code", "docker/port"}, {"severity", "error"}, {"message", "m"}});
  const std::string one = Inspected(file, "L4", "");
  EXPECT_TRUE(Contains(one, "class=\"bad unknown verdict\"")) << one;
  EXPECT_TRUE(Contains(one, "L4 (sm_89): fits, but it has 1 error ✗</strong> it fits")) << one;
  file["verdicts"][0]["runs"] = "not";
  EXPECT_TRUE(Contains(Inspected(file, "L4", ""), "L4 (sm_89): does not run ✗"));
  file.erase("verdicts");
  EXPECT_TRUE(Contains(Inspected(file, "L4", ""), "L4: fits, but it has 1 error ✗"));
}

// Issue 22: dozens of findings hid what was looked for.
TEST(CheckTest, LongListsAreFoldedWithTheirCounts) {
  Json file = {{"kind", "dockerfile"}};
  const auto add = [&file](const char* severity, int count) {
    for (int i = 0; i < count; ++i) {
      file["findings"].push_back(
          {{"code", "docker/x"}, {"severity", severity}, {"message", severity}, {"line", i + 1}});
    }
  };
  add("warning", 9);
  const std::string few = Inspected(file, "", "");
  EXPECT_TRUE(Contains(few, "inspect reports 9 warnings.")) << few;
  EXPECT_FALSE(Contains(few, "<details")) << few;
  add("note", 5);
  add("error", 2);
  const std::string many = Inspected(file, "", "");
  EXPECT_TRUE(Contains(many, "inspect reports 2 errors, 9 warnings, 5 notes.")) << many;
  EXPECT_TRUE(Contains(many, "<details><summary>8 more: 3 warnings, 5 notes</summary>")) << many;
  EXPECT_LT(many.find("pill bad"), many.find("pill open")) << "errors first";
  Json reasons = Json::array();
  for (int i = 1; i <= 30; ++i) {
    reasons.push_back({{"verdict", i % 3 == 0 ? "absent" : "undecidable"},
                       {"line", 1},
                       {"text", "x"},
                       {"message", "m"}});
  }
  const std::string checked = Checked(reasons.dump().c_str());
  EXPECT_TRUE(Contains(checked, "<summary>12 more not decided</summary>")) << checked;
  EXPECT_LT(checked.find("not found ✗"), checked.find("not decided ?</span> <a"))
      << "what fails comes first";
  // Issue 22: they were numbered 1, 3, 2.
  std::size_t at = 0;
  for (int i = 1; i <= 30; ++i) {
    const std::string item = fmt::format("<li id=\"why-{0}\" value=\"{0}\">", i);
    const std::size_t found = checked.find(item, at);
    ASSERT_NE(found, std::string::npos) << item << checked;
    at = found;
  }
}

// Issue 22: a pasted Dockerfile was not shown, and its findings led nowhere.
TEST(CheckTest, TheTextOfAnArtifactIsShownWithItsFindings) {
  const Json inspection = Json::parse(R"({"artifacts": [{"kind": "dockerfile", "bytes": 30,
    "findings": [{"code": "docker/a", "severity": "note", "message": "m1", "line": 2},
                 {"code": "docker/b", "severity": "error", "message": "m2", "line": 2},
                 {"code": "docker/c", "severity": "note", "message": "m3", "line": null},
                 {"code": "docker/d", "severity": "note", "message": "m4", "line": 99}]}]})");
  const std::string page = CheckPage({.oracle = "o"}, {.audit = kNone,
                                                       .inspection = inspection,
                                                       .sources = kNone,
                                                       .kind = "artifact",
                                                       .name = "gpu <1>.Dockerfile",
                                                       .lines = "FROM x\n  RUN <y>\n"});
  EXPECT_TRUE(Contains(page, "<h2>gpu &lt;1&gt;.Dockerfile <span class=\"dim\">dockerfile, 30"))
      << page;
  EXPECT_TRUE(Contains(page, "<span class=\"ln\" id=\"c1\"><span class=\"no\">1</span>FROM x"));
  EXPECT_TRUE(Contains(page,
                       "  <a class=\"err\" href=\"#why-1\" title=\"m2\">RUN &lt;y&gt;<sup>1"
                       "</sup></a><a href=\"#why-2\" title=\"m1\"><sup>,2</sup></a>"))
      << page;
  EXPECT_TRUE(Contains(page, "<li id=\"why-1\" value=\"1\">")) << page;
  EXPECT_TRUE(Contains(page, "<a href=\"#c2\">line 2</a>: m1")) << page;
}

// Issue 22: sm_100 came before sm_35.
TEST(CheckTest, ArchitecturesAreInTheOrderOfTheirNumbers) {
  Json file = {{"kind", "elf"}};
  for (const char* name : {"ptx.compute_90", "cubin.sm_100", "cubin.sm_35", "cubin.sm_90a"}) {
    file["facts"].push_back({{"key", std::string(name) + ".count"}, {"value", 2}});
  }
  const std::string page = Inspected(file, "", "");
  std::size_t at = 0;
  for (const char* name : {">cubin.sm_35<", ">cubin.sm_90a<", ">cubin.sm_100<", ">ptx."}) {
    at = page.find(name, at);
    ASSERT_NE(at, std::string::npos) << name << page;
  }
}

// Issue 22: a check of a long text had no end, and nothing would have said so.
TEST(CheckTest, SaysFromWhereNothingWasChecked) {
  const std::string page = Checked(
      R"([{"verdict": "undecidable", "code": "audit/unfinished", "line": 1, "message": "m"}])");
  EXPECT_TRUE(Contains(page, "<a href=\"#c1\">From line 1</a> on nothing was checked")) << page;
}

TEST(CheckTest, AReasonShowsCodeAsCode) {
  EXPECT_TRUE(Contains(
      Checked(
          R"([{"verdict": "absent", "line": 1, "text": "X_Y", "message": "`X_Y` is not there"}])"),
      ": <code>X_Y</code> is not there"));
}

// Issue 22: of a rate, "times the floor" was its inverse.
TEST(LabsTest, ARateReachesAShareOfItsCeiling) {
  const Json run = Json::parse(R"json({"run": "0f1e2d3c4b5a", "command": "c", "time": "t",
    "measurements": [
      {"lab": "m", "variant": "a", "metric": "rate", "value": 4000, "unit": "GB/s", "floor": 4251,
       "x_floor": 1.06275, "bound": "ceiling", "of_bound": "94.1 % of the ceiling"},
      {"lab": "m", "variant": "b", "metric": "time", "value": 2, "unit": "ms", "floor": 1,
       "x_floor": 2, "bound": "floor", "of_bound": "2x the floor"}]})json");
  const std::string page = LabPage({.oracle = "o"}, run);
  EXPECT_TRUE(Contains(page, "<td class=\"num\">94.1 % of the ceiling</td>")) << page;
  EXPECT_TRUE(Contains(page, "<td class=\"num\">2x the floor</td>")) << page;
  EXPECT_TRUE(Contains(page, "src=\"/labs/0f1e2d3c4b5a.svg\"")) << page;
  EXPECT_FALSE(Contains(page, "times floor")) << page;
}

// Issue 22: runs were listed by their hashes.
TEST(LabsTest, RunsAreListedByLabTheNewestFirst) {
  const Json runs = Json::parse(R"json({"questions": {"copy": "how fast is a copy?"}, "runs": [
    {"run": "aa", "labs": ["texture"], "time": "2026-11-18 10:00"},
    {"run": "bb", "error": "damaged"},
    {"run": "cc", "labs": ["copy"], "time": "2026-11-17 10:00"},
    {"run": "dd", "labs": ["copy"], "time": "2026-11-18 10:00"},
    {"run": "ee", "labs": ["a", "b", "c", "d", "e"], "time": "2026-11-16 10:00"}]})json");
  const std::string page = LabsPage({.oracle = "o"}, runs);
  std::size_t at = 0;
  for (const char* row : {"/labs/ee\">a, b, c and 2 more</a>", "/labs/dd\">copy</a>",
                          "/labs/cc\">copy</a>", "/labs/aa\">texture</a>", "/labs/bb\">bb</a>"}) {
    const std::size_t found = page.find(row, at);
    ASSERT_NE(found, std::string::npos) << row << page;
    at = found;
  }
  EXPECT_TRUE(Contains(page, "how fast is a copy?")) << page;
  EXPECT_TRUE(Contains(page, "damaged")) << page;
}

TEST(LabsTest, ASiteListsItsRunsAndComparesNothing) {
  const Json runs = {{"runs", {{{"run", "aa"}, {"command", "c"}}, {{"run", "bb"}}}}};
  EXPECT_TRUE(Contains(LabsPage({.oracle = "o"}, runs), "<button>Compare</button>"));
  const RoomStyle style{.links = LinkStyle::Site("labs/index.html").WithLabs(), .oracle = "o"};
  const std::string page = LabsPage(style, runs);
  EXPECT_TRUE(Contains(page, "<a href=\"../labs/aa.html\">aa</a>")) << page;
  EXPECT_FALSE(Contains(page, "Compare")) << page;
  EXPECT_FALSE(Contains(page, "type=\"radio\"")) << page;
  EXPECT_EQ(LinkStyle::Site("index.html").Labs(), "");
}

// Issue 22: a sentence of the field's tables was shown as line 0 of a program.
TEST(AskTest, AnAnswerWithoutLinesIsASentence) {
  const Json answer = Json::parse(R"json({"known": true, "statements": [
    {"kind": "field", "text": "CUDA 12.x runs with driver 525.", "source": null, "path": "a.py",
     "lines": null, "citation": "a document (read 2026-11-17)"},
    {"kind": "known", "text": "It takes **2 ms**.", "page": "a.md", "source": null, "lines": null,
     "checked": true, "citation": "lab:0f1e2d3c4b5a6978;metric=wide/bytes=64/time"}]})json");
  const std::string page = AskPage({.oracle = "o"}, "q", answer);
  EXPECT_TRUE(Contains(page, "<p class=\"answer\">CUDA 12.x runs with driver 525.</p>")) << page;
  EXPECT_TRUE(Contains(page, "<span class=\"dim\">a document (read 2026-11-17)</span>")) << page;
  EXPECT_TRUE(Contains(page,
                       "href=\"/labs/0f1e2d3c4b5a6978\">lab run 0f1e2d3c4b5a6978, "
                       "wide/bytes=64/time</a>"))
      << page;
  EXPECT_TRUE(Contains(page, "<strong>2 ms</strong>")) << page;
  EXPECT_FALSE(Contains(page, "class=\"no\"")) << page;
  EXPECT_FALSE(Contains(page, "not checked")) << page;
}

// Issue 22: a snippet that begins in a block of code was half code, half prose.
TEST(SearchTest, ASnippetThatBeginsInCodeIsCode) {
  const Json found =
      Json::parse(R"json({"pages": [{"page": "a.md", "title": "A", "heading": "**B** x",
    "anchor": "b", "snippet": {"in_code": true, "first_line": 3,
      "text": "f(a, *b);\n# not a heading\n| no | table |\n```\n\n| x | y |\n"}}]})json");
  const std::string html =
      SearchPart({.oracle = "o"}, {.query = "f"}, {.found = found, .cards = kNone}).Take();
  EXPECT_TRUE(Contains(html, "f(a, *b);\n# not a heading\n| no | table |\n</code></pre>")) << html;
  EXPECT_TRUE(Contains(html, "x · y")) << html;
  EXPECT_TRUE(Contains(html, "<strong>B</strong> x</a>")) << html;
}

// Issue 22: twenty of 61 lines were shown, and nothing said that there are more.
TEST(SearchTest, LinesAreCountedAndMarked) {
  Json found = {{"complete", true}, {"matches", Json::array()}};
  for (int line = 1; line <= 61; ++line) {
    found["matches"].push_back({{"source", "s"},
                                {"path", "a.h"},
                                {"line", line},
                                {"text", "int abc;"},
                                {"range", {4, 7}}});
  }
  const auto shown = [&](std::size_t most) {
    return SearchPart({.oracle = "o"},
                      {.query = "a(b", .source = "s", .mode = "regex", .most = most},
                      {.found = found, .cards = kNone})
        .Take();
  };
  const std::string few = shown(20);
  EXPECT_TRUE(Contains(few, "20 of 61 lines")) << few;
  EXPECT_TRUE(Contains(few, "href=\"/search?q=a%28b&amp;mode=regex&amp;source=s&amp;n=100\""))
      << few;
  EXPECT_TRUE(Contains(few, "show all")) << few;
  EXPECT_TRUE(Contains(few, "<mark>abc</mark>")) << few;
  EXPECT_TRUE(Contains(shown(100), "<p class=\"dim\">61 lines</p>"));
  found["complete"] = false;
  EXPECT_TRUE(Contains(shown(100), "61 of more than 61 lines; <code>sibyl search --regex</code>"));
}

// Issue 22: the box at the top dropped the filters of the search.
TEST(SearchTest, TheBoxAtTheTopKeepsTheFilters) {
  const std::string page =
      SearchPage({.oracle = "o"}, {.query = "q", .source = "s", .mode = "regex"}, kNone, Html());
  EXPECT_TRUE(Contains(page, "<input type=\"hidden\" name=\"mode\" value=\"regex\">")) << page;
  EXPECT_TRUE(Contains(page, "<input type=\"hidden\" name=\"source\" value=\"s\">")) << page;
  EXPECT_FALSE(Contains(page, "<input type=\"hidden\" name=\"language\"")) << page;
}

// Issue 22: a change for the worse was "0.5 times better", in green.
TEST(LabsTest, AChangeForTheWorseIsCalledThat) {
  const Json compared = {{"before", "aa"},
                         {"after", "bb"},
                         {"differences", {"measured with different devices: A, and B"}},
                         {"only_after", {"copy/wide"}},
                         {"compared",
                          {{{"lab", "copy"},
                            {"before", 1.0},
                            {"after", 2.0},
                            {"times_better", 0.5},
                            {"beyond_noise", true}}}}};
  const std::string page = LabComparePage({.oracle = "o"}, compared);
  EXPECT_TRUE(Contains(page, "<span class=\"pill bad\">2 times worse</span>")) << page;
  EXPECT_TRUE(Contains(page, "They were measured with different devices: A, and B.")) << page;
  EXPECT_TRUE(Contains(page, "<h2>Only in the run after</h2><ul><li>copy/wide</li></ul>")) << page;
}

TEST(LabsTest, EqualValuesAreNoChange) {
  const Json compared = {{"before", "aa"},
                         {"after", "bb"},
                         {"compared",
                          {{{"lab", "copy"},
                            {"before", 1.0},
                            {"after", 1.0},
                            {"times_better", 1.0},
                            {"beyond_noise", false}}}}};
  const std::string page = LabComparePage({.oracle = "o"}, compared);
  EXPECT_TRUE(Contains(page, "<span class=\"pill zero\">no change</span>")) << page;
  EXPECT_FALSE(Contains(page, "times better")) << page;
}

TEST(LabsTest, UnlikeRunsAreNotCompared) {
  const Json compared = {{"before", "aa"}, {"after", "bb"}, {"unlike", "both are the same run"}};
  const std::string page = LabComparePage({.oracle = "o"}, compared);
  EXPECT_TRUE(Contains(page, "They cannot be compared:</strong> both are the same run.")) << page;
  EXPECT_FALSE(Contains(page, "<img")) << page;
  EXPECT_FALSE(Contains(page, "<table")) << page;
}

}  // namespace
}  // namespace sibyl::interface
