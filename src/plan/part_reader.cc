// SPDX-License-Identifier: Apache-2.0
#include "plan/part_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "plan/budget.h"
#include "plan/part_words.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

constexpr std::size_t kMostTargets = 64;  // more is no part; bounds the search below

// What was found already, by kind.
std::string SeenKey(char kind, std::string_view text) {
  std::string key;
  key.reserve(text.size() + 1);
  key.push_back(kind);
  key.append(text);
  return key;
}

}  // namespace

MarkMeaning MeaningOf(std::string_view mark) {
  if (mark.empty()) return MarkMeaning::kOpen;
  for (const std::string_view done : {"x", "X", "✓", "✔", "✅", "☑", "√", "✔️", "✅️"}) {
    if (mark == done) return MarkMeaning::kDone;
  }
  for (const std::string_view failed : {"/", "✗", "✘", "❌", "!", "✖"}) {
    if (mark == failed) return MarkMeaning::kFailed;
  }
  return MarkMeaning::kUnknown;
}

bool IsMarkdownMark(std::string_view mark) { return mark.empty() || mark == "x" || mark == "X"; }

PartReader::PartReader(const PartLabel& label, const Line& line) {
  part_.number = label.number;
  part_.through = label.through;
  part_.line = line.number;
  const BareTitle bare = SplitTitle(label.title);
  part_.title = bare.title;
  AddBudget(label.title, kOfHeading);
  AddTargets(label.title, line.number, kOfHeading);
  AddMentions(label.title, line.number);
}

void PartReader::TakeCheckbox(const Line& line, const PartLabel& label) {
  part_.checkbox =
      Checkbox{.line = line.number, .mark_begin = line.mark_begin, .mark_end = line.mark_end};
  checkbox_meaning_ = MeaningOf(line.mark);
  part_.completed = FindCompletion(line.content);
  if (part_.title.empty()) part_.title = SplitTitle(label.title).title;
  AddBudget(label.title, kOfCheckbox);
  AddTargets(label.title, line.number, kOfCheckbox);
  AddMentions(label.title, line.number);
  has_item_ = false;
  CloseSection();
}

void PartReader::Take(const Line& line) {
  switch (line.kind) {
    case LineKind::kBlank:
      after_blank_ = true;
      return;
    case LineKind::kHeading:
      TakeHeading(line);
      break;
    case LineKind::kItem:
      TakeItem(line);
      break;
    case LineKind::kFence:
      TakeFence(line);
      break;
    case LineKind::kFenced:
      TakeFenced(line);
      break;
    case LineKind::kText:
      TakeText(line);
      break;
  }
  after_blank_ = false;
}

void PartReader::OpenStep(std::optional<int> number, std::string_view title, std::size_t line) {
  const BareTitle bare = SplitTitle(title);
  std::string name = bare.title;
  while (name.ends_with(':') || name.ends_with('*')) name.pop_back();
  part_.steps.push_back(Step{.number = number, .title = CleanText(name), .line = line});
  AddBudget(title, kOfItem);
  knowledge_step_ =
      (ContainsIgnoringCase(name, "existing") || ContainsIgnoringCase(name, "knowledge")) &&
      !ContainsIgnoringCase(name, "web") && !ContainsIgnoringCase(name, "research");
  query_list_ = IsQueryListLabel(name);
  repository_list_ =
      ContainsIgnoringCase(name, "repositor") || ContainsIgnoringCase(name, "github repo");
  outline_list_ = false;
  has_item_ = false;
  CloseSection();
}

void PartReader::TakeHeading(const Line& line) {
  query_list_ = false;
  if (const std::optional<NumberedLabel> step = ReadStepLabel(line.content)) {
    OpenStep(step->number, step->title, line.number);
  } else if (const std::optional<NumberedLabel> label = ReadSectionLabel(line.content)) {
    OpenSection(label->number, label->title, line.number, SectionForm::kBlock);
    has_item_ = false;
  } else {
    OpenStep(std::nullopt, line.content, line.number);
  }
  AddMentions(line.content, line.number);
}

