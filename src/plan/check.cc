// SPDX-License-Identifier: Apache-2.0
#include "plan/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/files/reserved_name.h"
#include "base/utf8.h"
#include "plan/budget.h"
#include "plan/check_dates.h"
#include "plan/lines.h"
#include "plan/scan.h"
#include "plan/starter.h"

namespace sibyl::plan {
namespace {

constexpr Rule kRules[] = {
    {"plan/no-parts", "the plan has no PART"},
    {"plan/no-date", "the plan has no date"},
    {"text/unclosed-fence", "a fenced block is never closed"},
    {"text/invalid-utf8", "the plan is not UTF-8"},
    {"text/long-line", "a line is too long to read"},
    {"part/duplicate-number", "two parts have the same number"},
    {"part/number-gap", "a part number is skipped"},
    {"part/duplicate-target", "two parts write the same file"},
    {"part/duplicate-drop", "two parts write the same knowledge drop"},
    {"part/no-target", "a part names no file to write"},
    {"part/no-sections", "a part has no section to write"},
    {"part/template", "a part still has the text of the template"},
    {"part/no-queries", "a part has nothing to search, fetch or read"},
    {"part/open-items", "a part is ticked while its items are open"},
    {"part/contradictory-status", "a part is reported complete but not ticked"},
    {"part/tbd", "a part is still to be determined"},
    {"part/disabled", "a part is disabled"},
    {"part/unread", "lines of a part were not understood; they are kept"},
    {"budget/sections", "the budgets of the sections do not add up to the part's"},
    {"budget/plan", "the budgets of the parts do not add up to the plan's"},
    {"budget/claimed", "the plan and the part give different budgets"},
    {"total/parts", "the plan's count of parts is wrong"},
    {"total/files", "the plan's count of files is wrong"},
    {"date/before-plan", "a part was completed before the plan's date"},
    {"date/invalid", "an invalid date"},
    {"date/mixed-forms", "completion dates are written in several forms"},
    {"target/reserved", "a target has a name that is reserved for git or sibyl"},
    {"target/number-taken", "the number of a target is already used"},
    {"target/missing", "a part is ticked but its file is not in the oracle"},
    {"read/missing", "a file to be read does not exist"},
    {"repository/not-pinned", "a repository is named but not pinned"},
    {"mark/foreign", "a task mark that Markdown does not render"},
};

bool IsActive(const Part& part) {
  return part.status != PartStatus::kDisabled && part.status != PartStatus::kTbd;
}

// A part that is still to run must be runnable; for a finished part the same
// problem is only a note.
Severity ForStatus(const Part& part, Severity open) {
  return part.status == PartStatus::kDone ? Severity::kNote : open;
}

class Checker {
 public:
  Checker(const LoadedPlan& loaded, std::string_view name, std::string_view text,
          const CheckOptions& options)
      : plan_(loaded.plan),
        name_view_(name),
        text_view_(text),
        lines_(text),
        options_(options),
        findings_(loaded.findings) {}

  std::vector<Finding> Run() &&;

 private:
  void CheckText();
  void CheckMarks();
  void CheckNumbers();
  void CheckUnique(bool drops);
  void CheckPart(const Part& part);
  void CheckState(const Part& part);
  void CheckSectionBudgets(const Part& part);
  void CheckTemplate(const Part& part);
  void CheckTarget(const Part& part);
  void CheckReads(const Part& part);
  void CheckRepositories(const Part& part);
  void CheckTotals();
  void CheckTotal(const Claim& claim, std::size_t active, std::size_t all);
  void CheckLineTotal(const Claim& claim);
  void CheckDates();
  void Report(Severity severity, std::string_view code, std::string message, std::size_t line,
              std::string hint = {});

