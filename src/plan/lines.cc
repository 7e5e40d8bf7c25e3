// SPDX-License-Identifier: Apache-2.0
#include "plan/lines.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/markdown/fence.h"
#include "plan/labels.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

constexpr std::size_t kLongestFence = 15;  // longer ones count as this long

// In a plan, where everything is in lists, a fence may be indented.
std::optional<Fence> FenceOf(std::string_view line) {
  std::optional<Fence> fence = ReadFence(line, FenceIndent::kAny);
  if (fence) fence->length = std::min(fence->length, kLongestFence);
  return fence;
}

bool IsMarkdownInfo(std::string_view info) {
  return EqualsIgnoringCase(info, "markdown") || EqualsIgnoringCase(info, "md");
}

std::size_t HeadingLevel(std::string_view text) {
  std::size_t level = 0;
  while (level < text.size() && text[level] == '#') ++level;
  if (level == 0 || level > 6) return 0;
  if (level == text.size() || IsSpace(text[level])) return level;
  return StartsWithWord(text.substr(level), "part") ? level : 0;  // "##PART 3", a common slip
}

// Bytes of a list marker and the space after it: "- ", "3. ", "12) ".
std::size_t MarkerLength(std::string_view text) {
  if (text.empty()) return 0;
  std::size_t at = 0;
  if (text[0] == '-' || text[0] == '*' || text[0] == '+') {
    at = 1;
  } else if (text.starts_with("•")) {
    at = std::strlen("•");
  } else {
    while (at < text.size() && at < 9 && IsDigit(text[at])) ++at;
    if (at == 0 || at == text.size() || (text[at] != '.' && text[at] != ')')) return 0;
    ++at;
  }
  if (at == text.size()) return at;
  if (!IsSpace(text[at])) return 0;
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

// "[ ]", "[x]", "[✓]" at the front; a link "[text](…)" or a reference is none.
std::size_t MarkLength(std::string_view text) {
  if (text.size() < 2 || text[0] != '[') return 0;
  const std::size_t close = text.substr(0, 12).find(']');
  if (close == std::string_view::npos) return 0;
  if (close + 1 < text.size() && !IsSpace(text[close + 1])) return 0;
  const std::string_view mark = Trim(text.substr(1, close - 1));
  const bool one_sign = mark.size() <= 1 || static_cast<unsigned char>(mark[0]) >= 0x80;
  return one_sign ? close + 1 : 0;
}

}  // namespace

Line Classify(std::string_view text, std::size_t number, std::size_t offset) {
  Line line{.text = text, .number = number, .offset = offset};
  std::size_t at = 0;
  for (; at < text.size() && IsSpace(text[at]); ++at) {
    line.indent = text[at] == '\t' ? (line.indent / 4 + 1) * 4 : line.indent + 1;
  }
  std::string_view rest = text.substr(at);
  line.content = Trim(rest);
  if (line.content.empty()) return line;
  if (const std::size_t level = line.indent < 4 ? HeadingLevel(rest) : 0; level > 0) {
    line.kind = LineKind::kHeading;
    line.level = static_cast<int>(level);
    line.content = Trim(rest.substr(level));
    return line;
  }
  line.kind = LineKind::kText;
  const std::size_t marker = MarkerLength(rest);
  if (marker > 0) line.kind = LineKind::kItem;
  if (const std::optional<Number> ordinal = marker > 0 ? TakeNumber(rest) : std::nullopt) {
    line.ordinal = static_cast<int>(ordinal->value);
  }
  const std::size_t mark = MarkLength(rest.substr(marker));
  if (mark > 0) {
    line.kind = LineKind::kItem;
    line.task = true;
    line.mark_begin = offset + at + marker + 1;
    line.mark_end = offset + at + marker + mark - 1;
    line.mark = Trim(rest.substr(marker + 1, mark - 2));
  }
  line.content = Trim(rest.substr(marker + mark));
  return line;
}

