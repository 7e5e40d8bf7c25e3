// SPDX-License-Identifier: Apache-2.0
#include "net/headers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/http_token.h"
#include "base/strings.h"

namespace sibyl::net {
namespace {

namespace chrono = std::chrono;

constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr std::int64_t kYearOfSeconds = std::int64_t{366} * 24 * 3600;

std::optional<std::int64_t> Number(std::string_view digits) {
  std::int64_t number = 0;
  const char* end = digits.data() + digits.size();
  if (digits.empty() || digits[0] < '0' || digits[0] > '9') return std::nullopt;
  const auto [stopped, error] = std::from_chars(digits.data(), end, number);
  if (stopped != end) return std::nullopt;
  if (error != std::errc()) return kYearOfSeconds;  // too large for any use
  return number;
}

std::optional<unsigned> Month(std::string_view name) {
  if (name.size() != 3) return std::nullopt;
  const std::size_t at = kMonths.find(name);
  if (at == std::string_view::npos || at % 3 != 0) return std::nullopt;
  return static_cast<unsigned>(at / 3 + 1);
}

// "08:49:37"
std::optional<chrono::seconds> TimeOfDay(std::string_view text) {
  if (text.size() != 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hours = Number(text.substr(0, 2));
  const auto minutes = Number(text.substr(3, 2));
  const auto seconds = Number(text.substr(6, 2));
  if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds > 60) {
    return std::nullopt;
  }
  return chrono::hours(*hours) + chrono::minutes(*minutes) + chrono::seconds(*seconds);
}

// Words of a date, without commas; at most eight, which is more than any has.
std::vector<std::string_view> Words(std::string_view text) {
  std::vector<std::string_view> words;
  while (words.size() < 8) {
    const std::size_t start = text.find_first_not_of(" ,-");
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::size_t end = std::min(text.find_first_of(" ,-"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

struct DateWords {
  std::string_view day;
  std::string_view month;
  std::string_view year;
  std::string_view time;
};

std::optional<Time> Assemble(const DateWords& words) {
  const auto day = Number(words.day);
  const auto month = Month(words.month);
  auto year = Number(words.year);
  const auto time = TimeOfDay(words.time);
  if (!day || !month || !year || !time || *day > 31 || *year > 9999) return std::nullopt;
  // Two digits: the century that makes it the nearer one, as RFC 9110 has it.
  if (words.year.size() == 2) *year += *year < 70 ? 2000 : 1900;
  const chrono::year_month_day date(chrono::year(static_cast<int>(*year)), chrono::month(*month),
                                    chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  return Time(chrono::sys_days(date)) + *time;
}

}  // namespace

std::optional<std::string_view> Headers::Find(std::string_view name) const {
  for (const Header& field : fields_) {
    if (EqualsIgnoringCase(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::optional<Header> ParseHeaderLine(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !IsHttpToken(line.substr(0, colon))) return std::nullopt;
  Header header{.name = std::string(line.substr(0, colon)),
                .value = std::string(Trim(line.substr(colon + 1)))};
  for (char& c : header.value) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return header;
}

ContentType ParseContentType(std::string_view value) {
  ContentType parsed;
  const std::size_t end = std::min(value.find(';'), value.size());
  const std::string_view type = Trim(value.substr(0, end));
  const std::size_t slash = type.find('/');
  if (slash == std::string_view::npos || !IsHttpToken(type.substr(0, slash)) ||
      !IsHttpToken(type.substr(slash + 1))) {
    return parsed;
  }
  parsed.type = LowerCase(type);
  std::string_view rest = value.substr(end);
  while (!rest.empty() && parsed.charset.empty()) {
    rest.remove_prefix(1);  // the semicolon
    const std::size_t next = std::min(rest.find(';'), rest.size());
    const std::string_view parameter = Trim(rest.substr(0, next));
    rest.remove_prefix(next);
    constexpr std::string_view kCharset = "charset=";
    if (!StartsWithIgnoringCase(parameter, kCharset)) continue;
    std::string_view name = Trim(parameter.substr(kCharset.size()));
    if (name.size() >= 2 && (name.front() == '"' || name.front() == '\'') &&
        name.back() == name.front()) {
      name = name.substr(1, name.size() - 2);
    }
    if (IsHttpToken(name)) parsed.charset = LowerCase(name);
  }
  return parsed;
}

std::optional<Time> ParseHttpDate(std::string_view value) {
  const std::vector<std::string_view> words = Words(Trim(value));
  // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
  if (words.size() == 6 && (words[5] == "GMT" || words[5] == "UTC")) {
    return Assemble({.day = words[1], .month = words[2], .year = words[3], .time = words[4]});
  }
  // Sun Nov  6 08:49:37 1994
  if (words.size() == 5) {
    return Assemble({.day = words[2], .month = words[1], .year = words[4], .time = words[3]});
  }
  return std::nullopt;
}

std::optional<chrono::seconds> ParseRetryAfter(std::string_view value, Time now) {
  value = Trim(value);
  std::int64_t seconds = 0;
  if (const auto number = Number(value)) {
    seconds = *number;
  } else if (const auto date = ParseHttpDate(value)) {
    seconds = (*date - now).count();
  } else {
    return std::nullopt;
  }
  return chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kYearOfSeconds));
}

}  // namespace sibyl::net
