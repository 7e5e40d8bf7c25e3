// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/ascii.h"
#include "base/strings.h"
#include "draft/extract/passage_keys.h"

namespace sibyl::draft {
namespace {

// "2", "Point 2", "1.2", and what follows.
std::optional<PointLine> ReadPointNumber(std::string_view text) {
  if (StartsWithIgnoringCase(text, "point ")) text = Trim(text.substr(6));
  PointLine line;
  for (int part = 0; part < 2; ++part) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), line.number);
    if (read.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    const bool is_pair = text.size() > 1 && text[0] == '.' && IsDigit(text[1]);
    if (!is_pair) break;
    text.remove_prefix(1);
  }
  const std::size_t begin = text.find_first_not_of(" \t:.)=-*");
  line.rest = begin == std::string_view::npos ? std::string_view() : text.substr(begin);
  return line;
}

constexpr std::array<std::string_view, 4> kOpeners = {"[", "(", "`", "【"};
constexpr std::array<std::string_view, 4> kClosers = {"]", ")", "`", "】"};

// Brackets at the beginning, three at most.
struct BracketRun {
  std::size_t signs = 0;
  std::size_t bytes = 0;
  std::size_t innermost = 0;  // which of the brackets comes last
};

BracketRun RunOf(const std::array<std::string_view, 4>& brackets, std::string_view text) {
  constexpr std::size_t kMost = 3;
  BracketRun run;
  while (run.signs < kMost) {
    const auto sign = std::find_if(brackets.begin(), brackets.end(), [&](std::string_view one) {
      return text.substr(run.bytes).starts_with(one);
    });
    if (sign == brackets.end()) break;
    run.bytes += sign->size();
    run.innermost = static_cast<std::size_t>(sign - brackets.begin());
    ++run.signs;
  }
  return run;
}

// Code goes on after its own bracket: in "a["x"] = b["y"]" the words end at the last
// one. Before another key, or a name in code font, it is the text of a sentence.
bool WordsGoOn(std::string_view rest, std::string_view closer) {
  constexpr std::size_t kLongest = 256;
  rest = rest.substr(0, kLongest);
  std::size_t end = rest.find('"');
  while (end != std::string_view::npos && !rest.substr(end + 1).starts_with(closer)) {
    end = rest.find('"', end + 1);
  }
  if (end == std::string_view::npos) return false;
  const std::string_view between = rest.substr(0, end);
  if (between.find('`') != std::string_view::npos) return false;
  for (std::size_t at = between.find('['); at != std::string_view::npos;
       at = between.find('[', at + 1)) {
    if (PassageKeys::LooksLikeKey(between.substr(at + 1, 9))) return false;
  }
  return true;
}

std::size_t SignBytes(std::string_view text) {
  const auto sign = std::find_if(kClosers.begin(), kClosers.end(),
                                 [&](std::string_view one) { return text.starts_with(one); });
  return sign == kClosers.end() ? 0 : sign->size();
}

// The bytes of a key at the beginning, with its lines and words, before `closer`; zero
// if there is none.
std::size_t KeyBytes(std::string_view text, std::string_view closer) {
  constexpr std::size_t kLetters = 9;
  constexpr std::size_t kMostWords = 1024;
  if (!PassageKeys::LooksLikeKey(text.substr(0, kLetters))) return 0;
  std::size_t end = kLetters;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == ':' || text[end] == '-')) ++end;
  if (text.substr(end, 2) != " \"") return end;
  const std::string_view words = text.substr(end + 2, kMostWords);
  for (std::size_t quote = words.find('"'); quote != std::string_view::npos;
       quote = words.find('"', quote + 1)) {
    if (EndsWords(words, quote, closer)) return end + 2 + quote + 1;
  }
  return end;
}

}  // namespace

std::string_view WithoutDecoration(std::string_view line) {
  constexpr std::string_view kMarks = " \t*_`#>";
  const std::size_t begin = line.find_first_not_of(kMarks);
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_last_not_of(kMarks) - begin + 1);
}

std::optional<PointLine> ReadPointLine(std::string_view line) {
  line = WithoutDecoration(line);
  if (!line.starts_with("===")) return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of("= "), line.size()));
  return ReadPointNumber(line);
}

