// SPDX-License-Identifier: Apache-2.0
// Time is passed as an argument, so that tests control it and a run can be
// repeated byte for byte.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl {

using Time = std::chrono::sys_seconds;

/// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  /// The time of day, for people and for what servers say in dates. How long
  /// something takes is measured with base/stopwatch.h.
  virtual Time Now() const = 0;

  /// The time that is written to files. Never mixed with Now(): with
  /// SOURCE_DATE_EPOCH it is fixed.
  virtual Time WrittenNow() const = 0;
};

/// The system's clock; SOURCE_DATE_EPOCH, when set, is the written time.
class SystemClock : public Clock {
 public:
  /// Fails if SOURCE_DATE_EPOCH is not a valid time: a reproducible run must
  /// not silently use today's date.
  static Result<SystemClock> FromEnvironment();

  /// `source_date_epoch` is the value of the variable.
  static Result<SystemClock> WithEpoch(const std::optional<std::string>& source_date_epoch);

  Time Now() const override;
  Time WrittenNow() const override;

 private:
  explicit SystemClock(std::optional<Time> written) : written_(written) {}

  std::optional<Time> written_;
};

class FixedClock : public Clock {
 public:
  explicit FixedClock(Time time) : time_(time) {}

  Time Now() const override { return time_; }
  Time WrittenNow() const override { return time_; }

 private:
  Time time_;
};

/// 2026-11-15, in UTC.
std::string FormatDate(Time time);

/// 2026-11-15 09:05, in UTC.
std::string FormatDateTime(Time time);

/// The start of a day written YYYY-MM-DD; nothing for a day that does not
/// exist or any other form.
std::optional<Time> ParseDate(std::string_view text);

}  // namespace sibyl
