// SPDX-License-Identifier: Apache-2.0
// The labels that structure a plan: "PART 3: …", "Step 1: …", "Section 2: …",
// and "**Label**: text".
#pragma once

#include <optional>
#include <string_view>

namespace sibyl::plan {

struct PartLabel {
  int number = 0;              ///< "PART IV" is 4, "PART B" is 2.
  std::optional<int> through;  ///< "PARTS 2-4"
  std::string_view title;      ///< What follows, separators removed.
  bool separated = false;      ///< There is a colon or dash between label and title.
  bool report = false;         ///< "PART 3 COMPLETE": says how it went, defines nothing.
};

/// "PART 1: Create …", with emoji, emphasis or a task mark in front if need be.
std::optional<PartLabel> ReadPartLabel(std::string_view content);

/// A raw line that is a heading with a part label.
bool PartHeadingAt(std::string_view line);

struct NumberedLabel {
  int number = 0;
  std::string_view title;
};

std::optional<NumberedLabel> ReadStepLabel(std::string_view content);
std::optional<NumberedLabel> ReadSectionLabel(std::string_view content);

/// "**Goal**: text", "**Goal:** text", "Goal: text", "**Step 1: Research** (~40 lines)".
struct FieldLabel {
  std::string_view label;
  std::string_view text;
  bool bold = false;
  bool colon = false;
};

/// Bold text at the front, or a few plain words and a colon.
std::optional<FieldLabel> ReadFieldLabel(std::string_view content);

}  // namespace sibyl::plan