void PartReader::TakeText(const Line& line) {
  const std::string_view content = line.content;
  if (content.find_first_not_of("-=*_ ") == kNowhere) return;  // a rule between parts
  const bool under_item_section =
      section_form_ == SectionForm::kItem && line.indent > section_indent_;
  if (under_item_section && TakeUnderSection(content, line)) return;
  if (const std::optional<NumberedLabel> step = ReadStepLabel(content)) {
    OpenStep(step->number, step->title, line.number);
    return;
  }
  if (const std::optional<NumberedLabel> label = ReadSectionLabel(content)) {
    OpenSection(label->number, label->title, line.number, SectionForm::kBlock);
    has_item_ = false;
    return;
  }
  if (section_form_ == SectionForm::kBlock && IsCiteLabel(SkipDecoration(content))) {
    TakeUnderSection(content, line);
    return;
  }
  if (has_item_ && line.indent > item_indent_) {
    AddDetail(line);
    return;
  }
  const std::optional<FieldLabel> field = ReadFieldLabel(content);
  if (field && TakeField(*field, line)) return;
  AddMentions(content, line.number);
  part_.unread.push_back(Text{.text = std::string(content), .line = line.number});
}

bool PartReader::TakeField(const FieldLabel& field, const Line& line) {
  if (!field.colon && !field.text.empty() && !field.bold) return false;
  const std::string_view label = field.label;
  query_list_ = false;  // a label ends the list of the one before it
  repository_list_ = ContainsIgnoringCase(label, "repo") || ContainsIgnoringCase(label, "github");
  AddMentions(field.text, line.number);
  if (const int rank = GoalRank(label); rank >= 0 && !field.text.empty()) {
    if (rank < goal_rank_) {
      part_.goal = CleanText(field.text);
      goal_rank_ = rank;
    }
    return true;
  }
  if (EqualsIgnoringCase(label, "status") || StartsWithWord(label, "complete") ||
      StartsWithWord(label, "completed")) {
    TakeStatus(field.text, line.number);
  }
  if (field.bold && !field.text.empty() && IsTopicsLabel(label)) {
    TakeTopics(field, line.number);
    return true;
  }
  if (IsTargetLabel(label)) AddTargets(field.text, line.number, kOfLabel);
  if (ContainsIgnoringCase(label, "line") || ContainsIgnoringCase(label, "length") ||
      ContainsIgnoringCase(label, "output") || ContainsIgnoringCase(label, "size") ||
      ContainsIgnoringCase(label, "budget") || IsTargetLabel(label)) {
    AddBudget(field.text, kOfLabel);
  }
  if (field.text.empty()) {
    if (!field.colon && !field.bold) return false;
    TakeLabelledList(field, line);
    return true;
  }
  if (IsQueryListLabel(label)) {
    for (std::string& query : FindQueries(field.text, QueryContext::kListed)) {
      AddUnique(part_.queries, 'q', std::move(query), line.number);
    }
  }
  if (!field.bold && !IsTargetLabel(label) && !EqualsIgnoringCase(label, "status")) {
    const bool short_label = std::count(label.begin(), label.end(), ' ') < 4;
    if (!short_label) return false;
  }
  CloseSection();
  has_item_ = false;
  part_.notes.push_back(
      Note{.label = CleanText(label), .text = std::string(field.text), .line = line.number});
  return true;
}

// "**Web Research Queries:**" or "Target sources:" with a list to follow. In a
// part without numbered steps such labels are its steps.
void PartReader::TakeLabelledList(const FieldLabel& field, const Line& line) {
  const bool numbered = std::any_of(part_.steps.begin(), part_.steps.end(),
                                    [](const Step& step) { return step.number.has_value(); });
  if (field.bold && !numbered) {
    OpenStep(std::nullopt, field.label, line.number);
  } else {
    part_.notes.push_back(Note{.label = CleanText(field.label), .line = line.number});
    CloseSection();
    has_item_ = false;
  }
  query_list_ = IsQueryListLabel(field.label);
  repository_list_ =
      ContainsIgnoringCase(field.label, "repo") || ContainsIgnoringCase(field.label, "github");
  outline_list_ = IsOutlineLabel(field.label);
}

