// SPDX-License-Identifier: Apache-2.0
// The plan language: start here. A plan is a Markdown file of PARTs that
// people write by hand; docs/formats/plan.md shows what is understood.
//
// Tolerant: whatever a person would still recognise is understood. No guessing:
// a line that matches no rule is kept in Part::unread and reported as a
// finding. Parsing cannot fail for any input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"

namespace sibyl::plan {

/// A piece of the plan and its line number, from one.
struct Text {
  std::string text;
  std::size_t line = 0;
};

/// "**Label**: text" without its own field.
struct Note {
  std::string label;
  std::string text;
  std::size_t line = 0;
};

/// One list item of a step. A plain bullet has no `done`.
struct Item {
  std::string text;
  std::string mark;  ///< The text between the brackets: " ", "x", "✓", "/".
  std::optional<bool> done;
  std::size_t line = 0;
  std::vector<Text> details;  ///< Bullets and lines indented under the item.
};

struct Step {
  std::optional<int> number;  ///< Absent for a step that is only a heading or label.
  std::string title;
  std::size_t line = 0;
  std::vector<Item> items;
};

/// Existing knowledge to read first.
struct Read {
  std::string path;  ///< Ends in '/' when a folder is meant.
  std::optional<std::size_t> from;
  std::optional<std::size_t> to;
  std::size_t line = 0;
};

struct Section {
  std::optional<int> number;
  std::string title;
  std::optional<std::size_t> line_budget;
  std::vector<Text> points;
  std::string cite;  ///< What the section should cite, as written; may be empty.
  std::size_t line = 0;
  std::size_t cite_line = 0;
};

enum class PartStatus { kOpen, kDone, kFailed, kDisabled, kTbd };

std::string_view PartStatusName(PartStatus status);

/// The "- [ ] PART 3: …" line of a part: where an edit puts its mark.
struct Checkbox {
  std::size_t line = 0;
  std::size_t mark_begin = 0;  ///< Byte offsets into the plan of the text
  std::size_t mark_end = 0;    ///< between the brackets.
};

struct Part {
  int number = 0;
  std::optional<int> through;  ///< Last number of a heading such as "PARTS 2-4".
  std::string title;
  PartStatus status = PartStatus::kOpen;
  std::string completed;  ///< "2025-11-13 21:30" as written; empty if not said.
  std::string target;     ///< The first of `targets`; empty if there is none.
  std::vector<Text> targets;
  std::optional<std::size_t> line_budget;
  std::string goal;
  std::vector<Step> steps;
  std::vector<Text> queries;
  std::vector<Text> urls;
  std::vector<Text> repositories;  ///< "NVIDIA/cutlass", or the name alone.
  std::vector<Read> reads;
  std::vector<Section> sections;
  std::string drop;
  std::size_t drop_line = 0;
  std::vector<Note> notes;
  std::vector<Text> unread;
  std::size_t line = 0;
  std::size_t last_line = 0;
  std::optional<Checkbox> checkbox;
  std::size_t reported_done_line = 0;  ///< Of a ticked "PART 3 COMPLETE"; zero if there is none.
};

/// A claim of the plan about itself: "4 files", "Runners: 6".
struct Claim {
  enum class Subject { kParts, kFiles, kLines };
  Subject subject = Subject::kParts;
  std::size_t value = 0;
  std::size_t line = 0;
  std::string text;
};

/// "PART 3: ~800 lines" outside the part itself.
struct PartBudgetClaim {
  int number = 0;
  std::size_t lines = 0;
  std::size_t line = 0;
};

struct Plan {
  std::string title;
  std::string topic;
  std::string date;
  std::size_t date_line = 0;
  std::string target_folder;
  std::vector<Part> parts;
  std::vector<Item> criteria;
  std::vector<Claim> claims;
  std::vector<PartBudgetClaim> part_budgets;
  std::vector<Note> notes;
  std::vector<Text> foreign_marks;  ///< Task marks that Markdown does not render.
};

struct LoadedPlan {
  Plan plan;
  std::vector<Finding> findings;  ///< Findings of the parser.
};

/// Reads `text`; `name` is the file name that findings carry. Linear in the
/// length of the text. Offsets in Checkbox are offsets into `text`.
LoadedPlan Parse(std::string_view name, std::string_view text);

}  // namespace sibyl::plan
