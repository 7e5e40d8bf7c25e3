// SPDX-License-Identifier: Apache-2.0
// Shows the progress of an expansion: on a terminal a board that is redrawn in
// place, in a pipe a line for important events, with --json a JSON object for
// each event.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/terminal.h"
#include "oracle/run_event.h"

namespace sibyl::interface {

/// The state after the events so far.
class Board {
 public:
  void Take(const oracle::RunEvent& event);

  /// A line for each active part, and one for the whole; none is wider than the
  /// terminal. If there are more parts than fit, running ones come first, then
  /// failed ones. "3 of 10 points" always means: 3 of the planned points are
  /// covered by the page.
  std::string Draw(const Terminal& terminal) const;

  /// The log line for the last event; usually empty.
  std::string LogLine(const oracle::RunEvent& event) const;

 private:
  struct Row {
    oracle::RunPart part;
    oracle::RunMoment moment = oracle::RunMoment::kBegun;
    std::string step;
    std::string reason;
    std::size_t points = 0;  ///< Worked on; the progress of the part.
    std::size_t covered = 0;
    std::size_t citations = 0;
    std::size_t lines = 0;
    std::chrono::milliseconds elapsed{};
    bool is_in_other_process = false;
  };

  static std::vector<std::string> FiguresOf(const Row& row);
  static std::string DrawRow(const Row& row, std::size_t target_columns, const Terminal& terminal);
  std::string DrawTotal(std::size_t columns) const;

  std::vector<Row> rows_;
  std::chrono::milliseconds elapsed_{};
  bool is_publishing_ = false;
};

/// {"event":"delivered","part":3,…}, one line.
std::string EventAsJsonLine(const oracle::RunEvent& event,
                            const std::vector<oracle::RunPart>& parts);

enum class BoardForm { kDrawn, kLines, kJson };

/// Shows events in one of the forms through `write`, which puts bytes out at
/// once. The board is gone when this is.
class LiveBoard {
 public:
  using Write = std::function<void(std::string_view)>;
  using Probe = std::function<Terminal()>;

  /// `probe` tells the size of the window before each drawing. Without it the
  /// size stays that of `terminal`.
  LiveBoard(BoardForm form, const Terminal& terminal, Write write, Probe probe = {})
      : form_(form), terminal_(terminal), write_(std::move(write)), probe_(std::move(probe)) {}
  ~LiveBoard() { Clear(); }
  LiveBoard(const LiveBoard&) = delete;
  LiveBoard& operator=(const LiveBoard&) = delete;

  void Tell(const oracle::RunEvent& event);
  void Clear();

 private:
  void Redraw(bool is_due);
  void MeasureWindow();
  std::string Erasing() const;

  BoardForm form_;
  Terminal terminal_;
  Write write_;
  Probe probe_;
  Board board_;
  std::vector<oracle::RunPart> parts_;
  std::vector<std::size_t> drawn_;  ///< The width of each line that is on the screen.
  std::chrono::steady_clock::time_point next_draw_{};
};

}  // namespace sibyl::interface
