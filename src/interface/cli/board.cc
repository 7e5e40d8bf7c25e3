// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/board.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/strings.h"
#include "engine/text/columns.h"

namespace sibyl::interface {
namespace {

using oracle::RunEvent;
using oracle::RunMoment;
using std::chrono::milliseconds;

constexpr std::size_t kMostRows = 16;
constexpr std::size_t kMostTarget = 44;
constexpr std::size_t kStepColumns = 10;
constexpr milliseconds kDrawInterval{80};

std::string Seconds(milliseconds time) {
  return fmt::format("{:.1f} s", static_cast<double>(time.count()) / 1000);
}

bool IsOver(RunMoment moment) {
  return moment == RunMoment::kDelivered || moment == RunMoment::kFailed;
}

bool IsRunning(RunMoment moment) {
  return moment == RunMoment::kStarted || moment == RunMoment::kStep ||
         moment == RunMoment::kRetried;
}

// Running, failed, delivered, waiting.
int Order(RunMoment moment) {
  if (IsRunning(moment)) return 0;
  if (moment == RunMoment::kFailed) return 1;
  return moment == RunMoment::kDelivered ? 2 : 3;
}

}  // namespace

void Board::Take(const RunEvent& event) {
  elapsed_ = std::max(elapsed_, event.run_elapsed);
  if (event.moment == RunMoment::kBegun) {
    for (const oracle::RunPart& part : event.parts) {
      rows_.push_back({.part = part, .moment = part.outcome.value_or(RunMoment::kBegun)});
    }
    return;
  }
  if (event.moment == RunMoment::kPublishing) is_publishing_ = true;
  if (event.moment == RunMoment::kTick || event.moment == RunMoment::kPublishing) return;
  if (event.part >= rows_.size()) return;
  Row& row = rows_[event.part];
  row.moment = event.moment;
  row.is_in_other_process = event.is_in_other_process;
  row.reason = event.reason;
  row.elapsed = event.elapsed;
  if (!event.step.empty()) row.step = event.step;
  // An event without figures does not change them.
  row.points = std::max(row.points, event.points);
  row.covered = std::max(row.covered, event.covered);
  row.citations = std::max(row.citations, event.citations);
  row.lines = std::max(row.lines, event.lines);
  if (event.moment == RunMoment::kDelivered) row.points = row.part.points;
}

std::string Board::DrawRow(const Row& row, std::size_t target_columns,
                           const Terminal& terminal) const {
  std::string state;
  Style style = Style::kPlain;
  std::string figures;
  if (row.moment == RunMoment::kDelivered) {
    state = "delivered";
    style = Style::kGreen;
    figures = row.lines == 0 ? "already written"
                             : fmt::format("{} of {} points, {} citations, {} lines", row.covered,
                                           row.part.points, row.citations, row.lines);
  } else if (row.moment == RunMoment::kFailed) {
    state = "failed";
    style = Style::kRed;
    figures = Harmless(row.reason);
  } else if (IsRunning(row.moment)) {
    state = row.moment == RunMoment::kRetried ? "again" : row.step;
    if (state.empty()) state = "started";
    style = Style::kYellow;
    figures = fmt::format("{} of {} points", row.points, row.part.points);
    if (row.citations > 0) figures += fmt::format(", {} citations", row.citations);
    if (row.is_in_other_process) figures += ", in another process";
  } else {
    state = "waiting";
    style = Style::kDim;
  }
  const std::string time = row.elapsed.count() > 0 ? Seconds(row.elapsed) : "";
  std::string line = fmt::format(
      "  {:>2}  {}  ", row.part.number,
      engine::PadRight(engine::Shorten(Harmless(row.part.target), target_columns), target_columns));
  const std::size_t used = 6 + target_columns + 2 + kStepColumns + 2;
  line += Styled(engine::PadRight(state, kStepColumns), style, terminal) + "  ";
  const std::size_t columns = terminal.columns > 1 ? terminal.columns - 1 : 1;
  const std::size_t room = columns > used + time.size() + 2 ? columns - used - time.size() - 2 : 0;
  line += engine::PadRight(engine::Shorten(figures, room), room) + "  " + time;
  return line;
}

std::string Board::DrawTotal() const {
  std::size_t over = 0;
  std::size_t points = 0;
  std::size_t all_points = 0;
  std::size_t earlier_points = 0;  // no measure of this process
  for (const Row& row : rows_) {
    over += IsOver(row.moment) ? 1U : 0U;
    points += IsOver(row.moment) ? row.part.points : std::min(row.points, row.part.points);
    all_points += row.part.points;
    earlier_points += row.part.outcome ? row.part.points : 0;
  }
  std::string text = fmt::format("      {} of {}, {} of {}, {}", over, Count(rows_.size(), "part"),
                                 points, Count(all_points, "point"), Seconds(elapsed_));
  if (is_publishing_) return text + ", publishing";
  constexpr milliseconds kTooEarly{500};
  if (points > earlier_points && points < all_points && elapsed_ > kTooEarly) {
    const double left = static_cast<double>(elapsed_.count()) *
                        static_cast<double>(all_points - points) /
                        static_cast<double>(points - earlier_points);
    text += fmt::format(", about {} left", Seconds(milliseconds(static_cast<std::int64_t>(left))));
  }
  return text;
}

std::string Board::Draw(const Terminal& terminal) const {
  std::vector<const Row*> shown;
  for (const Row& row : rows_) shown.push_back(&row);
  if (shown.size() > kMostRows) {
    std::stable_sort(shown.begin(), shown.end(), [](const Row* a, const Row* b) {
      return Order(a->moment) < Order(b->moment);
    });
    shown.resize(kMostRows);
  }
  std::size_t target_columns = 0;
  for (const Row* row : shown) {
    target_columns = std::max(target_columns, std::min(row->part.target.size(), kMostTarget));
  }
  std::string text;
  for (const Row* row : shown) text += DrawRow(*row, target_columns, terminal) + '\n';
  if (rows_.size() > shown.size()) {
    text += fmt::format("      and {} more\n", rows_.size() - shown.size());
  }
  return text + DrawTotal() + '\n';
}

std::string Board::LogLine(const RunEvent& event) const {
  if (event.moment == RunMoment::kBegun) {
    const auto left = static_cast<std::size_t>(
        std::ranges::count_if(rows_, [](const Row& row) { return !row.part.outcome; }));
    if (left == rows_.size()) return fmt::format("sibyl: {} to write\n", Count(left, "part"));
    if (left == 0) return "sibyl: no parts left to write\n";
    return fmt::format("sibyl: {} of {} left to write\n", left, Count(rows_.size(), "part"));
  }
  if (event.moment == RunMoment::kPublishing) return "sibyl: publishing\n";
  if (event.part >= rows_.size()) return {};
  const Row& row = rows_[event.part];
  const std::string name =
      fmt::format("sibyl: PART {} {}", row.part.number, Harmless(row.part.target));
  switch (event.moment) {
    case RunMoment::kStarted:
      if (!event.is_in_other_process) return name + ": started\n";
      if (event.reason.empty()) return name + ": held by another process\n";
      return fmt::format("{}: {}\n", name, Harmless(event.reason));
    case RunMoment::kRetried:
      return fmt::format("{}: {}; retrying\n", name, Harmless(row.reason));
    case RunMoment::kDelivered:
      if (row.lines == 0) return name + ": already written\n";
      return fmt::format("{}: {} of {}, {}, {}\n", name, row.covered,
                         Count(row.part.points, "point"), Count(row.citations, "citation"),
                         Count(row.lines, "line"));
    case RunMoment::kFailed:
      return fmt::format("{}: failed: {}\n", name, Harmless(row.reason));
    case RunMoment::kReleased:
      return fmt::format("{}: released: {}\n", name, Harmless(row.reason));
    case RunMoment::kBegun:
    case RunMoment::kStep:
    case RunMoment::kPublishing:
    case RunMoment::kTick:
      break;
  }
  return {};
}

std::string EventAsJsonLine(const RunEvent& event, const std::vector<oracle::RunPart>& parts) {
  Json json = {{"event", oracle::RunMomentName(event.moment)}};
  if (event.moment == RunMoment::kBegun) {
    json["parts"] = Json::array();
    for (const oracle::RunPart& part : event.parts) {
      json["parts"].push_back({{"part", part.number},
                               {"title", part.title},
                               {"target", part.target},
                               {"points", part.points}});
    }
  } else if (event.moment != RunMoment::kPublishing && event.part < parts.size()) {
    json["part"] = parts[event.part].number;
    json["target"] = parts[event.part].target;
    json["step"] = event.step;
    json["attempt"] = event.attempt;
    json["points"] = event.points;
    json["covered"] = event.covered;
    json["citations"] = event.citations;
    json["lines"] = event.lines;
    json["milliseconds"] = event.elapsed.count();
    json["elsewhere"] = event.is_in_other_process;
    if (!event.reason.empty()) json["reason"] = event.reason;
  }
  json["done"] = event.done;
  json["failed"] = event.failed;
  json["run_milliseconds"] = event.run_elapsed.count();
  return FormatJson(json, JsonLayout::kCompact) + '\n';
}

void LiveBoard::Tell(const RunEvent& event) {
  if (event.moment == RunMoment::kBegun) parts_ = event.parts;
  board_.Take(event);
  switch (form_) {
    case BoardForm::kDrawn:
      // Why a part waits is too long for its row, and is to stay.
      if (event.moment == RunMoment::kStarted && event.is_in_other_process) {
        Clear();
        write_(board_.LogLine(event));
      }
      Redraw(event.moment == RunMoment::kBegun || event.moment == RunMoment::kPublishing);
      break;
    case BoardForm::kLines:
      if (const std::string line = board_.LogLine(event); !line.empty()) write_(line);
      break;
    case BoardForm::kJson:
      if (event.moment != RunMoment::kTick) write_(EventAsJsonLine(event, parts_));
      break;
  }
}

// Up over the old lines, and everything below erased: one write, no flicker.
void LiveBoard::Redraw(bool is_due) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_due && now < next_draw_) return;
  next_draw_ = now + kDrawInterval;
  const std::string text = board_.Draw(terminal_);
  std::string bytes;
  if (drawn_lines_ > 0) bytes = fmt::format("\x1b[{}A\r\x1b[J", drawn_lines_);
  write_(bytes + text);
  drawn_lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

void LiveBoard::Clear() {
  if (drawn_lines_ == 0) return;
  write_(fmt::format("\x1b[{}A\r\x1b[J", drawn_lines_));
  drawn_lines_ = 0;
}

}  // namespace sibyl::interface
