// SPDX-License-Identifier: Apache-2.0
// Where the lines of one version of a file are in another.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/line_span.h"
#include "base/mutex.h"
#include "references/code_file.h"

namespace sibyl::references {

/// The share of words that two lines have in common; zero for a line with one word.
double Likeness(std::string_view a, std::string_view b);

/// Lines that occur once in both versions are matched in order (the longest
/// increasing sequence of them), and their equal neighbours with them; then the same
/// between two that match. A line that was changed matches the only one in its place
/// that has most of its words.
class LineMap {
 public:
  LineMap(const CodeFile& before, const CodeFile& after);

  /// Lines count from one; nothing if the line was changed or removed.
  std::optional<std::size_t> After(std::size_t line) const;

  struct Mapped {
    LineRange lines;
    bool is_exact = false;   ///< The first and the last line were matched, at the same distance.
    bool has_start = false;  ///< The first line was matched.
  };
  /// Where a range is now; nothing if fewer than half of its lines with text were matched.
  std::optional<Mapped> After(const LineRange& lines) const;

  /// How far the nearest lines before and after a changed range have moved.
  struct Shifts {
    std::optional<std::ptrdiff_t> before;
    std::optional<std::ptrdiff_t> after;
  };
  Shifts ShiftsAround(const LineRange& lines) const;

  /// The same, if both agree.
  std::optional<std::ptrdiff_t> ShiftAround(const LineRange& lines) const;

 private:
  std::vector<std::size_t> after_;  // by line from zero; zero: no match
  std::vector<bool> has_text_;
};

/// Maps between versions that are compared more than once, by the ids of their
/// content. Safe to use from several threads.
class LineMaps {
 public:
  struct Version {
    const CodeFile& file;
    const std::string& blob;
  };
  std::shared_ptr<const LineMap> Between(const Version& before, const Version& after)
      SIBYL_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const LineMap>> maps_
      SIBYL_GUARDED_BY(mutex_);
};

/// Whether a range was replaced by something else: hardly a name of it is left in
/// or near the same lines.
bool IsReplaced(const CodeFile& before, const CodeFile& after, const LineRange& lines);

}  // namespace sibyl::references