  const Plan& plan_;
  std::string_view name_view_;
  std::string_view text_view_;
  Lines lines_;
  const CheckOptions& options_;
  std::vector<Finding> findings_;
};

void Checker::Report(Severity severity, std::string_view code, std::string message,
                     std::size_t line, std::string hint) {
  const std::string text = lines_.Excerpt(line);
  std::size_t column = 1;
  while (column <= text.size() && IsSpace(text[column - 1])) ++column;
  findings_.push_back(Finding{.severity = severity,
                              .code = std::string(code),
                              .message = std::move(message),
                              .hint = std::move(hint),
                              .place = {.file = std::string(name_view_),
                                        .line = line,
                                        .column = text.empty() ? 0 : column,
                                        .text = text}});
}

void Checker::CheckText() {
  if (const std::optional<std::size_t> bad = FindInvalidUtf8(text_view_)) {
    const auto line = static_cast<std::size_t>(std::count(
        text_view_.begin(), text_view_.begin() + static_cast<std::ptrdiff_t>(*bad), '\n'));
    Report(Severity::kWarning, "text/invalid-utf8",
           fmt::format("byte {} is not UTF-8; such bytes are shown as U+FFFD", *bad), line + 1,
           "save the plan as UTF-8");
  }
  constexpr std::size_t kLongLine = 100000;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::size_t length = lines_.LengthOf(i + 1);
    if (length > kLongLine) {
      Report(Severity::kNote, "text/long-line", fmt::format("this line has {} bytes", length),
             i + 1);
    }
  }
  if (plan_.date.empty() && !plan_.parts.empty()) {
    Report(Severity::kNote, "plan/no-date", "the plan has no date", 1,
           "add a line such as '**Date**: 2026-11-15'");
  }
}

void Checker::CheckMarks() {
  struct Use {
    std::size_t count = 0;
    std::size_t line = 0;
  };
  std::map<std::string, Use> uses;
  for (const Text& mark : plan_.foreign_marks) {
    Use& use = uses[mark.text];
    if (use.count++ == 0) use.line = mark.line;
  }
  for (const auto& [mark, use] : uses) {
    Report(Severity::kWarning, "mark/foreign",
           fmt::format("Markdown does not render the task mark [{}] ({}, first here)", mark,
                       Count(use.count, "time")),
           use.line, "write [x] for done and [ ] for open");
  }
}

void Checker::CheckNumbers() {
  std::unordered_map<int, const Part*> seen;
  for (const Part& part : plan_.parts) {
    if (!IsActive(part)) continue;
    const auto [first, is_new] = seen.emplace(part.number, &part);
    if (!is_new) {
      Report(Severity::kWarning, "part/duplicate-number",
             fmt::format("PART {} is already on line {}", part.number, first->second->line),
             part.line);
    }
  }
  std::vector<int> numbers;
  std::unordered_map<int, const Part*> all;
  for (const Part& part : plan_.parts) {
    for (int n = part.number; n <= part.through.value_or(part.number) && n < part.number + 1000;
         ++n) {
      if (all.emplace(n, &part).second) numbers.push_back(n);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] - numbers[i - 1] > 1) {
      Report(Severity::kNote, "part/number-gap",
             fmt::format("PART {} follows PART {}", numbers[i], numbers[i - 1]),
             all.at(numbers[i])->line);
    }
  }
}

// Two parts that run would write one file, or leave one drop.
void Checker::CheckUnique(bool drops) {
  std::unordered_map<std::string, const Part*> writers;
  for (const Part& part : plan_.parts) {
    if (!IsActive(part)) continue;
    std::vector<Text> names;
    if (!drops) names = part.targets;
    if (drops && !part.drop.empty()) names.push_back({.text = part.drop, .line = part.drop_line});
    for (const Text& name : names) {
      if (name.text.ends_with("INDEX.md") || name.text.ends_with("SKILL.md")) continue;
      const auto [first, is_new] = writers.emplace(name.text, &part);
      if (is_new || first->second == &part || first->second->number == part.number) continue;
      Report(Severity::kError, drops ? "part/duplicate-drop" : "part/duplicate-target",
             fmt::format("PART {} writes {}, and so does PART {}", part.number, name.text,
                         first->second->number),
             name.line, "give each part its own file");
    }
  }
}

void Checker::CheckPart(const Part& part) {
  if (part.status == PartStatus::kTbd) {
    const std::string range = part.through
                                  ? fmt::format("PARTs {}-{} are", part.number, *part.through)
                                  : fmt::format("PART {} is", part.number);
    Report(Severity::kNote, "part/tbd", range + " still to be determined and will not run",
           part.line);
    return;
  }
  if (part.status == PartStatus::kDisabled) {
    Report(Severity::kNote, "part/disabled",
           fmt::format("PART {} is disabled and will not run", part.number), part.line);
    return;
  }
  if (part.targets.empty()) {
    Report(ForStatus(part, Severity::kError), "part/no-target",
           fmt::format("PART {} names no file to write", part.number), part.line,
           "name one, such as '- [ ] PART 1: Create cuda/20-name.md'");
  }
  if (part.sections.empty()) {
    Report(ForStatus(part, Severity::kWarning), "part/no-sections",
           fmt::format("PART {} has no section to write", part.number), part.line,
           "add one, such as '- [ ] Section 1: Title (~100 lines)' with its points indented below");
  }
  CheckTemplate(part);
  if (part.queries.empty() && part.urls.empty() && part.reads.empty() &&
      part.repositories.empty()) {
    Report(ForStatus(part, Severity::kWarning), "part/no-queries",
           fmt::format("PART {} names nothing to search, fetch or read", part.number), part.line,
           "add one, such as '- [ ] Search: \"words to look for\"'");
  } else if (part.queries.empty()) {
    Report(Severity::kNote, "part/no-queries",
           fmt::format("PART {} has no search query; its points will be searched", part.number),
           part.line);
  }
  if (!part.unread.empty()) {
    Report(Severity::kNote, "part/unread",
           fmt::format("{} of PART {} not understood; kept as written (first here)",
                       Count(part.unread.size(), "line"), part.number),
           part.unread.front().line);
  }
  CheckState(part);
  CheckSectionBudgets(part);
  CheckTarget(part);
  CheckReads(part);
  CheckRepositories(part);
}

