// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kContext = 3;

/// A part of a line that is replaced.
struct Replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

struct ChangedLine {
  std::vector<std::string> before;  ///< New lines above it.
  std::vector<Replacement> replacements;
  std::vector<std::string> after;
};

// What differs between two lines, without what they share at their ends.
Replacement Difference(std::string_view from, std::string_view to) {
  const std::size_t shorter = std::min(from.size(), to.size());
  std::size_t begin = 0;
  while (begin < shorter && from[begin] == to[begin]) ++begin;
  std::size_t shared = 0;
  while (shared < shorter - begin && from[from.size() - 1 - shared] == to[to.size() - 1 - shared]) {
    ++shared;
  }
  return {.begin = begin,
          .end = from.size() - shared,
          .text = std::string(to.substr(begin, to.size() - shared - begin))};
}

// Words and the blanks between them.
std::vector<std::string_view> WordsAndBlanks(std::string_view line) {
  std::vector<std::string_view> pieces;
  while (!line.empty()) {
    const bool is_blank = line[0] == ' ' || line[0] == '\t';
    const std::size_t end = is_blank ? line.find_first_not_of(" \t") : line.find_first_of(" \t");
    pieces.push_back(line.substr(0, end));
    line.remove_prefix(pieces.back().size());
  }
  return pieces;
}

