// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/board.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

using oracle::RunEvent;
using oracle::RunMoment;
using std::chrono::milliseconds;

RunEvent Begun(std::size_t parts) {
  RunEvent event{.moment = RunMoment::kBegun};
  for (std::size_t i = 0; i < parts; ++i) {
    const int number = static_cast<int>(i) + 1;
    event.parts.push_back({.number = number,
                           .title = "T",
                           .target = "cuda/0" + std::to_string(number) + "-x.md",
                           .points = 10});
  }
  return event;
}

constexpr Terminal kTerminal{.is_terminal = true, .has_colour = false, .columns = 80};

TEST(Board, HasALineForEachPartAndOneForAll) {
  Board board;
  board.Take(Begun(3));
  board.Take({.moment = RunMoment::kStep,
              .part = 0,
              .step = "gathering",
              .points = 4,
              .elapsed = milliseconds(1200),
              .run_elapsed = milliseconds(1200)});
  board.Take({.moment = RunMoment::kStep,
              .part = 1,
              .step = "checking",
              .points = 10,
              .covered = 8,
              .citations = 21,
              .lines = 142});
  board.Take({.moment = RunMoment::kDelivered, .part = 1, .run_elapsed = milliseconds(1500)});
  EXPECT_EQ(board.Draw(kTerminal),
            "   1  cuda/01-x.md  gathering   40 %                                      1.2 s\n"
            "   2  cuda/02-x.md  delivered   8 of 10 points, 21 citations, 142 lines\n"
            "   3  cuda/03-x.md  waiting\n"
            "      1 of 3 parts, 8 of 30 points, 1.5 s, about 1.7 s left\n");
}

TEST(Board, OfManyPartsThoseThatRunAreShown) {
  Board board;
  board.Take(Begun(40));
  board.Take({.moment = RunMoment::kStep, .part = 39, .step = "writing"});
  const std::string text = board.Draw(kTerminal);
  EXPECT_NE(text.find("writing"), std::string::npos);
  EXPECT_NE(text.find("and 24 more"), std::string::npos);
}

