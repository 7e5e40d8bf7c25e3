// SPDX-License-Identifier: Apache-2.0
#include "references/past/line_map.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

struct Seen {
  std::size_t before = 0;  ///< Lines from one; the last that was seen.
  std::size_t after = 0;
  std::size_t count_before = 0;
  std::size_t count_after = 0;
};

struct Anchor {
  std::size_t before = 0;
  std::size_t after = 0;
};

// The longest sequence of anchors that increases in both.
std::vector<Anchor> LongestIncreasing(const std::vector<Anchor>& anchors) {
  std::vector<std::size_t> tails;  // indexes of the last anchor of the best sequence of each length
  std::vector<std::size_t> previous(anchors.size());
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const auto at = std::lower_bound(
        tails.begin(), tails.end(), anchors[i].after,
        [&](std::size_t index, std::size_t after) { return anchors[index].after < after; });
    previous[i] = at == tails.begin() ? anchors.size() : *std::prev(at);
    if (at == tails.end()) {
      tails.push_back(i);
    } else {
      *at = i;
    }
  }
  std::vector<Anchor> longest;
  for (std::size_t i = tails.empty() ? anchors.size() : tails.back(); i < anchors.size();
       i = previous[i]) {
    longest.push_back(anchors[i]);
  }
  std::reverse(longest.begin(), longest.end());
  return longest;
}

constexpr std::size_t kLongestShort = 5;

