// SPDX-License-Identifier: Apache-2.0
#include "index/builder/passage_cover.h"

#include <algorithm>
#include <utility>

#include "base/line_ends.h"

namespace sibyl::index {
namespace {

// Longer passages are split: in a long one, each word counts for little.
constexpr std::uint32_t kLongestLines = 80;

class Cover {
 public:
  explicit Cover(std::string_view text) : text_(text) {}

  /// Covers everything up to byte `end`, in windows.
  void FillTo(std::uint32_t end, const PassageSpan* like, std::uint32_t window_lines) {
    while (at_ < end) {
      CoveredPassage passage;
      if (like != nullptr) {
        passage.heading_view = like->heading;
        passage.kind = like->kind;
      }
      passage.first_line = line_;
      passage.begin = at_;
      const LineSteps steps = StepOverLines(text_.substr(at_, end - at_), window_lines);
      at_ += static_cast<std::uint32_t>(steps.end);
      line_ += steps.lines;
      if (text_[at_ - 1] != '\n') ++line_;  // the text does not end with a newline
      passage.end = at_;
      passage.last_line = line_ - 1;
      passages_.push_back(passage);
    }
  }

  /// The end of the line that contains byte `at`; `at` itself if a line starts there.
  std::uint32_t LineEnd(std::uint32_t at) const {
    if (at == 0 || at >= text_.size()) return std::min(at, Size());
    const std::size_t newline = text_.find('\n', at - 1);
    return newline == std::string_view::npos ? Size() : static_cast<std::uint32_t>(newline + 1);
  }

  bool HasMoreLines(std::uint32_t end, std::uint32_t lines) const {
    return StepOverLines(text_.substr(at_, end - at_), lines + 1).lines > lines;
  }

  std::uint32_t at() const { return at_; }
  std::uint32_t Size() const { return static_cast<std::uint32_t>(text_.size()); }
  std::vector<CoveredPassage> Take() { return std::move(passages_); }

 private:
  std::string_view text_;
  std::uint32_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<CoveredPassage> passages_;
};

}  // namespace

std::vector<CoveredPassage> CoverText(std::string_view text,
                                      const std::vector<PassageSpan>& given) {
  Cover cover(text);
  for (const PassageSpan& span : given) {
    const std::uint32_t begin = cover.LineEnd(span.begin);
    const std::uint32_t end = cover.LineEnd(span.end);
    if (end <= cover.at() || end <= begin) continue;
    cover.FillTo(begin, nullptr, kWindowLines);
    const bool is_long = cover.HasMoreLines(end, kLongestLines);
    cover.FillTo(end, &span, is_long ? kWindowLines : kLongestLines);
  }
  cover.FillTo(cover.Size(), nullptr, kWindowLines);
  return cover.Take();
}

}  // namespace sibyl::index
