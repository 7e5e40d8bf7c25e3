// SPDX-License-Identifier: Apache-2.0
// Parse of plan/plan.h: finds where parts start and end, and parses the text
// outside them. PartReader parses the parts.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "plan/budget.h"
#include "plan/claims.h"
#include "plan/edit.h"
#include "plan/labels.h"
#include "plan/lines.h"
#include "plan/part_reader.h"
#include "plan/plan.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

constexpr int kNoHeading = 7;  // deeper than any: every heading ends the part

bool SaysToBeDetermined(std::string_view title) {
  return FindWord(title, "tbd") != std::string_view::npos ||
         ContainsIgnoringCase(title, "to be determined");
}

bool IsCriteriaLabel(std::string_view label) {
  return ContainsIgnoringCase(label, "completion criteria") ||
         ContainsIgnoringCase(label, "success criteria") ||
         ContainsIgnoringCase(label, "acceptance criteria") ||
         ContainsIgnoringCase(label, "definition of done") ||
         ContainsIgnoringCase(label, "checklist") ||
         EqualsIgnoringCase(SkipDecoration(label), "completion");
}

class DocumentReader {
 public:
  DocumentReader(std::string_view name, std::string_view text)
      : name_view_(name), lines_(text), last_comment_end_(text.rfind("-->")) {}

  LoadedPlan Read() &&;

 private:
  void CollectHeadingNumbers();
  void Take(const Line& line);
  bool TakeComment(const Line& line);
  void TakeHeading(const Line& line);
  bool TakePartItem(const Line& line);
  bool TakePartText(const Line& line);
  void TakeOutside(const Line& line);
  void TakePlanField(const FieldLabel& field, const Line& line);
  void TakeCriterion(const Line& line);
  void BeginPart(const PartLabel& label, const Line& line, int level);
  void EndPart(std::size_t last_line);
  void Settle();
  void Report(Severity severity, std::string code, std::string message, std::size_t line);

  std::string_view name_view_;
  Lines lines_;
  Plan plan_;
  std::vector<Finding> findings_;
  std::unordered_set<int> heading_numbers_;
  std::unordered_map<int, Line> stray_checkboxes_;
  std::optional<PartReader> reader_;
  int part_level_ = kNoHeading;
  bool part_disabled_ = false;
  bool part_tbd_ = false;
  int disabled_level_ = 0;  // of the heading that disables what follows; zero if none does
  bool in_criteria_ = false;
  std::size_t last_comment_end_ = std::string_view::npos;  // npos if no comment ends in this plan
  bool in_comment_ = false;
};

void DocumentReader::Report(Severity severity, std::string code, std::string message,
                            std::size_t line) {
  findings_.push_back(Finding{.severity = severity,
                              .code = std::move(code),
                              .message = std::move(message),
                              .hint = {},
                              .place = {.file = std::string(name_view_),
                                        .line = line,
                                        .column = 1,
                                        .text = lines_.Excerpt(line)}});
}

void DocumentReader::CollectHeadingNumbers() {
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!lines_.MayBeHeading(i)) continue;
    const Line line = lines_[i];
    if (line.kind != LineKind::kHeading) continue;
    const std::optional<PartLabel> label = ReadPartLabel(line.content);
    if (label && !label->report && !label->through) heading_numbers_.insert(label->number);
  }
}

void DocumentReader::BeginPart(const PartLabel& label, const Line& line, int level) {
  EndPart(line.number - 1);
  reader_.emplace(label, line);
  part_level_ = level;
  part_tbd_ = SaysToBeDetermined(label.title);
  part_disabled_ = disabled_level_ > 0 || line.content.starts_with("~~") ||
                   FindWord(label.title, "disabled") != std::string_view::npos;
  in_criteria_ = false;
}

void DocumentReader::EndPart(std::size_t last_line) {
  if (!reader_) return;
  Part part = std::move(*reader_).Finish(last_line);
  reader_.reset();
  if (part_tbd_ && part.status == PartStatus::kOpen) part.status = PartStatus::kTbd;
  if (part_disabled_) part.status = PartStatus::kDisabled;
  plan_.parts.push_back(std::move(part));
}

