// SPDX-License-Identifier: Apache-2.0
#include "index/passage_cover.h"

#include <algorithm>
#include <cstring>

namespace sibyl::index {
namespace {

// Longer passages are cut: their words would drown each other.
constexpr std::uint32_t kLongestLines = 80;

class Cover {
 public:
  explicit Cover(std::string_view text) : text_(text) {}

  /// Everything up to byte `end`, in windows.
  void FillTo(std::uint32_t end, const PassageSpan& like, std::uint32_t window_lines) {
    while (at_ < end) {
      PassageSpan span = like;
      span.first_line = line_;
      span.begin = at_;
      for (std::uint32_t lines = 0; lines < window_lines && at_ < end; ++lines) NextLine();
      span.end = at_;
      span.last_line = line_ - 1;
      spans_.push_back(std::move(span));
    }
  }

  /// The end of the line that byte `at` is in, or `at` itself at its start.
  std::uint32_t LineEnd(std::uint32_t at) const {
    if (at == 0 || at >= text_.size()) return std::min(at, Size());
    const std::size_t newline = text_.find('\n', at - 1);
    return newline == std::string_view::npos ? Size() : static_cast<std::uint32_t>(newline + 1);
  }

  std::uint32_t LinesTo(std::uint32_t end) const {
    return static_cast<std::uint32_t>(std::count(text_.begin() + at_, text_.begin() + end, '\n'));
  }

  std::uint32_t at() const { return at_; }
  std::uint32_t Size() const { return static_cast<std::uint32_t>(text_.size()); }
  std::vector<PassageSpan> Take() { return std::move(spans_); }

 private:
  void NextLine() {
    const void* newline = std::memchr(text_.data() + at_, '\n', text_.size() - at_);
    at_ = newline == nullptr
              ? Size()
              : static_cast<std::uint32_t>(static_cast<const char*>(newline) - text_.data() + 1);
    ++line_;
  }

  std::string_view text_;
  std::uint32_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<PassageSpan> spans_;
};

}  // namespace

std::vector<PassageSpan> CoverText(std::string_view text, const std::vector<PassageSpan>& given) {
  Cover cover(text);
  for (const PassageSpan& span : given) {
    const std::uint32_t begin = cover.LineEnd(span.begin);
    const std::uint32_t end = cover.LineEnd(span.end);
    if (end <= cover.at() || end <= begin) continue;
    cover.FillTo(begin, PassageSpan{}, kWindowLines);
    const bool is_long = cover.LinesTo(end) > kLongestLines;
    cover.FillTo(end, span, is_long ? kWindowLines : kLongestLines);
  }
  cover.FillTo(cover.Size(), PassageSpan{}, kWindowLines);
  return cover.Take();
}

}  // namespace sibyl::index