std::optional<PointLine> ReadPointHeading(std::string_view line) {
  const bool is_heading = Trim(line).starts_with('#') || Trim(line).starts_with("**");
  return is_heading ? ReadPointNumber(WithoutDecoration(line)) : std::nullopt;
}

ListMark ReadListMark(std::string_view line) {
  constexpr std::size_t kMostDigits = 3;
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")) {
    return {.bytes = 2, .step = 0};
  }
  ListMark mark;
  while (mark.bytes < std::min(line.size(), kMostDigits) && IsDigit(line[mark.bytes])) {
    mark.step = 10 * mark.step + static_cast<std::size_t>(line[mark.bytes++] - '0');
  }
  const std::string_view rest = line.substr(mark.bytes);
  if (mark.bytes == 0 || !(rest.starts_with(". ") || rest.starts_with(") "))) return {};
  mark.bytes += 2;
  return mark;
}

std::vector<std::string_view> AnswerLines(std::string_view answer) {
  std::vector<std::string_view> lines = SplitLines(answer);
  while (!lines.empty() && Trim(lines.back()).empty()) lines.pop_back();
  std::size_t first = 0;
  while (first < lines.size() && Trim(lines[first]).empty()) ++first;
  if (lines.size() < first + 3) return lines;
  const std::string_view info = Trim(lines[first]).substr(0, 11);
  const bool opens = info == "```" || info == "```markdown" || info == "```md" || info == "```text";
  const bool has_point = ReadPointLine(lines[first + 1]).has_value();
  if (!opens || !has_point || Trim(lines.back()) != "```") return lines;
  return {lines.begin() + static_cast<std::ptrdiff_t>(first) + 1, lines.end() - 1};
}

bool EndsWords(std::string_view text, std::size_t quote, std::string_view closer) {
  const bool is_escaped = quote > 0 && text[quote - 1] == '\\';
  std::string_view rest = text.substr(quote + 1);
  if (is_escaped || !rest.starts_with(closer)) return false;
  if (WordsGoOn(rest.substr(closer.size()), closer)) return false;
  while (const std::size_t bytes = SignBytes(rest)) rest.remove_prefix(bytes);
  if (rest.empty() || IsBlank(rest[0]) || rest[0] == '|') return true;
  if (rest[0] == '[') return PassageKeys::LooksLikeKey(rest.substr(1, 9));
  // The end of a sentence, not a member: "a["x"].b".
  const bool is_end = std::string_view(".,;:!?*_").find(rest[0]) != std::string_view::npos;
  return is_end && (rest.size() == 1 || !IsAlphanumeric(rest[1]));
}

std::string WithPlainBrackets(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const BracketRun opening = RunOf(kOpeners, text.substr(at));
    const std::size_t begin = at + opening.bytes;
    const std::size_t inside =
        opening.signs == 0 ? 0 : KeyBytes(text.substr(begin), kClosers[opening.innermost]);
    const BracketRun closing =
        inside == 0 ? BracketRun() : RunOf(kClosers, text.substr(begin + inside));
    // "`name`[key]": the first sign is not of this bracket.
    if (closing.signs == 0 || closing.signs < opening.signs) {
      plain += text[at++];
      continue;
    }
    plain += '[';
    plain += text.substr(begin, inside);
    plain += ']';
    at = begin + inside;
    for (std::size_t i = 0; i < opening.signs; ++i) at += SignBytes(text.substr(at));
  }
  return plain;
}

std::optional<RepairLine> ReadRepairLine(std::string_view line) {
  line = Trim(line);
  const std::size_t begin = line.find_first_not_of("*- ");
  if (begin == std::string_view::npos || line[begin] != '#') return std::nullopt;
  line.remove_prefix(begin + 1);
  RepairLine repair;
  const auto read = std::from_chars(line.data(), line.data() + line.size(), repair.number);
  if (read.ec != std::errc()) return std::nullopt;
  line.remove_prefix(static_cast<std::size_t>(read.ptr - line.data()));
  const std::size_t colon = line.find_first_not_of("* ");
  if (colon != std::string_view::npos && line[colon] != ':') return std::nullopt;
  repair.rest = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  while (repair.rest.starts_with('*')) repair.rest.remove_prefix(1);
  repair.rest = Trim(repair.rest);
  return repair;
}

}  // namespace sibyl::draft
