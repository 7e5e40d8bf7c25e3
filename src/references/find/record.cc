// SPDX-License-Identifier: Apache-2.0
#include "references/find/record.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kHeadLines = 40;
constexpr std::size_t kHeadBytes = 8'192;

constexpr auto kFolders = std::to_array<std::string_view>(
    {"archive", "archives", "archived", "changelog", "changelogs", "completed", "done", "history",
     "journal", "journals", "log", "logs", "postmortem", "postmortems", "retro", "retros"});

constexpr auto kRecordNames = std::to_array<std::string_view>(
    {"changelog", "changes", "history", "journal", "log", "logs", "news", "postmortem", "releases",
     "worklog", "devlog", "retro", "retrospective"});

// Two digits, or none.
std::optional<unsigned> TwoDigits(std::string_view text, std::size_t at) {
  if (at + 2 > text.size() || !IsDigit(text[at]) || !IsDigit(text[at + 1])) return std::nullopt;
  return static_cast<unsigned>((text[at] - '0') * 10 + (text[at + 1] - '0'));
}

// "2026-02-23", "2026_02_23", "20260223" at a place; the day since 1970.
std::optional<std::chrono::sys_days> DateAt(std::string_view text, std::size_t at) {
  const std::optional<unsigned> century = TwoDigits(text, at);
  const std::optional<unsigned> years = TwoDigits(text, at + 2);
  if (!century || !years || *century < 19 || *century > 20) return std::nullopt;
  std::size_t next = at + 4;
  const char mark = next < text.size() ? text[next] : '\0';
  const bool has_marks = mark == '-' || mark == '_' || mark == '.' || mark == '/';
  if (has_marks) ++next;
  const std::optional<unsigned> month = TwoDigits(text, next);
  next += 2;
  if (has_marks) {
    if (next >= text.size() || text[next] != mark) return std::nullopt;
    ++next;
  }
  const std::optional<unsigned> day = TwoDigits(text, next);
  if (!month || !day || (next + 2 < text.size() && IsDigit(text[next + 2]))) return std::nullopt;
  const std::chrono::year_month_day date(
      std::chrono::year(static_cast<int>(*century * 100 + *years)), std::chrono::month(*month),
      std::chrono::day(*day));
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

std::optional<std::chrono::sys_days> FindDate(std::string_view text) {
  std::optional<std::chrono::sys_days> found;
  for (std::size_t at = 0; at + 8 <= text.size(); ++at) {
    if (!IsDigit(text[at]) || (at > 0 && IsAlphanumeric(text[at - 1]))) continue;
    if (const auto date = DateAt(text, at)) found = date;
  }
  return found;
}

std::vector<std::string_view> HeadLines(std::string_view text) {
  std::vector<std::string_view> lines = SplitLines(text.substr(0, kHeadBytes));
  if (lines.size() > kHeadLines) lines.resize(kHeadLines);
  return lines;
}

// The commit id at a place, after blanks and marks; empty if there is none.
std::string_view CommitAt(std::string_view line, std::size_t at) {
  constexpr std::string_view kMarks = " `*:\"'([";
  while (at < line.size() && kMarks.find(line[at]) != kMarks.npos) ++at;
  std::size_t end = at;
  while (end < line.size() && HexValue(line[end]) >= 0) ++end;
  const std::string_view id = line.substr(at, end - at);
  const bool ends = end == line.size() || !IsNameByte(line[end]);
  const bool has_digit = std::any_of(id.begin(), id.end(), IsDigit);
  return ends && has_digit && id.size() >= 7 && id.size() <= 40 ? id : std::string_view();
}

}  // namespace

bool IsRecord(std::string_view path) {
  std::string lower = LowerCase(path);
  if (FindDate(lower)) return true;
  std::string_view rest = lower;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
       slash = rest.find('/')) {
    std::string_view folder = rest.substr(0, slash);
    while (!folder.empty() && !IsLetter(folder.front())) folder.remove_prefix(1);
    if (IsOneOf(folder, kFolders)) return true;
    rest.remove_prefix(slash + 1);
  }
  std::string_view name = rest.substr(0, rest.rfind('.'));
  if (name.starts_with("changelog") || name.starts_with("release-notes") ||
      name.starts_with("release_notes")) {
    return true;
  }
  // DEFECT_LOG, work-log
  const std::size_t mark = name.find_last_of("-_ ");
  if (mark != std::string_view::npos && (name.substr(mark + 1) == "log")) return true;
  return IsOneOf(name, kRecordNames);
}

std::optional<std::int64_t> DateOfPath(std::string_view path) {
  const std::optional<std::chrono::sys_days> date = FindDate(path);
  if (!date) return std::nullopt;
  const std::chrono::sys_seconds end = *date + std::chrono::days(1);
  return end.time_since_epoch().count();
}

std::string NamedCommit(std::string_view text) {
  for (const std::string_view line : HeadLines(text)) {
    const std::string lower = LowerCase(line);
    for (const std::string_view mark : {"commit", "as of ", "head", "revision", "sha"}) {
      const std::size_t at = lower.find(mark);
      if (at == std::string::npos || (at > 0 && IsLetter(lower[at - 1]))) continue;
      const std::string_view id = CommitAt(lower, at + mark.size());
      if (!id.empty()) return std::string(id);
    }
  }
  return {};
}

}  // namespace sibyl::references