void Checker::CheckState(const Part& part) {
  std::size_t open = 0;
  std::size_t first = 0;
  for (const Step& step : part.steps) {
    for (const Item& item : step.items) {
      if (!item.done.has_value() || *item.done) continue;
      if (open++ == 0) first = item.line;
    }
  }
  // TickPart ticks the part alone and notes when: its items stay as they are.
  if (part.status == PartStatus::kDone && part.completed.empty() && open > 0) {
    Report(Severity::kWarning, "part/open-items",
           fmt::format("PART {} is ticked, but {} open (first here)", part.number,
                       Count(open, "item is", "items are")),
           first, "tick the finished items, or untick the part");
  }
  if (part.status == PartStatus::kOpen && part.reported_done_line > 0) {
    Report(Severity::kWarning, "part/contradictory-status",
           fmt::format("PART {} is reported complete here, but its own box is not ticked",
                       part.number),
           part.reported_done_line, "tick the part's own line");
  }
}

// Its points would be searched for, and found somewhere.
void Checker::CheckTemplate(const Part& part) {
  for (const Section& section : part.sections) {
    for (const Text& point : section.points) {
      if (!IsStarterPoint(point.text)) continue;
      Report(
          ForStatus(part, Severity::kError), "part/template",
          fmt::format("PART {} still has a point of the template: '{}'", part.number, point.text),
          point.line, "write what a reader of the file wants to know");
      return;
    }
  }
}

void Checker::CheckSectionBudgets(const Part& part) {
  std::size_t sum = 0;
  bool complete = !part.sections.empty();
  for (const Section& section : part.sections) {
    sum += section.line_budget.value_or(0);
    complete = complete && section.line_budget.has_value();
  }
  if (!part.line_budget || sum == 0) return;
  const std::size_t budget = *part.line_budget;
  const std::size_t off = sum > budget ? sum - budget : budget - sum;
  if (off == 0 || (!complete && sum < budget)) return;
  // "~100 lines" is rounded: a tenth is tolerated, more is a mistake.
  const Severity severity = off * 10 <= budget ? Severity::kNote : Severity::kWarning;
  Report(severity, "budget/sections",
         fmt::format("the sections of PART {} add up to {} lines, but the part has {}", part.number,
                     sum, budget),
         part.line);
}

void Checker::CheckTarget(const Part& part) {
  for (const Text& target : part.targets) {
    if (!HasReservedName(target.text)) continue;
    Report(ForStatus(part, Severity::kError), "target/reserved",
           fmt::format("{}: that name is reserved for git or sibyl", target.text), target.line,
           "choose another folder, such as cuda/16-cupti.md");
  }
  if (options_.oracle == nullptr) return;
  for (const Text& target : part.targets) {
    const bool exists = options_.oracle->Has(target.text);
    if (part.status == PartStatus::kDone && !exists) {
      Report(Severity::kNote, "target/missing",
             fmt::format("PART {} is ticked, but {} is not in this oracle; it will be run again",
                         part.number, target.text),
             target.line);
    }
    const std::optional<NumberedPath> numbered = ReadNumberedPath(target.text);
    if (!numbered || exists) continue;
    const std::string taken = options_.oracle->TakenBy(*numbered, target.text);
    if (taken.empty()) continue;
    Report(ForStatus(part, Severity::kError), "target/number-taken",
           fmt::format("number {:0{}} is used by {}", numbered->number, numbered->digits, taken),
           target.line,
           fmt::format("the next free number in {} is {:0{}}",
                       numbered->folder.empty() ? "this folder" : numbered->folder,
                       options_.oracle->NextFree(numbered->folder), numbered->digits));
  }
}

void Checker::CheckReads(const Part& part) {
  if (options_.oracle == nullptr) return;
  for (const Read& read : part.reads) {
    if (options_.oracle->Has(read.path)) continue;
    Report(Severity::kWarning, "read/missing",
           fmt::format("PART {} is to read {}, which this oracle does not have", part.number,
                       read.path),
           read.line);
  }
}

