// SPDX-License-Identifier: Apache-2.0
// FindReads of plan/mentions.h: existing files that a plan wants to be read,
// with their lines.
#include <algorithm>
#include <array>

#include "plan/mentions.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

struct Range {
  std::size_t from = 0;
  std::size_t to = 0;
  std::size_t at = 0;
};

// The range after a word: "10-40", "10 to 40", "L10-L40", "12".
std::optional<Range> TakeRange(std::string_view text) {
  text = TrimLeft(text);
  if (text.starts_with('L')) text.remove_prefix(1);
  const std::optional<Number> from = TakeNumber(text);
  if (!from) return std::nullopt;
  Range range{.from = from->value, .to = from->value};
  std::string_view rest = TrimLeft(text.substr(from->length));
  std::size_t dash = DashLength(rest);
  if (dash == 0 && StartsWithWord(rest, "to")) dash = 2;
  if (dash == 0) return range;
  rest = TrimLeft(rest.substr(dash));
  if (rest.starts_with('L')) rest.remove_prefix(1);
  if (const std::optional<Number> to = TakeNumber(rest)) range.to = to->value;
  return range;
}

std::vector<Range> FindRanges(std::string_view text) {
  std::vector<Range> ranges;
  for (std::size_t at = FindIgnoringCase(text, "line"); at != kNowhere;
       at = FindIgnoringCase(text, "line", at + 4)) {
    if (at > 0 && IsNameByte(text[at - 1])) continue;
    std::string_view rest = text.substr(at + 4);
    if (rest.starts_with('s') || rest.starts_with('S')) rest.remove_prefix(1);
    rest = TrimLeft(rest);
    if (rest.starts_with(':')) rest.remove_prefix(1);
    if (std::optional<Range> range = TakeRange(rest)) {
      range->at = at;
      ranges.push_back(*range);
    }
  }
  return ranges;
}

// "a.md:10-40" and "a.md#L10-L40": the range that touches the path.
std::optional<Range> TouchingRange(std::string_view after) {
  if (after.starts_with('`')) after.remove_prefix(1);
  if (after.starts_with(':') && after.size() > 1 && IsDigit(after[1])) {
    return TakeRange(after.substr(1));
  }
  if (after.starts_with("#L")) return TakeRange(after.substr(1));
  return std::nullopt;
}

std::optional<std::string_view> AfterReadVerb(std::string_view text) {
  static constexpr std::array<std::string_view, 11> kVerbs = {
      "re-read", "read",    "check existing", "check", "review", "consult",
      "study",   "examine", "load",           "open",  "look at"};
  text = SkipDecoration(text);
  for (const std::string_view verb : kVerbs) {
    if (StartsWithWord(text, verb)) return text.substr(verb.size());
  }
  return std::nullopt;
}

}  // namespace

std::vector<Read> FindReads(std::string_view text, std::size_t line) {
  std::vector<Read> reads;
  const std::optional<std::string_view> rest = AfterReadVerb(text);
  if (!rest) return reads;
  const std::vector<Range> ranges = FindRanges(*rest);
  std::size_t next_range = 0;
  for (const std::string_view path : FindPaths(*rest)) {
    Read read{.path = std::string(path), .from = {}, .to = {}, .line = line};
    const auto end = static_cast<std::size_t>(path.data() + path.size() - rest->data());
    if (const std::optional<Range> touching = TouchingRange(rest->substr(end))) {
      read.from = touching->from;
      read.to = touching->to;
    }
    reads.push_back(std::move(read));
  }
  // "Read a.md lines 1-9 and lines 30-40": one read each. Ranges belong to the
  // only file; with several files, to the one before each range.
  std::vector<Read> placed;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const bool last = i + 1 == reads.size();
    const std::size_t limit =
        last ? kNowhere : rest->find(reads[i + 1].path, rest->find(reads[i].path) + 1);
    bool any = false;
    while (next_range < ranges.size() && ranges[next_range].at < limit) {
      Read read = reads[i];
      read.from = ranges[next_range].from;
      read.to = ranges[next_range].to;
      placed.push_back(std::move(read));
      ++next_range;
      any = true;
    }
    if (!any) placed.push_back(std::move(reads[i]));
  }
  return placed;
}

}  // namespace sibyl::plan
