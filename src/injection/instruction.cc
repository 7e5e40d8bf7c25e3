// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction.h"

#include <algorithm>

#include "base/line_span.h"
#include "base/strings.h"
#include "injection/instruction_model.h"

namespace sibyl::injection {
namespace {

class InstructionFinder {
 public:
  explicit InstructionFinder(std::string_view text) : text_(text) {}

  std::vector<LineRange> Find() {
    const std::vector<std::size_t> found = FindInstructionLines(text_);
    if (found.empty()) return {};
    lines_ = LinesWithEnds(text_);
    for (const std::size_t line : found) Add(line);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t kMostAround = 24;  // lines of a paragraph on each side

  struct Comment {
    std::string_view begin;
    std::string_view end;
  };

  bool IsBlank(std::size_t line) const { return Trim(lines_[line]).empty(); }

  // The comment style of a line, to group adjacent lines.
  std::string_view MarkOf(std::size_t line) const {
    const std::string_view text = Trim(lines_[line]);
    for (const std::string_view mark : {"//", "#", "*", ";", "--", "%"}) {
      if (text.starts_with(mark)) return mark;
    }
    return {};
  }

  bool BelongTogether(std::size_t line, std::size_t neighbour) const {
    return !IsBlank(neighbour) && MarkOf(line) == MarkOf(neighbour);
  }

  void Add(std::size_t line) {
    if (line >= lines_.size()) return;
    std::size_t first = line;
    std::size_t last = line;
    if (!found_.empty() && first < found_.back().last) return;  // in what is known already
    for (std::size_t i = 0; i < kMostAround && first > 0; ++i, --first) {
      if (!BelongTogether(first, first - 1)) break;
    }
    last = EndOfParagraph(last);
    if (Trim(lines_[last]).ends_with(':')) {
      std::size_t next = last + 1;
      while (next < lines_.size() && IsBlank(next)) ++next;
      if (next < lines_.size()) last = EndOfParagraph(next);
    }
    TakeComment(line, first, last);
    const LineRange range{first + 1, last + 1};
    if (!found_.empty() && range.first <= found_.back().last) {
      found_.back().last = std::max(found_.back().last, range.last);
    } else {
      found_.push_back(range);
    }
  }

  std::size_t EndOfParagraph(std::size_t line) const {
    for (std::size_t i = 0; i < kMostAround && line + 1 < lines_.size(); ++i, ++line) {
      if (!BelongTogether(line, line + 1)) break;
    }
    return line;
  }

  // A comment between marks may have blank lines; all of it belongs together.
  void TakeComment(std::size_t line, std::size_t& first, std::size_t& last) {
    // The end of the line, so that a comment may begin on it.
    const auto offset =
        static_cast<std::size_t>(lines_[line].data() - text_.data()) + lines_[line].size();
    constexpr Comment kComments[] = {{"<!--", "-->"}, {"/*", "*/"}};
    constexpr std::size_t kMostBytes = 4096;
    for (const Comment& comment : kComments) {
      const std::size_t from = offset - std::min(offset, kMostBytes);
      const std::size_t begin = text_.substr(from, offset - from).rfind(comment.begin);
      if (begin == std::string_view::npos) continue;
      if (text_.substr(from + begin, offset - from - begin).find(comment.end) !=
          std::string_view::npos) {
        continue;
      }
      const std::size_t end = std::min(text_.substr(offset, kMostBytes).find(comment.end),
                                       std::min(kMostBytes, text_.size() - offset));
      const auto count = [](std::string_view text) {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
      };
      const std::string_view before = text_.substr(from + begin, offset - from - begin);
      const std::size_t ends = count(before);
      const std::size_t at = lines_[line].ends_with('\n') ? line + 1 : line;
      first = std::min(first, at - std::min(at, ends));
      last = std::max(last, std::min(at + count(text_.substr(offset, end)), lines_.size() - 1));
    }
  }

  std::string_view text_;
  std::vector<std::string_view> lines_;
  std::vector<LineRange> found_;
};

// Whether `at` begins a line that follows a blank one, or a text.
bool BeginsParagraph(std::string_view text, std::size_t at) {
  if (at == 0) return true;
  const std::size_t end = text.substr(0, at - 1).rfind('\n');
  const std::size_t begin = end == std::string_view::npos ? 0 : end + 1;
  return Trim(text.substr(begin, at - begin)).empty();
}

// The begin of a paragraph that is `kLines` lines or more before `at`, and the
// end of one as far after it. What is found depends on whole paragraphs. An
// extremely long one is cut.
constexpr std::size_t kLines = 40;
constexpr std::size_t kMostBytes = std::size_t{1} << 18U;

std::size_t BeginAround(std::string_view text, std::size_t at) {
  const std::size_t least = at - std::min(at, kMostBytes);
  for (std::size_t lines = 0; at > least; ++lines) {
    const std::size_t end = text.substr(0, at - 1).rfind('\n');
    at = end == std::string_view::npos ? 0 : end + 1;
    if (lines >= kLines && BeginsParagraph(text, at)) break;
  }
  return at;
}
std::size_t EndAround(std::string_view text, std::size_t at) {
  const std::size_t most = std::min(text.size(), at + kMostBytes);
  for (std::size_t lines = 0; at < most; ++lines) {
    const std::size_t end = text.find('\n', at);
    at = end == std::string_view::npos ? text.size() : end + 1;
    if (lines >= kLines && BeginsParagraph(text, at)) break;
  }
  return at;
}

}  // namespace

std::vector<LineRange> FindInstructions(std::string_view text) {
  return InstructionFinder(text).Find();
}

std::optional<std::string_view> InstructionAmong(std::string_view text, std::string_view span) {
  const auto offset = static_cast<std::size_t>(span.data() - text.data());
  const std::size_t from = BeginAround(text, offset);
  const std::size_t to = EndAround(text, offset + span.size());
  const std::string_view window = text.substr(from, to - from);
  for (const LineRange& range : FindInstructions(window)) {
    const std::optional<std::string_view> lines = TextOfLines(window, range);
    if (!lines) continue;
    const auto begin = static_cast<std::size_t>(lines->data() - text.data());
    if (begin < offset + span.size() && begin + lines->size() > offset) {
      return Trim(lines->substr(0, lines->find('\n')));
    }
  }
  return std::nullopt;
}

std::string_view WithoutInstructions(std::string_view text) {
  const std::vector<LineRange> found = FindInstructions(text);
  if (found.empty()) return text;
  const std::vector<std::string_view> lines = LinesWithEnds(text);
  std::string_view longest;
  std::size_t next = 0;
  const auto take = [&](std::size_t end) {
    while (next < end && Trim(lines[next]).empty()) ++next;
    while (end > next && Trim(lines[end - 1]).empty()) --end;
    if (next >= end) return;
    const char* begin = lines[next].data();
    const char* stop = lines[end - 1].data() + lines[end - 1].size();
    const std::string_view run(begin, static_cast<std::size_t>(stop - begin));
    if (run.size() > longest.size()) longest = run;
  };
  for (const LineRange& range : found) {
    take(range.first - 1);
    next = range.last;
  }
  take(lines.size());
  return longest;
}

}  // namespace sibyl::injection
