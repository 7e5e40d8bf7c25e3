// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/known.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/markdown/fence.h"
#include "base/markdown/heading_anchor.h"
#include "base/strings.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

// Precision first: a wrong link to a file that does not cover the point loses
// it.
constexpr double kHeadingShare = 0.8;
constexpr double kBodyShare = 0.8;
constexpr double kNearShare = 0.75;

struct Heading {
  std::size_t level = 0;
  std::string text;
};

std::optional<Heading> ReadHeading(std::string_view line) {
  std::size_t level = 0;
  while (level < line.size() && line[level] == '#') ++level;
  if (level == 0 || level > 6 || level >= line.size() || line[level] != ' ') return std::nullopt;
  return Heading{.level = level, .text = std::string(Trim(line.substr(level)))};
}

bool IsAboutTheFile(std::string_view title) {
  const std::string lower = LowerCase(title);
  return lower == "sources" || lower == "not found" || lower == "references";
}

}  // namespace

KnownSections::KnownSections(const std::vector<KnowledgeFile>& files, std::string_view leave_out,
                             TermReader& reader) {
  for (const KnowledgeFile& file : files) {
    if (file.path == leave_out) continue;
    std::vector<Heading> above;
    FenceTracker fences;
    KnownSection* section = nullptr;
    for (const std::string_view line : SplitLines(file.text)) {
      const bool is_code = fences.Take(line) != FencePart::kOutside;
      std::optional<Heading> heading = is_code ? std::nullopt : ReadHeading(line);
      if (!heading) {
        if (section == nullptr) continue;
        reader.Read(line, section->body);
        section->is_cited = section->is_cited || line.find("[^") != std::string_view::npos;
        continue;
      }
      while (!above.empty() && above.back().level >= heading->level) above.pop_back();
      above.push_back(*heading);
      section = nullptr;
      if (IsAboutTheFile(heading->text)) continue;
      section = &sections_.emplace_back();
      section->path = file.path;
      section->title = std::string(WithoutNumber(heading->text));
      section->anchor = AnchorOf(heading->text);
      for (const Heading& outer : above) reader.Read(outer.text, section->heading);
      section->body = section->heading;
    }
  }
}

const KnownSection* KnownSections::Covering(const PointTerms& terms) const {
  const KnownSection* best = nullptr;
  double best_share = 0;
  for (const KnownSection& section : sections_) {
    if (!section.is_cited || ShareOf(terms.point, section.body) < kBodyShare) continue;
    const double share = ShareOf(terms.point, section.heading);
    if (share < kHeadingShare || share <= best_share) continue;
    best = &section;
    best_share = share;
  }
  return best;
}

std::vector<const KnownSection*> KnownSections::Near(const PointTerms& terms,
                                                     std::size_t limit) const {
  std::vector<std::pair<double, const KnownSection*>> near;
  for (const KnownSection& section : sections_) {
    const double share = ShareOf(terms.point, section.body);
    const double named = ShareOf(terms.point, section.heading);
    if (share >= kNearShare && named > 0) near.emplace_back(share + named, &section);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const KnownSection*> sections;
  for (const auto& [share, section] : near) {
    if (sections.size() == limit) break;
    sections.push_back(section);
  }
  return sections;
}

std::string RelativeLink(std::string_view from, std::string_view to) {
  namespace fs = std::filesystem;
  return fs::path(to).lexically_relative(fs::path(from).parent_path()).generic_string();
}

}  // namespace sibyl::draft
