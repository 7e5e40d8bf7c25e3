// SPDX-License-Identifier: Apache-2.0
// Classifies the lines of a plan by syntax: Markdown's headings, lists, task
// marks and fences, parsed leniently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::plan {

enum class LineKind {
  kBlank,
  kHeading,
  kItem,    ///< A bullet, a numbered item, or a task with its mark.
  kFence,   ///< Opens or closes a fenced block.
  kFenced,  ///< Inside one.
  kText,
};

struct Line {
  LineKind kind = LineKind::kBlank;
  std::string_view text;     ///< The whole line without its end.
  std::string_view content;  ///< Without indent, marker, mark, or the heading's signs.
  std::size_t number = 0;    ///< From one.
  std::size_t offset = 0;    ///< Of `text` in the plan.
  std::size_t indent = 0;    ///< In columns; a tab goes to the next multiple of four.
  int level = 0;             ///< Of a heading.
  int ordinal = 0;           ///< Of a numbered item; zero for a bullet.
  bool task = false;         ///< Has a mark in brackets.
  std::string_view mark;     ///< The text between the brackets, trimmed.
  std::size_t mark_begin = 0;
  std::size_t mark_end = 0;
};

/// Classifies a line by syntax; fences are handled elsewhere.
Line Classify(std::string_view text, std::size_t number, std::size_t offset);

/// The lines of a plan; borrows its bytes.
class Lines {
 public:
  explicit Lines(std::string_view text);

  std::size_t size() const { return starts_.size(); }
  Line operator[](std::size_t index) const;
  /// May line `index` be a heading? Cheaper than to classify it.
  bool MayBeHeading(std::size_t index) const;

  /// Line `number` as a finding shows it: cut where it is too long to show.
  std::string Excerpt(std::size_t number) const;
  std::size_t LengthOf(std::size_t number) const { return Raw(number - 1).size(); }

  /// Lines that open a fence which nothing closes; they are read as text, so
  /// that what follows is not lost.
  const std::vector<std::size_t>& unclosed_fences() const { return unclosed_; }

 private:
  enum class FenceState : std::uint8_t { kOutside, kEdge, kInside };

  std::string_view Raw(std::size_t index) const;
  void FindFences();
  std::size_t CloseOf(std::size_t open, std::size_t last_closer);

  std::string_view text_view_;
  std::vector<std::size_t> starts_;
  std::vector<FenceState> fences_;
  std::vector<std::size_t> unclosed_;
  int failed_nestings_ = 0;
};

}  // namespace sibyl::plan
