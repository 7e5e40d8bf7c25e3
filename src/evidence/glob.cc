// SPDX-License-Identifier: Apache-2.0
#include "evidence/glob.h"

#include <algorithm>
#include <cstddef>

namespace sibyl::evidence {
namespace {

// Length of the set that starts at pattern[0] == '[', or 0 when it never ends
// (then the bracket is a letter).
std::size_t SetLength(std::string_view pattern) {
  std::size_t i = 1;
  if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) ++i;
  if (i < pattern.size() && pattern[i] == ']') ++i;
  while (i < pattern.size() && pattern[i] != ']') ++i;
  return i < pattern.size() ? i + 1 : 0;
}

bool SetHolds(std::string_view set, char letter) {
  std::string_view inside = set.substr(1, set.size() - 2);
  const bool negated = inside.starts_with('!') || inside.starts_with('^');
  if (negated) inside.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (i + 2 < inside.size() && inside[i + 1] == '-') {
      found = found || (inside[i] <= letter && letter <= inside[i + 2]);
      i += 2;
    } else {
      found = found || inside[i] == letter;
    }
  }
  return found != negated && letter != '/';
}

// How much of the pattern one letter of the path uses up; 0 when it does not fit.
std::size_t StepLength(std::string_view pattern, char letter) {
  if (pattern.empty()) return 0;
  switch (pattern.front()) {
    case '?':
      return letter != '/' ? 1 : 0;
    case '\\':
      return pattern.size() > 1 && pattern[1] == letter ? 2 : 0;
    case '[': {
      const std::size_t length = SetLength(pattern);
      if (length == 0) return letter == '[' ? 1 : 0;
      return SetHolds(pattern.substr(0, length), letter) ? length : 0;
    }
    default:
      return pattern.front() == letter ? 1 : 0;
  }
}

// Where to resume after a mismatch: right after a star, one character later.
struct Retry {
  std::size_t pattern = std::string_view::npos;
  std::size_t path = 0;
};

// Two retry points are enough: a later `*` in the same name makes an earlier
// one irrelevant, and a later `**` every earlier star.
bool MatchesWhole(std::string_view pattern, std::string_view path) {
  std::size_t p = 0;
  std::size_t t = 0;
  Retry star;
  Retry double_star;
  while (t < path.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      if (pattern.substr(p).starts_with("**")) {
        p += 2;
        // "**/" also matches no folder at all.
        if (pattern.substr(p).starts_with('/') && (t == 0 || path[t - 1] == '/')) {
          double_star = {p + 1, t};
          ++p;
        } else {
          double_star = {p, t};
        }
        star = {};
      } else {
        star = {++p, t};
      }
      continue;
    }
    if (t < path.size()) {
      if (const std::size_t step = StepLength(pattern.substr(p), path[t]); step > 0) {
        p += step;
        ++t;
        continue;
      }
    }
    if (star.pattern != std::string_view::npos && star.path < path.size() &&
        path[star.path] != '/') {
      p = star.pattern;
      t = ++star.path;
    } else if (double_star.pattern != std::string_view::npos && double_star.path < path.size()) {
      // After "**/" a name starts: continue at the next one.
      const bool names = pattern[double_star.pattern - 1] == '/';
      std::size_t next = double_star.path + 1;
      if (names) {
        next = path.find('/', double_star.path);
        if (next == std::string_view::npos) return false;
        ++next;
      }
      double_star.path = next;
      p = double_star.pattern;
      t = next;
      star = {};
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

bool MatchesGlob(std::string_view pattern, std::string_view path) {
  while (pattern.size() > 1 && pattern.ends_with('/')) pattern.remove_suffix(1);
  const bool anywhere = pattern.find('/') == std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (pattern.empty()) return false;
  std::size_t begin = 0;
  std::size_t end = 0;
  while (end != std::string_view::npos) {
    end = path.find('/', end == 0 ? 0 : end + 1);
    const std::size_t length = end == std::string_view::npos ? path.size() - begin : end - begin;
    if (MatchesWhole(pattern, path.substr(begin, length))) return true;
    if (anywhere && end != std::string_view::npos) begin = end + 1;
  }
  return false;
}

bool PassesGlobs(const std::vector<std::string>& include, const std::vector<std::string>& exclude,
                 std::string_view path) {
  const auto matches = [path](const std::string& pattern) { return MatchesGlob(pattern, path); };
  if (std::any_of(exclude.begin(), exclude.end(), matches)) return false;
  return include.empty() || std::any_of(include.begin(), include.end(), matches);
}

}  // namespace sibyl::evidence