void PartReader::TakeItem(const Line& line) {
  const std::string_view content = line.content;
  if (section_form_ == SectionForm::kItem && line.indent > section_indent_ &&
      TakeUnderSection(content, line)) {
    return;
  }
  if (const std::optional<PartLabel> part = ReadPartLabel(content); part && part->report) {
    TakeReport(line);
    return;
  }
  if (const std::optional<NumberedLabel> label = ReadSectionLabel(content)) {
    AddItem(line);
    section_indent_ = line.indent;
    OpenSection(label->number, label->title, line.number, SectionForm::kItem);
    return;
  }
  if (const std::optional<NumberedLabel> step = ReadStepLabel(content)) {
    OpenStep(step->number, step->title, line.number);
    return;
  }
  const bool under_item = has_item_ && line.indent > item_indent_;
  if (outline_list_ && !under_item) {
    TakeOutlineItem(line);
    return;
  }
  const bool creates = StartsWithCreation(content) && !FindPaths(content).empty();
  if (section_form_ == SectionForm::kBlock && !creates && FindDrop(content).empty() &&
      TakeUnderSection(content, line)) {
    return;
  }
  if (under_item && !line.task) {
    AddDetail(line);
    return;
  }
  CloseSection();
  AddItem(line);
}

Item& PartReader::AddItem(const Line& line) {
  if (part_.steps.empty()) {
    part_.steps.push_back(Step{.number = {}, .title = {}, .line = line.number});
  }
  Item item{.text = std::string(line.content), .line = line.number};
  if (line.task) {
    item.mark = line.mark.empty() ? " " : std::string(line.mark);
    item.done = MeaningOf(line.mark) == MarkMeaning::kDone;
  }
  part_.steps.back().items.push_back(std::move(item));
  has_item_ = true;
  item_indent_ = line.indent;
  AddMentions(line.content, line.number);
  item_lists_queries_ = line.content.ends_with(':') && IsQueryListLabel(line.content);
  item_lists_repositories_ =
      line.content.ends_with(':') && (ContainsIgnoringCase(line.content, "repositor") ||
                                      ContainsIgnoringCase(line.content, "github"));
  if (StartsWithCreation(line.content)) {
    AddTargets(line.content, line.number, kOfItem);
    AddBudget(line.content, kOfItem);
  } else if (const std::optional<FieldLabel> field = ReadFieldLabel(line.content);
             field && field->colon && IsTargetLabel(field->label)) {
    AddTargets(field->text, line.number, kOfItem);
  }
  return part_.steps.back().items.back();
}

void PartReader::AddDetail(const Line& line) {
  Item& item = part_.steps.back().items.back();
  const bool continues = line.kind == LineKind::kText && !after_blank_ && !item.details.empty();
  if (continues) {
    item.details.back().text += ' ';
    item.details.back().text += line.content;
  } else {
    item.details.push_back(Text{.text = std::string(line.content), .line = line.number});
  }
  const bool outer_queries = std::exchange(query_list_, query_list_ || item_lists_queries_);
  const bool outer_repositories =
      std::exchange(repository_list_, repository_list_ || item_lists_repositories_);
  AddMentions(line.content, line.number);
  query_list_ = outer_queries;
  repository_list_ = outer_repositories;
}

void PartReader::TakeReport(const Line& line) {
  if (part_.steps.empty() || !has_item_ || line.indent <= item_indent_) CloseSection();
  AddItem(line);
  if (line.task && MeaningOf(line.mark) == MarkMeaning::kDone) {
    part_.reported_done_line = line.number;
    if (!stated_meaning_) stated_meaning_ = MarkMeaning::kDone;
    if (stated_completion_.empty()) stated_completion_ = FindCompletion(line.content);
  }
}

void PartReader::TakeStatus(std::string_view text, std::size_t line) {
  const Line marked = Classify(text, line, 0);
  if (marked.task) {
    stated_meaning_ = MeaningOf(marked.mark);
  } else if (ContainsIgnoringCase(text, "not complete") ||
             ContainsIgnoringCase(text, "incomplete") || ContainsIgnoringCase(text, "pending") ||
             ContainsIgnoringCase(text, "ready")) {
    return;
  } else if (ContainsIgnoringCase(text, "failed")) {
    stated_meaning_ = MarkMeaning::kFailed;
  } else if (ContainsIgnoringCase(text, "complete") || text.starts_with("✅") ||
             FindWord(text, "done") != kNowhere) {
    stated_meaning_ = MarkMeaning::kDone;
  }
  if (std::string moment = FindCompletion(text); !moment.empty()) {
    stated_completion_ = std::move(moment);
  } else if (stated_meaning_ == MarkMeaning::kDone && stated_completion_.empty()) {
    stated_completion_ = FindDate(text);
  }
}

