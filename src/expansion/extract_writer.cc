// SPDX-License-Identifier: Apache-2.0
#include "expansion/extract_writer.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/strings.h"
#include "draft/extract/extract.h"

namespace sibyl::expansion {
namespace {

constexpr std::string_view kNotTheOnlyOne = "the pinned sources do not cover its only point";
constexpr std::string_view kNoneOfThem = "the pinned sources cover none of its ";

Error NothingFound(const draft::Draft& draft) {
  std::string nearest;
  for (const draft::DraftSection& section : draft.sections) {
    for (const draft::Coverage& point : section.points) {
      if (nearest.empty()) nearest = point.nearest;
    }
  }
  const std::size_t points = draft::PointCount(draft);
  return {.kind = ErrorKind::kNotFound,
          .message = fmt::format("{}{}",
                                 points == 1 ? std::string(kNotTheOnlyOne)
                                             : fmt::format("{}{} points", kNoneOfThem, points),
                                 nearest.empty() ? "" : "; " + nearest)};
}

}  // namespace

bool IsNotCovered(std::string_view reason) {
  return reason.starts_with(kNotTheOnlyOne) || reason.starts_with(kNoneOfThem);
}

Result<draft::WrittenPage> ExtractWriter::Write() {
  draft::WrittenPage page = draft::Extract(
      {.plan = inputs_.plan, .part = part_, .searcher = inputs_.searcher, .gathered = gathered_},
      {.program = inputs_.program, .time = inputs_.time, .left_out = left_out_});
  if (draft::CoveredCount(page.draft) == 0) return NothingFound(page.draft);
  return page;
}

Result<bool> ExtractWriter::Revise(const draft::WrittenPage& page,
                                   const std::vector<statement::Judgement>& failures) {
  const std::size_t before = left_out_.size();
  for (const statement::Judgement& failure : failures) {
    const std::size_t line = failure.place.line;
    for (const draft::WrittenBlock& block : page.blocks) {
      if (line >= block.first_line && line <= block.last_line) left_out_.insert(block.key);
    }
  }
  return left_out_.size() > before;
}

}  // namespace sibyl::expansion
