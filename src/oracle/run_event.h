// SPDX-License-Identifier: Apache-2.0
// Events of a running expansion: the step of each part, and overall progress. A
// front end shows them as a board, lines, or JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::oracle {

enum class RunMoment : std::uint8_t {
  kBegun,       ///< Lists the parts.
  kStarted,     ///< A part was started.
  kStep,        ///< A part got further.
  kRetried,     ///< An attempt at a part failed; there will be another.
  kDelivered,   ///< A part is written and has passed the gate.
  kFailed,      ///< A part failed for good.
  kReleased,    ///< A part was released: interrupted, or taken over by another process.
  kPublishing,  ///< All parts have an outcome.
  kTick,        ///< Nothing happened, but time has passed.
};

/// "begun", "started", …
std::string_view RunMomentName(RunMoment moment);

struct RunPart {
  int number = 0;
  std::string title;
  std::string target;
  std::size_t points = 0;
  /// kDelivered or kFailed: before this process joined the run.
  std::optional<RunMoment> outcome = {};
};

struct RunEvent {
  RunMoment moment = RunMoment::kTick;
  std::vector<RunPart> parts;  ///< Of kBegun: those that are run, in their order.
  std::size_t part = 0;        ///< Its index in `parts`; unused for kBegun and kTick.
  std::string step;            ///< "gathering", "writing", "checking"
  std::string reason;
  int attempt = 0;
  std::size_t points = 0;  ///< Points processed so far.
  std::size_t covered = 0;
  std::size_t citations = 0;
  std::size_t lines = 0;
  std::chrono::milliseconds elapsed{};      ///< Of the part.
  std::chrono::milliseconds run_elapsed{};  ///< Of the run, in this process.
  std::size_t done = 0;
  std::size_t failed = 0;
  bool is_in_other_process = false;  ///< Another process does it.
};

}  // namespace sibyl::oracle
