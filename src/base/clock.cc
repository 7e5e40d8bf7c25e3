// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"

#include <fmt/format.h>

#include <cstdint>

#include "base/numbers.h"
#include "base/process/environment.h"

namespace sibyl {
namespace {

namespace chrono = std::chrono;

constexpr std::int64_t kLastSecondOf9999 = 253'402'300'799;

std::optional<unsigned> ParseDigits(std::string_view text) {
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return ParseNumber<unsigned>(text);
}

}  // namespace

Result<SystemClock> SystemClock::FromEnvironment() {
  return WithEpoch(EnvironmentVariable("SOURCE_DATE_EPOCH"));
}

Result<SystemClock> SystemClock::WithEpoch(const std::optional<std::string>& source_date_epoch) {
  if (!source_date_epoch) return SystemClock(std::nullopt);
  const std::optional<std::int64_t> seconds = ParseNumber<std::int64_t>(*source_date_epoch);
  if (!seconds || *seconds < 0 || *seconds > kLastSecondOf9999) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading SOURCE_DATE_EPOCH: '{}' is not a number of "
                                        "seconds since 1970",
                                        *source_date_epoch),
                 .hint = "set it with SOURCE_DATE_EPOCH=$(date +%s), or unset it"};
  }
  return SystemClock(Time(chrono::seconds(*seconds)));
}

Time SystemClock::Now() const {
  return chrono::floor<chrono::seconds>(chrono::system_clock::now());
}

Time SystemClock::WrittenNow() const { return written_.value_or(Now()); }

std::string FormatDate(Time time) {
  const chrono::year_month_day day(chrono::floor<chrono::days>(time));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()),
                     static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
}

std::string FormatDateTime(Time time) {
  const auto since_midnight =
      chrono::floor<chrono::minutes>(time - chrono::floor<chrono::days>(time));
  const std::int64_t minutes = since_midnight.count();
  return fmt::format("{} {:02}:{:02}", FormatDate(time), minutes / 60, minutes % 60);
}

std::optional<Time> ParseDate(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = ParseDigits(text.substr(0, 4));
  const auto month = ParseDigits(text.substr(5, 2));
  const auto day = ParseDigits(text.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const chrono::year_month_day date(chrono::year(static_cast<int>(*year)), chrono::month(*month),
                                    chrono::day(*day));
  if (!date.ok()) return std::nullopt;
  return Time(chrono::sys_days(date));
}

}  // namespace sibyl