// A part in every state, with a long name.
Board FullBoard() {
  Board board;
  RunEvent begun = Begun(5);
  begun.parts[1].target = "cuda-programming/17-graphs-and-streams-in-depth.md";
  begun.parts[4].outcome = RunMoment::kDelivered;
  board.Take(begun);
  board.Take({.moment = RunMoment::kStep,
              .part = 0,
              .step = "gathering",
              .points = 4,
              .elapsed = milliseconds(61'200),
              .run_elapsed = milliseconds(61'200)});
  board.Take({.moment = RunMoment::kStep,
              .part = 1,
              .step = "checking",
              .points = 10,
              .covered = 8,
              .citations = 21,
              .lines = 142,
              .elapsed = milliseconds(1'200)});
  board.Take({.moment = RunMoment::kDelivered, .part = 1, .elapsed = milliseconds(1'300)});
  board.Take({.moment = RunMoment::kFailed,
              .part = 2,
              .reason = "no passage of the pinned sources answers any of its points",
              .elapsed = milliseconds(800)});
  return board;
}

TEST(Board, NoLineIsWiderThanTheWindow) {
  Board board = FullBoard();
  for (std::size_t columns = 1; columns <= 200; ++columns) {
    for (const bool is_publishing : {false, true}) {
      if (is_publishing) board.Take({.moment = RunMoment::kPublishing});
      const std::string text = board.Draw({.is_terminal = true, .columns = columns});
      for (const std::string_view line : SplitLines(text)) {
        EXPECT_LE(DisplayWidth(line), columns) << columns << ": " << line;
      }
    }
    board = FullBoard();
  }
}

TEST(Board, InANarrowWindowTheStateAndThePointsRemain) {
  EXPECT_EQ(FullBoard().Draw({.is_terminal = true, .columns = 40}),
            "   1  cuda/01-x.md  gathering   40 %\n"
            "   2  cuda-p…th.md  delivered   8 of 10\n"
            "   3  cuda/03-x.md  failed      no pas…\n"
            "   4  cuda/04-x.md  waiting\n"
            "   5  cuda/05-x.md  delivered   written\n"
            "  3 of 5 parts, 8 of 40 points, 61.2 s\n");
}

TEST(Board, IsNotHigherThanTheWindow) {
  Board board;
  board.Take(Begun(40));
  for (const std::size_t rows : {4U, 8U, 24U}) {
    const std::string text = board.Draw({.is_terminal = true, .columns = 80, .rows = rows});
    EXPECT_LT(SplitLines(text).size(), rows);
  }
}

TEST(Board, FollowsTheWindow) {
  std::string bytes;
  Terminal window{.is_terminal = true, .columns = 80};
  LiveBoard board(
      BoardForm::kDrawn, window, [&](std::string_view text) { bytes = text; },
      [&window] { return window; });
  RunEvent begun = Begun(2);
  begun.parts[0].outcome = RunMoment::kFailed;
  begun.parts[0].target = std::string(30, 'x') + ".md";
  board.Tell(begun);
  EXPECT_NE(bytes.find(std::string(30, 'x')), std::string::npos);
  // The three lines have 47, 48 and 41 columns: each takes two rows of a window of 40.
  window.columns = 40;
  board.Tell({.moment = RunMoment::kPublishing});
  EXPECT_TRUE(bytes.starts_with("\x1b[6A\r\x1b[J")) << bytes;
  const std::string drawn = bytes.substr(8);
  for (const std::string_view line : SplitLines(drawn)) {
    EXPECT_LE(DisplayWidth(line), 40U) << line;
  }
}

TEST(Board, AHostileNameCannotReachTheTerminal) {
  Board board;
  RunEvent begun = Begun(1);
  begun.parts[0].target = "cuda/\x1b[2Jx.md";
  board.Take(begun);
  EXPECT_EQ(board.Draw(kTerminal).find('\x1b'), std::string::npos);
}

TEST(Board, InAPipeALineForWhatMatters) {
  std::string log;
  LiveBoard board(BoardForm::kLines, {}, [&](std::string_view text) { log += text; });
  board.Tell(Begun(1));
  board.Tell({.moment = RunMoment::kStarted});
  board.Tell({.moment = RunMoment::kStep, .step = "gathering", .points = 3});
  board.Tell({.moment = RunMoment::kRetried, .reason = "nothing found"});
  board.Tell({.moment = RunMoment::kFailed, .reason = "nothing found"});
  EXPECT_EQ(log,
            "sibyl: 1 part to write\n"
            "sibyl: PART 1 cuda/01-x.md: started\n"
            "sibyl: PART 1 cuda/01-x.md: nothing found; retrying\n"
            "sibyl: PART 1 cuda/01-x.md: failed: nothing found\n");
}

TEST(Board, CountsOnlyThePartsThatAreLeftToWrite) {
  const auto first_line = [](std::size_t delivered, std::size_t failed) {
    std::string log;
    LiveBoard board(BoardForm::kLines, {}, [&](std::string_view text) { log += text; });
    RunEvent begun = Begun(3);
    for (std::size_t i = 0; i < delivered + failed; ++i) {
      begun.parts[i].outcome = i < delivered ? RunMoment::kDelivered : RunMoment::kFailed;
    }
    board.Tell(begun);
    return log;
  };
  EXPECT_EQ(first_line(0, 0), "sibyl: 3 parts to write\n");
  EXPECT_EQ(first_line(1, 1), "sibyl: 1 of 3 parts left to write\n");
  EXPECT_EQ(first_line(2, 1), "sibyl: no parts left to write\n");
}

TEST(Board, ShowsPartsOfAnEarlierProcessAsTheyAre) {
  Board board;
  RunEvent begun = Begun(2);
  begun.parts[0].outcome = RunMoment::kDelivered;
  board.Take(begun);
  board.Take({.moment = RunMoment::kStep,
              .part = 1,
              .step = "writing",
              .points = 5,
              .run_elapsed = milliseconds(2000)});
  EXPECT_EQ(board.Draw(kTerminal),
            "   1  cuda/01-x.md  delivered   already written\n"
            "   2  cuda/02-x.md  writing     50 %\n"
            "      1 of 2 parts, 0 of 10 points, 2.0 s, about 2.0 s left\n");
}

TEST(Board, IsGoneWhenTheWorkIs) {
  std::string bytes;
  {
    LiveBoard board(BoardForm::kDrawn, kTerminal, [&](std::string_view text) { bytes += text; });
    board.Tell(Begun(2));
  }
  EXPECT_TRUE(bytes.ends_with("\x1b[3A\r\x1b[J")) << bytes;
}

TEST(Board, WithJsonEveryEventIsALine) {
  std::string log;
  LiveBoard board(BoardForm::kJson, {}, [&](std::string_view text) { log += text; });
  board.Tell(Begun(1));
  board.Tell({.moment = RunMoment::kDelivered, .citations = 7, .done = 1});
  board.Tell({.moment = RunMoment::kTick});
  const std::size_t end = log.find('\n');
  EXPECT_EQ(ParseJson(log.substr(0, end)).value()["parts"][0]["target"], "cuda/01-x.md");
  const Json delivered = ParseJson(log.substr(end + 1)).value();
  EXPECT_EQ(delivered["event"], "delivered");
  EXPECT_EQ(delivered["part"], 1);
  EXPECT_EQ(delivered["citations"], 7);
}

TEST(Board, SaysWhoHasAPartThatIsWaitedFor) {
  const RunEvent held{.moment = RunMoment::kStarted,
                      .part = 0,
                      .reason = "held by agent 'x'",
                      .is_in_other_process = true};
  for (const BoardForm form : {BoardForm::kLines, BoardForm::kDrawn}) {
    std::string shown;
    LiveBoard board(form, kTerminal, [&shown](std::string_view bytes) { shown += bytes; });
    board.Tell(Begun(1));
    board.Tell(held);
    EXPECT_NE(shown.find("sibyl: PART 1 cuda/01-x.md: held by agent 'x'\n"), std::string::npos)
        << shown;
  }
}

}  // namespace
}  // namespace sibyl::interface
