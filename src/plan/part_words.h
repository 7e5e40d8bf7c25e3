// SPDX-License-Identifier: Apache-2.0
// The words by which the lines of a part are classified. Private to plan.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sibyl::plan {

/// "Cite: …", "Citations", "Sources".
bool IsCiteLabel(std::string_view text);
/// "Cite: X", "Cite web sources", "**CITE**: X" -> "X", "web sources", "X".
std::string CiteText(std::string_view text);

/// "Create", "Write", "Save" and the like: an item that names a file to write.
bool StartsWithCreation(std::string_view text);
bool IsTargetPath(std::string_view path);
/// INDEX.md and SKILL.md, which every expansion updates.
bool IsIndexFile(std::string_view path);
/// Whether the paths are equal, or one equals the other without its folder.
bool SameTarget(std::string_view a, std::string_view b);

/// A title that is a form to fill in rather than a section: "## Section X: [Topic]".
bool IsPlaceholder(std::string_view title);

/// The rank of a label as the goal of a part: 0 is best, -1 is not a goal.
int GoalRank(std::string_view label);
bool IsTargetLabel(std::string_view label);
/// "Content Structure:", "Outline", "Sections": a list of sections follows.
bool IsOutlineLabel(std::string_view label);
/// "Topics: a, b, c": what to cover, in one line.
bool IsTopicsLabel(std::string_view label);
/// At commas and semicolons outside brackets.
std::vector<std::string_view> SplitTopics(std::string_view text);

}  // namespace sibyl::plan
