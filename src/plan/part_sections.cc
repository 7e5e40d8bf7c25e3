// SPDX-License-Identifier: Apache-2.0
// The sections of a part: as list items, outlines, topics in a line, and as
// headings in a fenced block.

#include "base/markdown/fence.h"
#include "plan/budget.h"
#include "plan/part_reader.h"
#include "plan/part_words.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {}  // namespace

void PartReader::OpenSection(std::optional<int> number, std::string_view title, std::size_t line,
                             SectionForm form) {
  const BareTitle bare = SplitTitle(title);
  std::string name = bare.title;
  while (name.ends_with(':')) name.pop_back();
  part_.sections.push_back(Section{
      .number = number, .title = CleanText(name), .line_budget = bare.line_budget, .line = line});
  if (!bare.description.empty()) {
    section().points.push_back(Text{.text = bare.description, .line = line});
  }
  section_form_ = form;
}

// A point, a "Cite:" line or the continuation of a point.
bool PartReader::TakeUnderSection(std::string_view content, const Line& line) {
  if ((SignsOf(content) & kSlash) != 0) {
    for (std::string& url : FindUrls(content)) {
      AddUnique(part_.urls, 'u', std::move(url), line.number);
    }
    for (std::string& name : FindRepositories(content, RepositoryContext::kNone)) {
      AddUnique(part_.repositories, 'r', std::move(name), line.number);
    }
  }
  const std::string_view plain = SkipDecoration(content);
  if (IsCiteLabel(plain)) {
    if (!section().cite.empty()) section().cite += "; ";
    section().cite += CiteText(content);
    if (section().cite_line == 0) section().cite_line = line.number;
    return true;
  }
  const bool include = StartsWithIgnoringCase(plain, "include:");
  const std::string_view text = include ? TrimLeft(plain.substr(8)) : content;
  if (line.kind == LineKind::kText && !include && !section().points.empty() && !after_blank_ &&
      section().cite_line < section().points.back().line) {
    section().points.back().text += ' ';
    section().points.back().text += text;
  } else {
    section().points.push_back(Text{.text = std::string(text), .line = line.number});
  }
  return true;
}

void PartReader::TakeTopics(const FieldLabel& field, std::size_t line) {
  OpenSection(std::nullopt, field.label, line, SectionForm::kNone);
  for (const std::string_view topic : SplitTopics(field.text)) {
    section().points.push_back(Text{.text = std::string(topic), .line = line});
  }
}

// "3. Calibration - what it is" in an outline: a section and, after the dash,
// its point.
void PartReader::TakeOutlineItem(const Line& line) {
  AddItem(line);
  section_indent_ = line.indent;
  const std::size_t dash = line.content.find(" - ");
  const bool split = dash != kNowhere && !FindLineBudget(line.content.substr(0, dash));
  const std::optional<int> number = line.ordinal > 0 ? std::optional(line.ordinal) : std::nullopt;
  OpenSection(number, split ? line.content.substr(0, dash) : line.content, line.number,
              SectionForm::kItem);
  if (!split) return;
  const BareTitle point = SplitTitle(line.content.substr(dash + 3));
  if (point.line_budget) section().line_budget = point.line_budget;
  section().points.push_back(Text{.text = point.title, .line = line.number});
}

void PartReader::TakeFence(const Line& line) {
  in_fence_ = !in_fence_;
  if (!in_fence_) {
    if (section_form_ == SectionForm::kFenced) CloseSection();
    return;
  }
  const std::optional<Fence> fence = ReadFence(line.text, FenceIndent::kAny);
  const std::string_view info = fence ? fence->info : std::string_view();
  const bool markdown = info.empty() || EqualsIgnoringCase(info, "markdown") ||
                        EqualsIgnoringCase(info, "md") || EqualsIgnoringCase(info, "text");
  // Sections listed before the fence are the plan; the fence is then an
  // example.
  fence_is_outline_ = markdown && part_.sections.empty();
  fence_level_ = 0;
}

void PartReader::TakeFenced(const Line& line) {
  const QueryContext context = query_list_ ? QueryContext::kListed : QueryContext::kNone;
  if (query_list_ || (SignsOf(line.content) & kQuote) != 0) {
    for (std::string& query : FindQueries(line.content, context)) {
      AddUnique(part_.queries, 'q', std::move(query), line.number);
    }
  }
  if (!fence_is_outline_ || query_list_) return;
  const Line inner = Classify(line.text, line.number, line.offset);
  if (inner.kind == LineKind::kHeading) {
    TakeFencedHeading(inner);
  } else if (inner.kind == LineKind::kItem) {
    if (section_form_ == SectionForm::kFenced) {
      TakeUnderSection(inner.content, inner);
    } else if (const std::optional<NumberedLabel> label = ReadSectionLabel(inner.content)) {
      OpenSection(label->number, label->title, line.number, SectionForm::kFenced);
    }
  } else if (inner.kind == LineKind::kText) {
    if (const std::optional<NumberedLabel> label = ReadSectionLabel(inner.content)) {
      OpenSection(label->number, label->title, line.number, SectionForm::kFenced);
    } else if (section_form_ == SectionForm::kFenced &&
               (IsCiteLabel(SkipDecoration(inner.content)) || inner.indent > 0)) {
      TakeUnderSection(inner.content, inner);
    }
  }
  after_blank_ = false;
}

void PartReader::TakeFencedHeading(const Line& line) {
  if (const std::optional<NumberedLabel> label = ReadSectionLabel(line.content)) {
    if (!IsPlaceholder(label->title)) {
      OpenSection(label->number, label->title, line.number, SectionForm::kFenced);
      fence_level_ = line.level;
    }
    return;
  }
  if (line.level == 1 || IsPlaceholder(line.content)) return;  // the file's own title
  if (fence_level_ != 0 && line.level > fence_level_) {
    section().points.push_back(Text{.text = CleanText(line.content), .line = line.number});
    return;
  }
  OpenSection(std::nullopt, line.content, line.number, SectionForm::kFenced);
  fence_level_ = line.level;
}

}  // namespace sibyl::plan
