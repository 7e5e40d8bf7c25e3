// SPDX-License-Identifier: Apache-2.0
// Reads the lines of one part, in order, into a Part. Private to the plan
// room; plan/plan.h is the entry point.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "plan/labels.h"
#include "plan/lines.h"
#include "plan/mentions.h"
#include "plan/plan.h"

namespace sibyl::plan {

/// The meaning of a mark: done, not done, failed.
enum class MarkMeaning { kOpen, kDone, kFailed, kUnknown };
MarkMeaning MeaningOf(std::string_view mark);
/// Marks that GitHub-flavoured Markdown draws as a box.
bool IsMarkdownMark(std::string_view mark);

class PartReader {
 public:
  /// `label` is the part's own; the part starts on `line`.
  PartReader(const PartLabel& label, const Line& line);

  /// The part's own "- [ ] PART 3: Create …" line.
  void TakeCheckbox(const Line& line, const PartLabel& label);
  void Take(const Line& line);
  Part Finish(std::size_t last_line) &&;

  int number() const { return part_.number; }
  bool has_checkbox() const { return part_.checkbox.has_value(); }

 private:
  enum class SectionForm { kNone, kItem, kBlock, kFenced };
  // Where a target or a budget was found; an earlier place wins.
  enum Rank { kOfCheckbox, kOfHeading, kOfLabel, kOfItem, kRanks };

  void TakeHeading(const Line& line);
  void TakeText(const Line& line);
  void TakeItem(const Line& line);
  void TakeFence(const Line& line);
  void TakeFenced(const Line& line);
  void TakeFencedHeading(const Line& line);
  bool TakeField(const FieldLabel& field, const Line& line);
  void TakeLabelledList(const FieldLabel& field, const Line& line);
  bool TakeUnderSection(std::string_view content, const Line& line);
  void TakeReport(const Line& line);
  void TakeOutlineItem(const Line& line);
  void TakeTopics(const FieldLabel& field, std::size_t line);

  void OpenStep(std::optional<int> number, std::string_view title, std::size_t line);
  void OpenSection(std::optional<int> number, std::string_view title, std::size_t line,
                   SectionForm form);
  void CloseSection() { section_form_ = SectionForm::kNone; }
  Item& AddItem(const Line& line);
  void AddDetail(const Line& line);
  void AddMentions(std::string_view content, std::size_t line);
  void AddUnique(std::vector<Text>& texts, char kind, std::string text, std::size_t line);
  void AddTargets(std::string_view text, std::size_t line, Rank rank);
  void AddBudget(std::string_view text, Rank rank);
  void TakeStatus(std::string_view text, std::size_t line);
  Section& section() { return part_.sections.back(); }

  Part part_;
  std::unordered_set<std::string> seen_;
  std::vector<Text> targets_[kRanks];
  std::optional<std::size_t> budgets_[kRanks];
  std::optional<MarkMeaning> checkbox_meaning_;
  std::optional<MarkMeaning> stated_meaning_;
  std::string stated_completion_;
  int goal_rank_ = 100;

  SectionForm section_form_ = SectionForm::kNone;
  std::size_t section_indent_ = 0;
  bool has_item_ = false;
  std::size_t item_indent_ = 0;
  bool knowledge_step_ = false;
  bool query_list_ = false;       // a label such as "Search queries:" is in force
  bool repository_list_ = false;  // likewise for repositories
  bool outline_list_ = false;     // "Content Structure:": its items are sections
  bool item_lists_queries_ = false;
  bool item_lists_repositories_ = false;
  bool after_blank_ = false;

  bool in_fence_ = false;
  bool fence_is_outline_ = false;
  int fence_level_ = 0;  // heading level of the sections in this fence
};

}  // namespace sibyl::plan
