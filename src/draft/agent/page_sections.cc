// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/page_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "base/markdown/fence.h"
#include "base/strings.h"
#include "draft/agent/point_text.h"
#include "draft/extract/gather.h"
#include "draft/extract/queries.h"
#include "draft/page_parts.h"
#include "evidence/footnote.h"

namespace sibyl::draft {
namespace {

constexpr std::string_view kSourcesHeading = "sources";
constexpr std::size_t kLongestLabel = 100;
// What the page has in a section for which nothing was found.
constexpr std::string_view kSeeNotFound = "See [Not found](#not-found).";

// `NAME:PATH:10-20` if that is the citation; otherwise the whole citation.
std::string DefinitionText(const evidence::Citation& citation, const SplitInputs& inputs) {
  std::string whole = evidence::FormatCitation(citation);
  const auto* source = std::get_if<evidence::SourceCitation>(&citation);
  if (source == nullptr || !inputs.find_place || source->path.empty() ||
      source->path.find('"') != std::string::npos) {
    return whole;
  }
  for (const evidence::Pin& pin : inputs.lock.pins) {
    if (pin.origin != source->origin || source->lines.IsWhole()) continue;
    std::string place =
        fmt::format("{}:{}:{}", pin.name, source->path, evidence::FormatLineRange(source->lines));
    const Result<evidence::Citation> found = inputs.find_place(place);
    if (found.ok() && evidence::FormatCitation(*found) == whole) return place;
  }
  return whole;
}

class PageSplitter {
 public:
  explicit PageSplitter(const SplitInputs& inputs)
      : inputs_(inputs), planned_(SectionsOf(inputs.part)) {
    for (const plan::Section& section : planned_) {
      for (const plan::Text& point : section.points) {
        generated_.insert(FoldedPoint(PlainPoint(point.text)));
      }
    }
  }

  Result<std::vector<AgentSection>> Split(std::string_view page) {
    for (KeptLabel& label : ReadLabels(page)) {
      labels_.try_emplace(std::move(label.id), std::move(label.citation));
    }
    FenceTracker fences;
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(page)) {
      ++number;
      const bool is_outside = fences.Take(line) == FencePart::kOutside;
      const std::size_t level = is_outside ? HeadingLevel(line) : 0;
      if (level == 1 || level == 2) {
        SIBYL_TRY(BeginPart(line, level, number));
      } else {
        SIBYL_TRY(Take(line, number));
      }
    }
    return Finish();
  }

 private:
  enum class Where { kHead, kSection, kNotFound, kSources };

  Status BeginPart(std::string_view line, std::size_t level, std::size_t number) {
    if (level == 1) {
      return number == 1 ? Status() : Unknown(line, number);
    }
    const std::string title = FoldedPoint(line.substr(level));
    if (title == kNotFoundHeading) where_ = Where::kNotFound;
    if (title == kSourcesHeading) where_ = Where::kSources;
    if (title == kNotFoundHeading || title == kSourcesHeading) return {};
    for (std::size_t i = 0; i < planned_.size(); ++i) {
      if (FoldedPoint(planned_[i].title) != title || bodies_.contains(i)) continue;
      where_ = Where::kSection;
      place_ = i;
      bodies_[i];
      return {};
    }
    return Unknown(line, number);
  }

  Status Take(std::string_view line, std::size_t number) {
    switch (where_) {
      case Where::kSection:
        bodies_[place_].emplace_back(line);
        return {};
      case Where::kNotFound:
        return TakeMiss(line, number);
      case Where::kSources:
        if (Trim(line).empty() || evidence::FootnoteId(line)) return {};
        return Unknown(line, number);
      case Where::kHead:
        break;
    }
    const bool is_ours = Trim(line).empty() || line.starts_with("> ") || line.starts_with("|");
    return is_ours ? Status() : Unknown(line, number);
  }