void DocumentReader::TakeHeading(const Line& line) {
  const std::optional<PartLabel> label = ReadPartLabel(line.content);
  const bool group = label && label->through && !SaysToBeDetermined(label->title);
  if (label && !label->report && !group) {
    BeginPart(*label, line, line.level);
    return;
  }
  const bool inner = ReadStepLabel(line.content) || ReadSectionLabel(line.content);
  if (reader_ && (line.level > part_level_ || inner)) {
    reader_->Take(line);
    return;
  }
  EndPart(line.number - 1);
  if (disabled_level_ > 0 && line.level <= disabled_level_) disabled_level_ = 0;
  if (FindWord(line.content, "disabled") != std::string_view::npos) disabled_level_ = line.level;
  in_criteria_ = IsCriteriaLabel(line.content);
  const bool title = plan_.title.empty() && plan_.parts.empty();
  if (title) {
    plan_.title = CleanText(line.content);
    if (plan_.date.empty()) plan_.date = FindDate(line.content);
    if (!plan_.date.empty()) plan_.date_line = line.number;
  }
  const bool batch = ContainsIgnoringCase(line.content, "batch") && !title;
  if (batch) return;
  for (Claim& claim :
       FindClaims(line.content, line.number, title ? ClaimPlace::kTitle : ClaimPlace::kBody)) {
    plan_.claims.push_back(std::move(claim));
  }
}

// A list item with a part label: the part's checkbox, a line of an overview
// list, or the beginning of a part that has no heading.
bool DocumentReader::TakePartItem(const Line& line) {
  const std::optional<PartLabel> label = ReadPartLabel(line.content);
  if (!label || label->report || label->through || !line.task) return false;
  if (reader_ && reader_->number() == label->number && !reader_->has_checkbox()) {
    reader_->TakeCheckbox(line, *label);
    return true;
  }
  if (heading_numbers_.contains(label->number)) {
    stray_checkboxes_.emplace(label->number, line);
    return false;
  }
  const bool in_heading_part = reader_ && part_level_ != kNoHeading;
  if (!label->separated || in_heading_part) return false;
  PartLabel untitled = *label;
  untitled.title = {};  // the checkbox brings the title; counted once
  BeginPart(untitled, line, kNoHeading);
  part_tbd_ = SaysToBeDetermined(label->title);
  reader_->TakeCheckbox(line, *label);
  return true;
}

// "**PART 1**: Create …" as a paragraph.
bool DocumentReader::TakePartText(const Line& line) {
  const std::optional<PartLabel> label = ReadPartLabel(line.content);
  if (!label || label->report || label->through || !label->separated) return false;
  if (heading_numbers_.contains(label->number) || line.indent >= 4) return false;
  if (reader_ && part_level_ != kNoHeading) return false;
  BeginPart(*label, line, kNoHeading);
  return true;
}

void DocumentReader::TakePlanField(const FieldLabel& field, const Line& line) {
  const std::string_view label = field.label;
  if (EqualsIgnoringCase(label, "topic") || EqualsIgnoringCase(label, "topics")) {
    if (plan_.topic.empty()) plan_.topic = CleanText(field.text);
  } else if (EqualsIgnoringCase(label, "date") || EqualsIgnoringCase(label, "created")) {
    if (std::string date = FindDate(field.text); !date.empty()) {
      plan_.date = std::move(date);
      plan_.date_line = line.number;
    }
  } else if (StartsWithIgnoringCase(label, "target folder") && plan_.target_folder.empty()) {
    plan_.target_folder = CleanText(field.text);
  }
  if (field.bold && !field.text.empty()) {
    plan_.notes.push_back(
        Note{.label = CleanText(label), .text = std::string(field.text), .line = line.number});
  }
}

void DocumentReader::TakeCriterion(const Line& line) {
  Item item{.text = std::string(line.content), .line = line.number};
  if (line.task) {
    item.mark = line.mark.empty() ? " " : std::string(line.mark);
    item.done = MeaningOf(line.mark) == MarkMeaning::kDone;
  }
  item.text = CleanText(item.text);
  plan_.criteria.push_back(std::move(item));
}

void DocumentReader::TakeOutside(const Line& line) {
  if (line.kind == LineKind::kBlank || line.kind == LineKind::kFence ||
      line.kind == LineKind::kFenced) {
    return;
  }
  const std::optional<FieldLabel> field = ReadFieldLabel(line.content);
  if (field && line.kind == LineKind::kText) {
    TakePlanField(*field, line);
    if (IsCriteriaLabel(field->label)) {
      in_criteria_ = true;
    } else if (in_criteria_ && field->bold && !ContainsIgnoringCase(field->label, "must")) {
      in_criteria_ = false;
    }
    if (field->bold && FindWord(field->label, "disabled") != std::string_view::npos) {
      disabled_level_ = 6;
    }
  }
  const bool ticked_text = line.content.starts_with("✅") || line.content.starts_with("☐") ||
                           line.content.starts_with("☑");
  if (in_criteria_ && (line.kind == LineKind::kItem || ticked_text)) TakeCriterion(line);
  if (std::optional<PartBudgetClaim> claim = FindPartBudgetClaim(line.content, line.number)) {
    plan_.part_budgets.push_back(*claim);
    return;
  }
  for (Claim& claim : FindClaims(line.content, line.number, ClaimPlace::kBody)) {
    plan_.claims.push_back(std::move(claim));
  }
}