void Checker::CheckRepositories(const Part& part) {
  if (options_.pinned == nullptr) return;
  for (const Text& repository : part.repositories) {
    const std::string name = LowerCase(repository.text);
    const std::size_t slash = name.rfind('/');
    if (options_.pinned->contains(name) ||
        options_.pinned->contains(name.substr(slash == std::string::npos ? 0 : slash + 1))) {
      continue;
    }
    Report(Severity::kWarning, "repository/not-pinned",
           fmt::format("{} is named here but not pinned", repository.text), repository.line,
           slash == std::string::npos
               ? std::string()
               : fmt::format("sibyl source add https://github.com/{}", repository.text));
  }
}

void Checker::CheckTotal(const Claim& claim, std::size_t active, std::size_t all) {
  if (claim.value == active) return;
  const bool parts = claim.subject == Claim::Subject::kParts;
  std::string message = parts ? fmt::format("the plan says {} parts here, but {} to run",
                                            claim.value, Count(active, "part is", "parts are"))
                              : fmt::format("the plan says {} files here, but its parts write {}",
                                            claim.value, active);
  if (all != active) message += fmt::format(" ({} with parts disabled or undetermined)", all);
  Report(Severity::kWarning, parts ? "total/parts" : "total/files", std::move(message), claim.line);
}

void Checker::CheckLineTotal(const Claim& claim) {
  std::size_t sum = 0;
  for (const Part& part : plan_.parts) {
    if (!IsActive(part)) continue;
    if (!part.line_budget) return;
    sum += *part.line_budget;
  }
  const std::size_t off = sum > claim.value ? sum - claim.value : claim.value - sum;
  if (off == 0 || sum == 0) return;
  const Severity severity = off * 10 <= claim.value ? Severity::kNote : Severity::kWarning;
  Report(severity, "budget/plan",
         fmt::format("the plan says {} lines here, but its parts add up to {}", claim.value, sum),
         claim.line);
}

void Checker::CheckTotals() {
  std::unordered_set<int> active_parts;
  std::unordered_set<int> all_parts;
  std::unordered_set<std::string> active_files;
  std::unordered_set<std::string> all_files;
  for (const Part& part : plan_.parts) {
    const int last = std::min(part.through.value_or(part.number), part.number + 1000);
    for (int number = part.number; number <= last; ++number) all_parts.insert(number);
    if (IsActive(part)) active_parts.insert(part.number);
    for (const Text& target : part.targets) {
      if (target.text.ends_with("INDEX.md") || target.text.ends_with("SKILL.md")) continue;
      all_files.insert(target.text);
      if (IsActive(part)) active_files.insert(target.text);
    }
  }
  if (active_parts.empty()) return;
  std::unordered_map<int, const Part*> by_number;
  for (const Part& part : plan_.parts) by_number.emplace(part.number, &part);
  for (const Claim& claim : plan_.claims) {
    if (claim.subject == Claim::Subject::kParts) {
      CheckTotal(claim, active_parts.size(), all_parts.size());
    } else if (claim.subject == Claim::Subject::kFiles) {
      CheckTotal(claim, active_files.size(), all_files.size());
    } else {
      CheckLineTotal(claim);
    }
  }
  for (const PartBudgetClaim& claim : plan_.part_budgets) {
    const auto part = by_number.find(claim.number);
    if (part == by_number.end() || part->second->line_budget == claim.lines) continue;
    Report(Severity::kWarning, "budget/claimed",
           fmt::format("PART {} has {} lines here and {} on line {}", claim.number, claim.lines,
                       part->second->line_budget.value_or(0), part->second->line),
           claim.line);
  }
}

void Checker::CheckDates() {
  for (DateProblem& problem : FindDateProblems(plan_)) {
    Report(Severity::kWarning, problem.code, std::move(problem.message), problem.line);
  }
}

std::vector<Finding> Checker::Run() && {
  CheckText();
  CheckMarks();
  CheckNumbers();
  CheckUnique(/*drops=*/false);
  CheckUnique(/*drops=*/true);
  for (const Part& part : plan_.parts) CheckPart(part);
  CheckTotals();
  CheckDates();
  std::stable_sort(findings_.begin(), findings_.end(),
                   [](const Finding& a, const Finding& b) { return a.place.line < b.place.line; });
  return std::move(findings_);
}

}  // namespace

std::span<const Rule> CheckRules() { return kRules; }

std::vector<Finding> Check(const LoadedPlan& loaded, std::string_view name, std::string_view text,
                           const CheckOptions& options) {
  return Checker(loaded, name, text, options).Run();
}

}  // namespace sibyl::plan