// The lengths of the longest common subsequences of what is left of both.
std::vector<std::vector<std::uint16_t>> CommonLengths(const std::vector<std::string_view>& from,
                                                      const std::vector<std::string_view>& to) {
  std::vector<std::vector<std::uint16_t>> lengths(from.size() + 1,
                                                  std::vector<std::uint16_t>(to.size() + 1, 0));
  for (std::size_t i = from.size(); i-- > 0;) {
    for (std::size_t j = to.size(); j-- > 0;) {
      lengths[i][j] = from[i] == to[j] ? static_cast<std::uint16_t>(lengths[i + 1][j + 1] + 1)
                                       : std::max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

// Every place where two lines differ, so that several corrections of a line can be combined: one
// may change its first word, another insert something into the middle.
std::vector<Replacement> Differences(std::string_view from, std::string_view to) {
  const std::vector<std::string_view> old_pieces = WordsAndBlanks(from);
  const std::vector<std::string_view> new_pieces = WordsAndBlanks(to);
  constexpr std::size_t kMostPieces = 400;
  if (old_pieces.size() > kMostPieces || new_pieces.size() > kMostPieces) {
    return {Difference(from, to)};
  }
  const auto lengths = CommonLengths(old_pieces, new_pieces);
  std::vector<Replacement> found;
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t at = 0;
  bool is_open = false;
  while (i < old_pieces.size() || j < new_pieces.size()) {
    if (i < old_pieces.size() && j < new_pieces.size() && old_pieces[i] == new_pieces[j]) {
      at += old_pieces[i++].size();
      ++j;
      is_open = false;
      continue;
    }
    if (!is_open) found.push_back({.begin = at, .end = at, .text = {}});
    is_open = true;
    const bool inserts =
        i == old_pieces.size() || (j < new_pieces.size() && lengths[i][j + 1] >= lengths[i + 1][j]);
    if (inserts) {
      found.back().text += new_pieces[j++];
    } else {
      at += old_pieces[i++].size();
      found.back().end = at;
    }
  }
  for (Replacement& each : found) {
    const Replacement inside =
        Difference(from.substr(each.begin, each.end - each.begin), each.text);
    each.end = each.begin + inside.end;
    each.begin += inside.begin;
    each.text = inside.text;
  }
  return found;
}

bool Overlaps(const Replacement& a, const Replacement& b) {
  const bool both_insert = a.begin == a.end && b.begin == b.end;
  if (both_insert) return false;  // at one place, one after the other
  return a.begin < b.end && b.begin < a.end;
}

// "PACKAGE...", "sha256:DIGEST", "/path/to/what/was/built": for a person.
bool IsComplete(const std::vector<std::string>& lines) {
  return std::ranges::none_of(lines, [](const std::string& line) {
    return Contains(line, "...") || Contains(line, "DIGEST") || Contains(line, "/path/to/") ||
           line.starts_with('#');
  });
}

void AddCorrection(std::string_view line, std::vector<std::string> lines, ChangedLine& change) {
  // The next line would belong to nothing, or to something else.
  const bool goes_on = line.ends_with('\\') || Contains(line, "<<");
  const auto own = std::ranges::find(lines, line);
  if (own != lines.end() && own != lines.begin()) {
    if (goes_on && std::next(own) != lines.end()) return;
    for (auto added = lines.begin(); added != own; ++added) {
      if (std::ranges::find(change.before, *added) == change.before.end()) {
        change.before.push_back(*added);
      }
    }
    change.after.insert(change.after.end(), std::next(own), lines.end());
    return;
  }
  if (goes_on && (!lines[0].ends_with('\\') || lines.size() > 1)) return;
  std::vector<Replacement> replacements = Differences(line, lines[0]);
  for (const Replacement& replacement : replacements) {
    for (const Replacement& other : change.replacements) {
      // Several findings may have one correction; other overlaps cannot be combined.
      const bool is_same = other.begin == replacement.begin && other.text == replacement.text;
      if (is_same || Overlaps(other, replacement)) return;
    }
  }
  std::ranges::move(replacements, std::back_inserter(change.replacements));
  change.after.insert(change.after.end(), lines.begin() + 1, lines.end());
}

std::string Replaced(std::string_view line, std::vector<Replacement> replacements) {
  std::ranges::stable_sort(replacements, [](const Replacement& a, const Replacement& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::string replaced;
  std::size_t at = 0;
  for (const Replacement& replacement : replacements) {
    replaced += line.substr(at, replacement.begin - at);
    replaced += replacement.text;
    at = replacement.end;
  }
  return replaced.append(line.substr(at));
}

std::vector<std::string> NewLines(std::string_view line, const ChangedLine& change) {
  std::vector<std::string> lines = change.before;
  lines.push_back(Replaced(line, change.replacements));
  lines.insert(lines.end(), change.after.begin(), change.after.end());
  return lines;
}

using Changes = std::map<std::size_t, ChangedLine>;  // by line, from 0

// One hunk, from the change `first` to before the change `end`.
std::string Hunk(const std::vector<std::string_view>& lines, Changes::const_iterator first,
                 Changes::const_iterator end, std::ptrdiff_t& moved) {
  const std::size_t begin = first->first > kContext ? first->first - kContext : 0;
  const std::size_t stop = std::min(std::prev(end)->first + kContext + 1, lines.size());
  std::string body;
  std::size_t added = 0;
  auto change = first;
  for (std::size_t i = begin; i < stop; ++i) {
    if (change == end || change->first != i) {
      body += fmt::format(" {}\n", lines[i]);
      ++added;
      continue;
    }
    const std::vector<std::string> now = NewLines(lines[i], change->second);
    // A line that only gets others before or after it stays.
    const auto same = std::ranges::find(now, lines[i]);
    if (same == now.end()) body += fmt::format("-{}\n", lines[i]);
    for (auto line = now.begin(); line != now.end(); ++line) {
      body += fmt::format("{}{}\n", line == same ? ' ' : '+', *line);
      ++added;
    }
    ++change;
  }
  const std::size_t removed = stop - begin;
  const auto start = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(begin) + moved) + 1;
  moved += static_cast<std::ptrdiff_t>(added) - static_cast<std::ptrdiff_t>(removed);
  return fmt::format("@@ -{},{} +{},{} @@\n{}", begin + 1, removed, start, added, body);
}

std::size_t CharactersIn(std::string_view text) {
  std::size_t characters = 0;
  for (; !text.empty(); ++characters) text.remove_prefix(DecodeUtf8(text).bytes);
  return characters;
}

Json ReplacementsAsJson(std::string_view line, std::size_t number, const ChangedLine& change,
                        std::string_view line_end) {
  std::vector<Replacement> parts = change.replacements;
  if (!change.before.empty() && parts.empty()) {
    parts.emplace_back();
    for (const std::string& added : change.before) {
      parts[0].text += fmt::format("{}{}", added, line_end);
    }
  }
  if (!change.after.empty()) {
    // New lines follow the whole line.
    if (parts.empty() || parts.back().end < line.size()) {
      parts.push_back({.begin = line.size(), .end = line.size(), .text = {}});
    }
    for (const std::string& added : change.after) {
      parts.back().text += fmt::format("{}{}", line_end, added);
    }
  }
  Json replacements = Json::array();
  for (const Replacement& part : parts) {
    replacements.push_back({{"line", number},
                            {"column", 1 + CharactersIn(line.substr(0, part.begin))},
                            {"end_line", number},
                            {"end_column", 1 + CharactersIn(line.substr(0, part.end))},
                            {"text", part.text}});
  }
  return replacements;
}

// CR LF everywhere, and no other CR.
bool EndsEveryLineWithReturn(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r')) return false;
    if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n')) return false;
  }
  return true;
}

// The lines of the file end with CR LF, those of the diff itself do not.
std::string WithReturns(std::string_view diff) {
  std::string text;
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(diff)) {
    const bool is_header = number++ < 2 || line.starts_with("@@ ");
    text += fmt::format("{}{}\n", line, is_header ? "" : "\r");
  }
  return text;
}

}  // namespace

std::string DiffOfDockerfile(std::string_view path, std::string_view text,
                             const Json& corrections) {
  // A diff would have to say how the last line ends, and which ends the others have.
  if (!text.ends_with('\n')) return {};
  std::vector<std::string_view> lines = SplitLines(text);
  const bool is_windows = Contains(text, "\r");
  if (is_windows && !EndsEveryLineWithReturn(text)) return {};
  Changes changes;
  for (const Json& correction : corrections) {
    const auto number = correction["line"].get<std::size_t>();
    const auto fixed = correction["lines"].get<std::vector<std::string>>();
    if (number == 0 || number > lines.size() || fixed.empty() || !IsComplete(fixed)) continue;
    AddCorrection(lines[number - 1], fixed, changes[number - 1]);
  }
  std::erase_if(changes, [&lines](const auto& change) {
    const std::vector<std::string> now = NewLines(lines[change.first], change.second);
    return now.size() == 1 && now[0] == lines[change.first];
  });
  if (changes.empty()) return {};
  std::string diff = fmt::format("--- a/{}\n+++ b/{}\n", path, path);
  std::ptrdiff_t moved = 0;
  for (auto first = changes.cbegin(); first != changes.cend();) {
    auto end = std::next(first);
    while (end != changes.cend() && end->first - std::prev(end)->first <= 2 * kContext) ++end;
    diff += Hunk(lines, first, end, moved);
    first = end;
  }
  return is_windows ? WithReturns(diff) : diff;
}

Json FixesOfDockerfile(std::string_view text, const Json& corrections) {
  const std::vector<std::string_view> lines = SplitLines(text);
  const bool is_windows = Contains(text, "\r");
  if (is_windows && !EndsEveryLineWithReturn(text)) return Json::array();
  Json fixes = Json::array();
  for (const Json& correction : corrections) {
    const auto number = correction["line"].get<std::size_t>();
    const auto fixed = correction["lines"].get<std::vector<std::string>>();
    if (number == 0 || number > lines.size() || fixed.empty() || !IsComplete(fixed)) continue;
    const std::string_view line = lines[number - 1];
    ChangedLine change;
    AddCorrection(line, fixed, change);
    if (change.replacements.empty() && change.before.empty() && change.after.empty()) continue;
    Json replacements = ReplacementsAsJson(line, number, change, is_windows ? "\r\n" : "\n");
    const std::string code = correction["code"].get<std::string>();
    const Json& of = correction["finding_line"];
    // A finding may have corrections of several lines, which belong together.
    const bool goes_on = !fixes.empty() && fixes.back()["code"] == code &&
                         fixes.back()["line"] == of &&
                         fixes.back()["replacements"].back()["line"] != number;
    if (goes_on) {
      for (Json& replacement : replacements) {
        fixes.back()["replacements"].push_back(std::move(replacement));
      }
    } else {
      fixes.push_back({{"code", code}, {"line", of}, {"replacements", std::move(replacements)}});
    }
  }
  return fixes;
}

}  // namespace sibyl::inspect