void PartReader::AddMentions(std::string_view content, std::size_t line) {
  const unsigned signs = SignsOf(content);
  if ((signs & kSlash) != 0 && (signs & kColon) != 0) {
    for (std::string& url : FindUrls(content)) AddUnique(part_.urls, 'u', std::move(url), line);
  }
  if ((signs & (kSlash | kHyphen)) != 0) {
    const RepositoryContext repositories =
        repository_list_ ? RepositoryContext::kListed : RepositoryContext::kNone;
    for (std::string& name : FindRepositories(content, repositories)) {
      AddUnique(part_.repositories, 'r', std::move(name), line);
    }
  }
  if (query_list_ || (signs & (kQuote | kColon)) != 0) {
    const QueryContext queries = query_list_       ? QueryContext::kListed
                                 : knowledge_step_ ? QueryContext::kKnowledge
                                                   : QueryContext::kNone;
    for (std::string& query : FindQueries(content, queries)) {
      AddUnique(part_.queries, 'q', std::move(query), line);
    }
  }
  if ((signs & (kSlash | kDot)) != 0) {
    for (Read& read : FindReads(content, line)) part_.reads.push_back(std::move(read));
  }
  if (part_.drop.empty() && (signs & kHyphen) != 0) {
    if (const std::string_view drop = FindDrop(content); !drop.empty()) {
      part_.drop = drop;
      part_.drop_line = line;
    }
  }
}

void PartReader::AddUnique(std::vector<Text>& texts, char kind, std::string text,
                           std::size_t line) {
  if (text.empty() || !seen_.insert(SeenKey(kind, text)).second) return;
  texts.push_back(Text{.text = std::move(text), .line = line});
}

void PartReader::AddTargets(std::string_view text, std::size_t line, Rank rank) {
  for (const std::string_view path : FindPaths(text)) {
    if (!IsTargetPath(path) || !seen_.insert(SeenKey(static_cast<char>('0' + rank), path)).second) {
      continue;
    }
    targets_[rank].push_back(Text{.text = std::string(path), .line = line});
  }
}

void PartReader::AddBudget(std::string_view text, Rank rank) {
  if (budgets_[rank]) return;
  budgets_[rank] = FindLineBudget(text);
}

Part PartReader::Finish(std::size_t last_line) && {
  part_.last_line = last_line;
  for (const std::optional<std::size_t>& budget : budgets_) {
    if (!part_.line_budget) part_.line_budget = budget;
  }
  // Every part updates INDEX.md and SKILL.md; they are targets only if there is
  // no other.
  for (const bool index_files : {false, true}) {
    for (std::vector<Text>& ranked : targets_) {
      for (Text& candidate : ranked) {
        if (IsIndexFile(candidate.text) != index_files) continue;
        if (index_files && !part_.targets.empty()) continue;
        const auto known = std::find_if(
            part_.targets.begin(), part_.targets.end(),
            [&candidate](const Text& text) { return SameTarget(text.text, candidate.text); });
        if (known == part_.targets.end()) {
          if (part_.targets.size() < kMostTargets) part_.targets.push_back(std::move(candidate));
        } else if (known->text.size() < candidate.text.size()) {
          known->text = std::move(candidate.text);  // the one that says the folder too
        }
      }
    }
  }
  if (!part_.targets.empty()) part_.target = part_.targets.front().text;
  const MarkMeaning meaning =
      checkbox_meaning_ ? *checkbox_meaning_ : stated_meaning_.value_or(MarkMeaning::kOpen);
  if (meaning == MarkMeaning::kDone) part_.status = PartStatus::kDone;
  if (meaning == MarkMeaning::kFailed) part_.status = PartStatus::kFailed;
  if (part_.completed.empty() && meaning == MarkMeaning::kDone)
    part_.completed = stated_completion_;
  return std::move(part_);
}

}  // namespace sibyl::plan