// "<!-- … -->" from the start of a line to the end of one is a comment. An
// unclosed comment is text, like an unclosed fence.
bool DocumentReader::TakeComment(const Line& line) {
  if (!in_comment_) {
    const bool opens = line.kind == LineKind::kText && line.content.starts_with("<!--") &&
                       last_comment_end_ != std::string_view::npos &&
                       last_comment_end_ > line.offset;
    if (!opens) return false;
    in_comment_ = true;
  }
  if (line.content.find("-->") != std::string_view::npos) in_comment_ = false;
  return true;
}

void DocumentReader::Take(const Line& line) {
  if (TakeComment(line)) return;
  // "[/]" with a note is what MarkPartFailed writes.
  const bool is_ours =
      line.mark == "/" && FindFailedNote(Trim(line.content)) != std::string_view::npos;
  if (line.task && !IsMarkdownMark(line.mark) && !is_ours) {
    plan_.foreign_marks.push_back(Text{.text = std::string(line.mark), .line = line.number});
  }
  if (line.kind == LineKind::kHeading) {
    TakeHeading(line);
    return;
  }
  if (line.kind == LineKind::kItem && TakePartItem(line)) return;
  if (line.kind == LineKind::kText && TakePartText(line)) return;
  if (reader_) {
    reader_->Take(line);
  } else {
    TakeOutside(line);
  }
}

// Checks that need all lines.
void DocumentReader::Settle() {
  std::unordered_map<int, std::size_t> budgets;
  for (const PartBudgetClaim& claim : plan_.part_budgets)
    budgets.emplace(claim.number, claim.lines);
  for (Part& part : plan_.parts) {
    const auto budget = budgets.find(part.number);
    if (!part.line_budget && budget != budgets.end()) part.line_budget = budget->second;
    const auto stray = stray_checkboxes_.find(part.number);
    if (part.checkbox || stray == stray_checkboxes_.end()) continue;
    const Line& line = stray->second;
    part.checkbox =
        Checkbox{.line = line.number, .mark_begin = line.mark_begin, .mark_end = line.mark_end};
    if (part.status == PartStatus::kOpen) {
      const MarkMeaning meaning = MeaningOf(line.mark);
      if (meaning == MarkMeaning::kDone) part.status = PartStatus::kDone;
      if (meaning == MarkMeaning::kFailed) part.status = PartStatus::kFailed;
      if (part.completed.empty()) part.completed = FindCompletion(line.content);
    }
  }
  if (plan_.topic.empty()) {
    const std::size_t colon = plan_.title.find(": ");
    plan_.topic = colon == std::string::npos ? plan_.title : plan_.title.substr(colon + 2);
  }
  for (const std::size_t line : lines_.unclosed_fences()) {
    Report(Severity::kWarning, "text/unclosed-fence",
           "this fenced block is never closed; it is read as text so that nothing after it is lost",
           line);
  }
  if (plan_.parts.empty()) {
    Report(Severity::kError, "plan/no-parts", "the plan has no PART", 1);
    findings_.back().hint = "add one with a heading such as '## PART 1: Create cuda/20-name.md'";
  }
}

LoadedPlan DocumentReader::Read() && {
  CollectHeadingNumbers();
  for (std::size_t i = 0; i < lines_.size(); ++i) Take(lines_[i]);
  EndPart(lines_.size());
  Settle();
  return LoadedPlan{.plan = std::move(plan_), .findings = std::move(findings_)};
}

}  // namespace

std::string_view PartStatusName(PartStatus status) {
  switch (status) {
    case PartStatus::kOpen:
      return "open";
    case PartStatus::kDone:
      return "done";
    case PartStatus::kFailed:
      return "failed";
    case PartStatus::kDisabled:
      return "disabled";
    case PartStatus::kTbd:
      return "tbd";
  }
  return "open";
}

LoadedPlan Parse(std::string_view name, std::string_view text) {
  return DocumentReader(name, text).Read();
}

}  // namespace sibyl::plan