  // Lines of the plan's points are generated; the others are the writer's.
  Status TakeMiss(std::string_view line, std::size_t number) {
    const std::string_view text = Trim(line);
    if (text.empty()) return {};
    const std::size_t end = text.find("*: ");
    if (!text.starts_with("- *") || end == std::string_view::npos) return Unknown(line, number);
    const std::string_view point = text.substr(3, end - 3);
    if (generated_.contains(FoldedPoint(point))) return {};
    misses_.push_back(fmt::format("- {}", Unescaped(point)));
    return {};
  }

  static std::string Unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_escape = text[i] == '\\' && i + 1 < text.size() && IsAsciiMark(text[i + 1]);
      if (!is_escape) plain += text[i];
    }
    return plain;
  }

  static bool IsAsciiMark(char c) {
    return c > ' ' && c < '\x7f' && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') &&
           !(c >= 'A' && c <= 'Z');
  }

  Error Unknown(std::string_view line, std::size_t number) const {
    return {.kind = ErrorKind::kUsage,
            .message = fmt::format("revising {}: line {} is in no section of the plan: {}",
                                   inputs_.part.target, number, line.substr(0, 80)),
            .hint = "the page was edited by hand, or its plan was: give both the same sections"};
  }

  std::vector<AgentSection> Finish() {
    std::vector<AgentSection> sections;
    for (auto& [place, lines] : bodies_) {
      while (!lines.empty() && Trim(lines.back()).empty()) lines.pop_back();
      const auto first = std::find_if(lines.begin(), lines.end(),
                                      [](const std::string& line) { return !Trim(line).empty(); });
      lines.erase(lines.begin(), first);
      const bool is_empty = lines.size() == 1 && lines.front() == kSeeNotFound;
      sections.push_back({.place = place, .text = is_empty ? std::string() : BodyOf(lines)});
    }
    AddMisses(sections);
    for (AgentSection& section : sections) AddDefinitions(section);
    return sections;
  }

  static std::string BodyOf(const std::vector<std::string>& lines) {
    return lines.empty() ? std::string() : Join(lines, "\n") + "\n";
  }

  void AddMisses(std::vector<AgentSection>& sections) const {
    if (misses_.empty() || sections.empty()) return;
    std::string& text = sections.back().text;
    if (!text.empty()) text += "\n";
    text += "### Not found\n\n" + Join(misses_, "\n") + "\n";
  }

  // The places that a section cites, in the order of their first mark.
  void AddDefinitions(AgentSection& section) const {
    std::set<std::string, std::less<>> seen;
    std::string definitions;
    const std::string_view text = section.text;
    for (std::size_t at = text.find("[^"); at != std::string_view::npos; at = text.find("[^", at)) {
      const std::string_view mark = text.substr(at + 2, kLongestLabel);
      const std::string_view id = mark.substr(0, mark.find(']'));
      const auto label = labels_.find(id);
      if (label != labels_.end() && seen.emplace(id).second) {
        definitions += fmt::format("[^{}]: {}\n", id, DefinitionText(label->second, inputs_));
      }
      at += 2;
    }
    if (!definitions.empty()) section.text += "\n" + definitions;
  }

  const SplitInputs& inputs_;
  std::vector<plan::Section> planned_;
  std::set<std::string, std::less<>> generated_;  // points of the plan, folded
  std::map<std::string, evidence::Citation, std::less<>> labels_;
  std::map<std::size_t, std::vector<std::string>> bodies_;  // by section
  std::vector<std::string> misses_;
  Where where_ = Where::kHead;
  std::size_t place_ = 0;
};

}  // namespace

std::vector<KeptLabel> ReadLabels(std::string_view page) {
  std::vector<KeptLabel> labels;
  FenceTracker fences;
  for (const std::string_view line : SplitLines(page)) {
    if (fences.Take(line) != FencePart::kOutside || !evidence::FootnoteId(line)) continue;
    Result<evidence::Footnote> note = evidence::ParseFootnote(line);
    if (note.ok()) labels.push_back({std::move(note->id), std::move(note->citation)});
  }
  return labels;
}

Result<std::vector<AgentSection>> SplitPage(std::string_view page, const SplitInputs& inputs) {
  return PageSplitter(inputs).Split(page);
}

}  // namespace sibyl::draft