Lines::Lines(std::string_view text) : text_view_(text) {
  starts_.reserve(text.size() / 48 + 1);
  for (std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < text.size();) {
    starts_.push_back(at);
    const void* end = std::memchr(text.data() + at, '\n', text.size() - at);
    if (end == nullptr) break;
    at = static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) + 1;
  }
  FindFences();
}

std::string_view Lines::Raw(std::size_t index) const {
  const std::size_t end = index + 1 < starts_.size() ? starts_[index + 1] : text_view_.size();
  std::string_view line = text_view_.substr(starts_[index], end - starts_[index]);
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Line Lines::operator[](std::size_t index) const {
  const std::string_view text = Raw(index);
  if (fences_[index] == FenceState::kOutside) return Classify(text, index + 1, starts_[index]);
  Line line{.text = text, .content = Trim(text), .number = index + 1, .offset = starts_[index]};
  line.kind = fences_[index] == FenceState::kEdge ? LineKind::kFence : LineKind::kFenced;
  return line;
}

bool Lines::MayBeHeading(std::size_t index) const {
  std::size_t at = starts_[index];
  while (at < text_view_.size() && text_view_[at] == ' ') ++at;
  return at < text_view_.size() && text_view_[at] == '#' && fences_[index] == FenceState::kOutside;
}

std::string Lines::Excerpt(std::size_t number) const {
  constexpr std::size_t kLongest = 200;
  if (number == 0 || number > starts_.size()) return {};
  return std::string(Raw(number - 1).substr(0, kLongest));
}

// Where the fence opened at `open` closes, or kNowhere. Markdown closes at the
// first bare fence. People who show Markdown inside Markdown also nest a second
// fence; if the nested reading matches up before the next part, it is used.
// After repeated failures it is no longer tried.
std::size_t Lines::CloseOf(std::size_t open, std::size_t last_closer) {
  constexpr std::size_t kNestedReach = 400;
  constexpr int kMostFailures = 100;
  const Fence fence = *FenceOf(Raw(open));
  std::size_t first_close = kNowhere;
  bool nested = false;
  bool may_nest = IsMarkdownInfo(fence.info) && failed_nestings_ < kMostFailures;
  for (std::size_t i = open + 1; i <= last_closer && i < starts_.size(); ++i) {
    if (may_nest && (i - open > kNestedReach || PartHeadingAt(Raw(i)))) may_nest = false;
    if (!may_nest && first_close != kNowhere) {
      ++failed_nestings_;
      return first_close;
    }
    const std::optional<Fence> other = FenceOf(Raw(i));
    if (!other || other->mark != fence.mark || other->length < fence.length) continue;
    if (!other->info.empty()) {
      nested = true;
      continue;
    }
    if (first_close == kNowhere) first_close = i;
    if (!may_nest || !nested) return i;
    nested = false;
  }
  ++failed_nestings_;
  return first_close;
}

void Lines::FindFences() {
  fences_.assign(starts_.size(), FenceState::kOutside);
  // The last line that could close a fence of that sign and length: without
  // it, a thousand unclosed fences would each be searched to the end.
  std::array<std::array<std::size_t, kLongestFence + 1>, 2> last_closer;
  for (auto& row : last_closer) row.fill(0);
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const std::optional<Fence> fence = FenceOf(Raw(i));
    if (!fence || !fence->info.empty()) continue;
    for (std::size_t length = 3; length <= fence->length; ++length) {
      last_closer[fence->mark == '~' ? 1 : 0][length] = i;
    }
  }
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const std::optional<Fence> fence = FenceOf(Raw(i));
    if (!fence) continue;
    const std::size_t last = last_closer[fence->mark == '~' ? 1 : 0][fence->length];
    const std::size_t close = last > i ? CloseOf(i, last) : kNowhere;
    if (close == kNowhere) {
      unclosed_.push_back(i + 1);
      continue;
    }
    std::fill(fences_.begin() + static_cast<std::ptrdiff_t>(i),
              fences_.begin() + static_cast<std::ptrdiff_t>(close) + 1, FenceState::kInside);
    fences_[i] = FenceState::kEdge;
    fences_[close] = FenceState::kEdge;
    i = close;
  }
}

}  // namespace sibyl::plan