std::set<std::string_view> NamesOn(const CodeFile& file, const LineRange& lines) {
  std::set<std::string_view> names;
  for (std::size_t line = lines.first; line <= lines.last && line <= file.line_count(); ++line) {
    const std::string_view text = file.Line(line);
    for (std::size_t at = 0; at < text.size();) {
      if (!IsNameStart(text[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < text.size() && IsNameByte(text[end])) ++end;
      if (end - at >= 3) names.insert(text.substr(at, end - at));
      at = end;
    }
  }
  return names;
}

// Lines of both versions, between lines that match; `last` may be before `first`.
struct Piece {
  LineRange before;
  LineRange after;

  bool IsEmpty() const { return before.last < before.first || after.last < after.first; }
};

std::set<std::string_view> WordsOn(std::string_view line) {
  std::set<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && IsNameByte(line[end])) ++end;
    if (end > at) words.insert(line.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

// Matches the lines of two versions of a file.
class Matching {
 public:
  Matching(const CodeFile& before, const CodeFile& after, std::vector<std::size_t>& matches)
      : before_(before), after_(after), matches_(matches) {}

  /// Lines that occur once in both pieces are matched in order, and their equal
  /// neighbours with them; what is left between two of them is a smaller piece.
  void Match(const Piece& piece, int depth) {
    constexpr int kDeepest = 6;
    const std::vector<Anchor> anchors = AnchorsOf(piece);
    std::size_t a = piece.before.first;
    std::size_t b = piece.after.first;
    const auto close = [&](std::size_t end_a, std::size_t end_b) {
      Piece gap{{a, end_a - 1}, {b, end_b - 1}};
      MatchEnds(gap);
      if (gap.IsEmpty()) return;
      const bool is_smaller = !anchors.empty() || gap.before.first > piece.before.first ||
                              gap.before.last < piece.before.last;
      if (is_smaller && depth < kDeepest) {
        Match(gap, depth + 1);
      } else {
        MatchSimilar(gap);
      }
    };
    for (const Anchor& anchor : anchors) {
      close(anchor.before, anchor.after);
      matches_[anchor.before - 1] = anchor.after;
      a = anchor.before + 1;
      b = anchor.after + 1;
    }
    close(piece.before.last + 1, piece.after.last + 1);
  }

 private:
  bool IsEqual(std::size_t a, std::size_t b) const {
    return Trim(before_.Line(a)) == Trim(after_.Line(b));
  }

  void MatchEnds(Piece& gap) {
    while (!gap.IsEmpty() && IsEqual(gap.before.first, gap.after.first)) {
      matches_[gap.before.first++ - 1] = gap.after.first++;
    }
    while (!gap.IsEmpty() && IsEqual(gap.before.last, gap.after.last)) {
      matches_[gap.before.last-- - 1] = gap.after.last--;
    }
  }

  std::vector<Anchor> AnchorsOf(const Piece& piece) const {
    std::unordered_map<std::string_view, Seen> seen;
    for (std::size_t line = piece.before.first; line <= piece.before.last; ++line) {
      Seen& one = seen[Trim(before_.Line(line))];
      one.before = line;
      ++one.count_before;
    }
    for (std::size_t line = piece.after.first; line <= piece.after.last; ++line) {
      const auto one = seen.find(Trim(after_.Line(line)));
      if (one == seen.end()) continue;
      one->second.after = line;
      ++one->second.count_after;
    }
    std::vector<Anchor> unique;
    for (std::size_t line = piece.before.first; line <= piece.before.last; ++line) {
      const Seen& one = seen[Trim(before_.Line(line))];
      if (one.count_before == 1 && one.count_after == 1) unique.push_back({line, one.after});
    }
    return LongestIncreasing(unique);
  }

  // Lines that were changed a little, in a short piece, in order.
  void MatchSimilar(const Piece& gap) {
    constexpr std::size_t kMostPairs = 2'000;
    constexpr double kAlike = 0.6;
    const std::size_t lines = gap.before.last - gap.before.first + 1;
    if (lines * (gap.after.last - gap.after.first + 1) > kMostPairs) return;
    std::size_t from = gap.after.first;
    for (std::size_t a = gap.before.first; a <= gap.before.last; ++a) {
      double best = kAlike;
      std::size_t found = 0;
      bool is_only = true;
      for (std::size_t b = from; b <= gap.after.last; ++b) {
        const double alike = Likeness(before_.Line(a), after_.Line(b));
        if (alike < best) continue;
        is_only = found == 0 || alike > best;
        best = alike;
        found = b;
      }
      if (found == 0 || !is_only) continue;
      matches_[a - 1] = found;
      from = found + 1;
    }
  }

  const CodeFile& before_;
  const CodeFile& after_;
  std::vector<std::size_t>& matches_;
};

}  // namespace

double Likeness(std::string_view a, std::string_view b) {
  constexpr std::size_t kFewestWords = 2;
  const std::set<std::string_view> first = WordsOn(a);
  const std::set<std::string_view> second = WordsOn(b);
  if (first.size() < kFewestWords || second.size() < kFewestWords) return 0;
  const auto common = static_cast<std::size_t>(std::count_if(
      first.begin(), first.end(), [&](std::string_view word) { return second.contains(word); }));
  return static_cast<double>(common) / static_cast<double>(first.size() + second.size() - common);
}

LineMap::LineMap(const CodeFile& before, const CodeFile& after)
    : after_(before.line_count(), 0), has_text_(before.line_count(), false) {
  for (std::size_t line = 1; line <= before.line_count(); ++line) {
    has_text_[line - 1] = !Trim(before.Line(line)).empty();
  }
  Matching(before, after, after_).Match({{1, before.line_count()}, {1, after.line_count()}}, 0);
}

std::optional<std::size_t> LineMap::After(std::size_t line) const {
  if (line == 0 || line > after_.size() || after_[line - 1] == 0) return std::nullopt;
  return after_[line - 1];
}

std::optional<LineMap::Mapped> LineMap::After(const LineRange& lines) const {
  std::size_t matched = 0;
  std::size_t texts = 0;
  std::size_t start = lines.first;  // the first line with text
  while (start < std::min(lines.last, after_.size()) && !has_text_[start - 1]) ++start;
  std::size_t first = 0;
  std::size_t first_at = 0;
  std::size_t last = 0;
  std::size_t last_at = 0;
  for (std::size_t line = lines.first; line <= lines.last && line <= after_.size(); ++line) {
    if (has_text_[line - 1]) ++texts;
    if (after_[line - 1] == 0) continue;
    if (has_text_[line - 1]) ++matched;
    if (first == 0 && line >= start) {
      first = after_[line - 1];
      first_at = line;
    }
    last = after_[line - 1];
    last_at = line;
  }
  if (first == 0 || matched == 0 || 2 * matched < texts) return std::nullopt;
  // Unmatched lines at the ends of the range are counted from the matched ones.
  const std::size_t lead = first_at - lines.first;
  Mapped mapped{.lines = {first > lead ? first - lead : 1, last + (lines.last - last_at)}};
  mapped.has_start = first_at == start;
  mapped.is_exact = mapped.has_start && last_at == lines.last &&
                    mapped.lines.last - mapped.lines.first == lines.last - lines.first;
  return mapped;
}

LineMap::Shifts LineMap::ShiftsAround(const LineRange& lines) const {
  constexpr std::size_t kMaxDistance = 15;
  const auto shift = [&](std::size_t line) {
    return static_cast<std::ptrdiff_t>(after_[line - 1]) - static_cast<std::ptrdiff_t>(line);
  };
  Shifts around;
  std::optional<std::ptrdiff_t>& before = around.before;
  for (std::size_t i = 1; i <= kMaxDistance && i < lines.first && !before; ++i) {
    const std::size_t line = lines.first - i;
    if (line <= after_.size() && after_[line - 1] != 0 && has_text_[line - 1]) before = shift(line);
  }
  std::optional<std::ptrdiff_t>& after = around.after;
  for (std::size_t line = lines.last + 1;
       line <= lines.last + kMaxDistance && line <= after_.size() && !after; ++line) {
    if (after_[line - 1] != 0 && has_text_[line - 1]) after = shift(line);
  }
  return around;
}

std::optional<std::ptrdiff_t> LineMap::ShiftAround(const LineRange& lines) const {
  const Shifts around = ShiftsAround(lines);
  return around.before && around.before == around.after ? around.before : std::nullopt;
}

std::shared_ptr<const LineMap> LineMaps::Between(const Version& before, const Version& after) {
  std::pair<std::string, std::string> key(before.blob, after.blob);
  {
    const MutexLock lock(mutex_);
    if (const auto known = maps_.find(key); known != maps_.end()) return known->second;
  }
  auto map = std::make_shared<const LineMap>(before.file, after.file);
  const MutexLock lock(mutex_);
  return maps_.emplace(std::move(key), std::move(map)).first->second;
}

bool IsReplaced(const CodeFile& before, const CodeFile& after, const LineRange& lines) {
  constexpr std::size_t kAround = 3;
  constexpr std::size_t kBeside = 2;
  constexpr std::size_t kFewestNames = 3;
  constexpr std::size_t kFewestRare = 2;
  constexpr std::size_t kRareUses = 3;
  constexpr std::size_t kFewestOfLong = 4;
  constexpr std::size_t kMostNames = 80;
  const bool is_short = lines.last - lines.first <= kLongestShort;
  std::set<std::string_view> old = NamesOn(before, lines);
  // A line with a name or two says too little: its neighbours help.
  if (old.size() < kFewestNames) {
    old =
        NamesOn(before, {lines.first > kBeside ? lines.first - kBeside : 1, lines.last + kBeside});
  }
  const std::size_t all = old.size();
  // Names that are everywhere stay in place whatever the line becomes.
  std::set<std::string_view> rare;
  std::size_t looked_up = 0;
  for (const std::string_view name : old) {
    if (++looked_up > kMostNames) break;
    if (before.UsesOf(name).lines.size() <= kRareUses) rare.insert(name);
  }
  if (!is_short && rare.size() < kFewestOfLong) return false;
  if (rare.size() >= kFewestRare) {
    old = std::move(rare);
  } else if (all < kFewestNames) {
    return false;
  }
  const LineRange wide{lines.first > kAround ? lines.first - kAround : 1, lines.last + kAround};
  const std::set<std::string_view> now = NamesOn(after, wide);
  const auto kept = std::count_if(old.begin(), old.end(),
                                  [&](std::string_view name) { return now.contains(name); });
  // A long range that was rewritten in place keeps some of its names.
  return (is_short ? 3 : 8) * static_cast<std::size_t>(kept) <= old.size();
}

}  // namespace sibyl::references
