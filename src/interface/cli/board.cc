// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/board.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/one_line.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"

namespace sibyl::interface {
namespace {

using oracle::RunEvent;
using oracle::RunMoment;
using std::chrono::milliseconds;

constexpr std::size_t kMostRows = 16;
constexpr std::size_t kMostTarget = 44;
constexpr std::size_t kLeastTarget = 12;
constexpr std::size_t kNumberColumns = 6;
constexpr std::size_t kStateColumns = 10;
constexpr std::size_t kTimeColumns = 7;
constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrow = 50;
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

// One column is left free: a full line makes some terminals wrap.
std::size_t UsableColumns(const Terminal& terminal) {
  return terminal.columns > 1 ? terminal.columns - 1 : 1;
}

bool HasTimes(std::size_t columns) { return columns >= kNarrow + kGap + kTimeColumns; }

// Room for "10 of 10 points", or at least for "10 of 10", stays beside the name.
std::size_t MostTargetColumns(std::size_t columns) {
  constexpr std::size_t kShare = 8;
  constexpr std::size_t kPoints = 15;
  std::size_t others = kNumberColumns + kGap + kStateColumns + kGap;
  others += columns < kNarrow ? kShare : kPoints;
  if (HasTimes(columns)) others += kGap + kTimeColumns;
  const std::size_t room = columns > others ? columns - others : 0;
  return std::clamp(room, kLeastTarget, kMostTarget);
}

// The texts get shorter; the last one is cut if even it is too long.
std::string LongestThatFits(const std::vector<std::string>& texts, std::size_t columns) {
  for (const std::string& text : texts) {
    if (DisplayWidth(text) <= columns) return text;
  }
  return texts.empty() ? "" : engine::Shorten(texts.back(), columns);
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

// What a row tells beside its state, from the longest text to the shortest.
std::vector<std::string> Board::FiguresOf(const Row& row) {
  if (row.moment == RunMoment::kFailed) return {Harmless(OneLine(row.reason))};
  const bool is_delivered = row.moment == RunMoment::kDelivered;
  if (!is_delivered && !IsRunning(row.moment)) return {""};
  if (is_delivered && row.lines == 0) return {"already written", "written"};
  if (!is_delivered && row.covered == 0 && row.citations == 0) {
    if (row.is_in_other_process) return {"in another process"};
    const std::size_t all = std::max<std::size_t>(row.part.points, 1);
    return {fmt::format("{} %", 100 * std::min(row.points, all) / all)};
  }
  const std::string share = fmt::format("{} of {}", row.covered, row.part.points);
  std::vector<std::string> figures = {share, share + " points"};
  figures.push_back(fmt::format("{}, {}", figures.back(), Count(row.citations, "citation")));
  if (row.lines > 0) {
    figures.push_back(fmt::format("{}, {}", figures.back(), Count(row.lines, "line")));
  }
  std::ranges::reverse(figures);
  return figures;
}

std::string Board::DrawRow(const Row& row, std::size_t target_columns, const Terminal& terminal) {
  std::string state = "waiting";
  Style style = Style::kDim;
  if (row.moment == RunMoment::kDelivered) {
    state = "delivered";
    style = Style::kGreen;
  } else if (row.moment == RunMoment::kFailed) {
    state = "failed";
    style = Style::kRed;
  } else if (IsRunning(row.moment)) {
    state = row.moment == RunMoment::kRetried ? "again" : row.step;
    if (state.empty()) state = "started";
    style = Style::kYellow;
  }
  const std::size_t columns = UsableColumns(terminal);
  std::string head = fmt::format(
      "  {:>2}  {}  ", row.part.number,
      engine::PadRight(ElideMiddle(Harmless(row.part.target), target_columns), target_columns));
  std::size_t used = DisplayWidth(head) + kStateColumns;
  if (used > columns) return engine::Shorten(head + state, columns);
  std::string time = row.elapsed.count() > 0 ? Seconds(row.elapsed) : "";
  if (HasTimes(columns) && !time.empty()) {
    time = engine::PadLeft(time, kTimeColumns);
  } else {
    time.clear();
  }
  const std::size_t for_time = time.empty() ? 0 : kGap + kTimeColumns;
  const std::size_t room = columns > used + kGap + for_time ? columns - used - kGap - for_time : 0;
  const std::string figures = LongestThatFits(FiguresOf(row), room);
  std::string tail;
  if (!figures.empty()) tail = std::string(kGap, ' ') + figures;
  used += DisplayWidth(tail);
  if (!time.empty()) tail += std::string(columns - used - kTimeColumns, ' ') + time;
  // No blanks at the end: they would be wrapped too when the window gets narrower.
  if (!tail.empty()) state = engine::PadRight(state, kStateColumns);
  return head + Styled(state, style, terminal) + tail;
}

std::string Board::DrawTotal(std::size_t columns) const {
  std::size_t over = 0;
  std::size_t covered = 0;
  std::size_t all_points = 0;
  std::size_t worked = 0;  // of this process; tells how long the rest takes
  for (const Row& row : rows_) {
    over += IsOver(row.moment) ? 1U : 0U;
    if (row.part.outcome) continue;  // an earlier process counted its points
    covered += std::min(row.covered, row.part.points);
    worked += IsOver(row.moment) ? row.part.points : std::min(row.points, row.part.points);
    all_points += row.part.points;
  }
  const std::string indent(columns < kNarrow ? 2 : kNumberColumns, ' ');
  const std::string parts = fmt::format("{}{} of {}", indent, over, Count(rows_.size(), "part"));
  const std::string points =
      fmt::format("{}, {} of {}", parts, covered, Count(all_points, "point"));
  std::vector<std::string> texts = {fmt::format("{}, {}", points, Seconds(elapsed_)),
                                    fmt::format("{}, {}", parts, Seconds(elapsed_)), parts};
  constexpr milliseconds kTooEarly{500};
  if (is_publishing_) {
    texts.insert(texts.begin(), texts[0] + ", publishing");
    texts.insert(texts.begin() + 1, parts + ", publishing");
  } else if (worked > 0 && worked < all_points && elapsed_ > kTooEarly) {
    const double left = static_cast<double>(elapsed_.count()) *
                        static_cast<double>(all_points - worked) / static_cast<double>(worked);
    texts.insert(texts.begin(),
                 fmt::format("{}, about {} left", texts[0],
                             Seconds(milliseconds(static_cast<std::int64_t>(left)))));
  }
  return LongestThatFits(texts, columns);
}

std::string Board::Draw(const Terminal& terminal) const {
  std::vector<const Row*> shown;
  for (const Row& row : rows_) shown.push_back(&row);
  // A board that is higher than the window could not be drawn over.
  constexpr std::size_t kOtherLines = 3;  // "and 2 more", the total, the cursor
  const std::size_t most =
      terminal.rows == 0
          ? kMostRows
          : std::clamp<std::size_t>(terminal.rows, kOtherLines + 1, kMostRows + kOtherLines) -
                kOtherLines;
  if (shown.size() > most) {
    std::stable_sort(shown.begin(), shown.end(), [](const Row* a, const Row* b) {
      return Order(a->moment) < Order(b->moment);
    });
    shown.resize(most);
  }
  std::size_t longest = 0;
  for (const Row* row : shown) {
    longest = std::max(longest, DisplayWidth(Harmless(row->part.target)));
  }
  const std::size_t columns = UsableColumns(terminal);
  const std::size_t target_columns = std::min(longest, MostTargetColumns(columns));
  std::string text;
  for (const Row* row : shown) text += DrawRow(*row, target_columns, terminal) + '\n';
  if (rows_.size() > shown.size()) {
    text += engine::Shorten(fmt::format("      and {} more", rows_.size() - shown.size()), columns);
    text += '\n';
  }
  return text + DrawTotal(columns) + '\n';
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
      return fmt::format("{}: {}\n", name, Harmless(OneLine(event.reason)));
    case RunMoment::kRetried:
      return fmt::format("{}: {}; retrying\n", name, Harmless(OneLine(row.reason)));
    case RunMoment::kDelivered:
      if (row.lines == 0) return name + ": already written\n";
      return fmt::format("{}: {} of {}, {}, {}\n", name, row.covered,
                         Count(row.part.points, "point"), Count(row.citations, "citation"),
                         Count(row.lines, "line"));
    case RunMoment::kFailed:
      return fmt::format("{}: failed: {}\n", name, Harmless(OneLine(row.reason)));
    case RunMoment::kReleased:
      return fmt::format("{}: released: {}\n", name, Harmless(OneLine(row.reason)));
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

void LiveBoard::MeasureWindow() {
  if (!probe_) return;
  const Terminal now = probe_();
  terminal_.columns = now.columns;
  terminal_.rows = now.rows;
}

// Up over the old lines, and everything below erased. A window that got narrower
// has wrapped them: most terminals do so, and then a line takes several rows.
std::string LiveBoard::Erasing() const {
  std::size_t rows = 0;
  const std::size_t columns = std::max<std::size_t>(terminal_.columns, 1);
  for (const std::size_t width : drawn_) {
    rows += std::max<std::size_t>((width + columns - 1) / columns, 1);
  }
  return rows == 0 ? std::string() : fmt::format("\x1b[{}A\r\x1b[J", rows);
}

// One write, so that nothing flickers.
void LiveBoard::Redraw(bool is_due) {
  const auto now = std::chrono::steady_clock::now();
  if (!is_due && now < next_draw_) return;
  next_draw_ = now + kDrawInterval;
  MeasureWindow();
  const std::string text = board_.Draw(terminal_);
  write_(Erasing() + text);
  Terminal plain = terminal_;
  plain.has_colour = false;
  drawn_.clear();
  const std::string measured = terminal_.has_colour ? board_.Draw(plain) : text;
  for (const std::string_view line : SplitLines(measured)) drawn_.push_back(DisplayWidth(line));
}

void LiveBoard::Clear() {
  if (drawn_.empty()) return;
  MeasureWindow();
  write_(Erasing());
  drawn_.clear();
}

}  // namespace sibyl::interface
