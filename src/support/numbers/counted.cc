// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/counted.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

constexpr std::size_t kMostCounts = 500;

void CountBrackets(std::string_view text, std::set<std::size_t>& counts) {
  constexpr std::size_t kDeepest = 100;
  std::vector<std::size_t> open;
  char before = 0;
  for (const char c : text) {
    if (c == '(' || c == '[' || c == '{') {
      if (open.size() >= kDeepest) return;
      open.push_back(1);
    } else if (c == ',' && !open.empty()) {
      ++open.back();
    } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
      counts.insert(open.back() - (before == ',' ? 1 : 0));
      open.pop_back();
    }
    if (!IsBlank(c)) before = c;
  }
}

// What lines of a list have in common: how far they are indented, the sign
// that they begin with, the one after their first word, and their last.
struct Shape {
  std::size_t indent = 0;
  std::string first;
  std::string word;
  char after = 0;
  char last = 0;

  bool operator==(const Shape& other) const {
    return indent == other.indent && first == other.first && after == other.after &&
           last == other.last;
  }
};

Shape ShapeOf(std::string_view line) {
  Shape shape;
  shape.indent = std::min(line.find_first_not_of(" \t"), line.size());
  line = Trim(line);
  if (line.empty()) return shape;
  std::size_t at = 0;
  while (at < line.size() && !IsNameByte(line[at])) ++at;
  shape.first = Trim(line.substr(0, at));
  const std::size_t word = at;
  while (at < line.size() && IsNameByte(line[at])) ++at;
  shape.word = line.substr(word, at - word);
  const std::string_view rest = Trim(line.substr(at));
  shape.after = rest.empty() ? '\0' : IsNameByte(rest[0]) ? 'a' : rest[0];
  shape.last = IsAlphanumeric(line.back()) ? 'a' : line.back();
  return shape;
}

void CountRows(std::string_view text, std::set<std::size_t>& counts) {
  std::map<std::pair<std::string, char>, std::size_t> by_signs;
  std::map<std::string, std::size_t> by_word;
  std::size_t run = 0;
  Shape last;
  for (const std::string_view line : SplitLines(text)) {
    const Shape shape = ShapeOf(line);
    const bool is_blank = Trim(line).empty();
    if (run > 0 && !is_blank && shape == last) {
      ++run;
    } else {
      counts.insert(run);
      run = is_blank ? 0 : 1;
    }
    if (!is_blank) {
      ++by_signs[{shape.first, shape.after}];
      if (!shape.word.empty()) ++by_word[shape.word];
    }
    last = shape;
  }
  counts.insert(run);
  for (const auto& [signs, count] : by_signs) counts.insert(count);
  for (const auto& [word, count] : by_word) counts.insert(count);
}

// Items of Markdown lists, whatever they say: "* NVRTC", "* CUDA Driver". An
// item may go on below; what is not indented more than the items ends the list.
void CountItems(std::string_view text, std::set<std::size_t>& counts) {
  std::map<std::size_t, std::size_t> open;  // by indentation, how many items
  const auto close_from = [&](std::size_t indent) {
    const auto first = open.lower_bound(indent);
    for (auto list = first; list != open.end(); ++list) counts.insert(list->second);
    open.erase(first, open.end());
  };
  for (const std::string_view line : SplitLines(text)) {
    const std::size_t indent = line.find_first_not_of(" \t");
    if (indent == std::string_view::npos) continue;
    const std::string_view rest = line.substr(indent);
    const bool is_item = rest.size() > 2 && rest[1] == ' ' &&
                         std::string_view("*-+").find(rest[0]) != std::string_view::npos;
    close_from(is_item ? indent + 1 : indent);
    if (is_item) ++open[indent];
  }
  close_from(0);
}

// "a, b and c"; "2-11"
void CountProse(std::string_view text, std::set<std::size_t>& counts) {
  constexpr std::size_t kLongestPart = 30;  // bytes
  std::size_t commas = 0;
  std::size_t last = 0;  // where the last comma was
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') {
      commas = i - last <= kLongestPart ? commas + 1 : 1;
      last = i;
    }
    const bool is_end = commas > 0 && i - last <= kLongestPart &&
                        (text.substr(i).starts_with(" and ") || text.substr(i).starts_with(" or "));
    // "a, b and c", "a, b, and c"
    if (is_end) counts.insert(commas + (text[i - 1] == ',' ? 1 : 2));
    if (!IsDigit(text[i]) || (i > 0 && IsNameByte(text[i - 1]))) continue;
    std::size_t from = 0;
    std::size_t to = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data() + i, end, from);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') continue;
    const auto second = std::from_chars(first.ptr + 1, end, to);
    if (second.ec == std::errc() && to > from) counts.insert(to - from + 1);
  }
}

}  // namespace

std::vector<std::size_t> ThingsCounted(std::string_view text) {
  std::set<std::size_t> counts;
  CountBrackets(text, counts);
  CountRows(text, counts);
  CountItems(text, counts);
  CountProse(text, counts);
  std::vector<std::size_t> result;
  for (const std::size_t count : counts) {
    if (count > 1 && result.size() < kMostCounts) result.push_back(count);
  }
  return result;
}

}  // namespace sibyl::support
