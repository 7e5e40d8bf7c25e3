// SPDX-License-Identifier: Apache-2.0
#include "library/drop.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/strings.h"
#include "library/page_text.h"
#include "plan/oracle_files.h"
#include "plan/starter.h"

namespace sibyl::library {
namespace {

constexpr std::string_view kPrefix = "KNOWLEDGE-DROP-";

// "KNOWLEDGE-DROP-gpu-builds-2025-02-03-[TIME].md": the text between the prefix
// and the first date or placeholder for one.
std::string_view SlugInDrop(std::string_view drop) {
  const std::size_t begin = drop.find(kPrefix);
  if (begin == std::string_view::npos) return {};
  drop.remove_prefix(begin + kPrefix.size());
  drop = drop.substr(0, drop.find(".md"));
  drop = drop.substr(0, drop.find_first_of("[{<$*("));
  for (std::size_t at = 0; at + 10 <= drop.size(); ++at) {
    if (ParseDate(drop.substr(at, 10))) return drop.substr(0, at);
  }
  return drop;
}

std::string SlugOfTarget(std::string_view target) {
  std::string_view name = target.substr(target.rfind('/') + 1);
  if (name.ends_with(".md")) name.remove_suffix(3);
  if (const auto numbered = plan::ReadNumberedPath(name)) name.remove_prefix(numbered->digits + 1);
  return plan::SlugOf(name);
}

// All of a drop's name before the date.
std::string StemOf(const plan::Part& part) {
  std::string slug = plan::SlugOf(SlugInDrop(part.drop));
  if (slug.empty()) slug = SlugOfTarget(part.target);
  if (slug.empty()) slug = fmt::format("part-{}", part.number);
  return fmt::format("{}{}-", kPrefix, slug);
}

// "2026-11-15.md" is the first of its day, "2026-11-15-2.md" the second.
using DayAndNumber = std::pair<std::string_view, int>;
std::optional<DayAndNumber> ReadDayAndNumber(std::string_view end) {
  constexpr std::size_t kDay = std::string_view("2026-11-15").size();
  if (!end.ends_with(".md")) return std::nullopt;
  end.remove_suffix(3);
  const std::string_view day = end.substr(0, kDay);
  if (!ParseDate(day)) return std::nullopt;
  end.remove_prefix(day.size());
  if (end.empty()) return DayAndNumber(day, 1);
  const std::optional<int> number = end[0] == '-' ? ParseNumber<int>(end.substr(1)) : std::nullopt;
  if (!number || *number < 2) return std::nullopt;
  return DayAndNumber(day, *number);
}

std::string Head(const plan::Part& part, std::string_view title, std::string_view status,
                 const DropPlace& place) {
  return fmt::format("# KNOWLEDGE DROP: {}\n\n- **Runner**: PART {}, {}\n- **Time**: {} UTC\n",
                     PlainLine(title), part.number, status, FormatDateTime(place.time));
}

std::string Sources(const draft::Draft& draft) {
  if (draft.sources.empty()) return "No source was used.\n";
  std::string table =
      "| source | pin | citations | origin |\n"
      "| --- | --- | ---: | --- |\n";
  for (const draft::UsedSource& source : draft.sources) {
    table += fmt::format("| {} | {} | {} | {} |\n", PlainLine(source.name), PlainLine(source.pin),
                         source.citations, PlainLine(source.origin));
  }
  return table;
}

// Of a source that collects pages: which of them are cited, out of the lines
// under "Sources", "[^id]: [Title](URL#…), accessed DATE <!-- web:…".
std::string PagesUsed(const draft::Draft& draft) {
  struct Page {
    std::string title;
    std::string url;
    std::size_t citations = 0;
  };
  std::vector<Page> pages;
  for (const std::string_view line : SplitLines(draft.text)) {
    const std::size_t open = line.find("]: [");
    const std::size_t middle = line.find("](", open);
    if (!line.starts_with("[^") || middle == std::string_view::npos ||
        line.find("<!-- web:") == std::string_view::npos) {
      continue;
    }
    const std::string_view target = line.substr(middle + 2);
    std::string url(target.substr(0, target.find_first_of("#)")));
    auto page = std::find_if(pages.begin(), pages.end(),
                             [&](const Page& known) { return known.url == url; });
    if (page == pages.end()) {
      page = pages.insert(
          pages.end(),
          {.title = std::string(line.substr(open + 4, middle - open - 4)), .url = std::move(url)});
    }
    ++page->citations;
  }
  if (pages.empty()) return {};
  std::string list = "\nPages among them:\n\n";
  for (const Page& page : pages) {
    list += fmt::format("- {}: {} ({})\n", PlainLine(page.title), PlainLine(page.url, 1'000),
                        Count(page.citations, "citation"));
  }
  return list;
}

// What was written and is not in the file, whole.
std::string LeftOut(const std::vector<draft::Omission>& omissions) {
  constexpr std::size_t kMostText = 40'000;
  std::string lost;
  std::string corrected;
  for (const draft::Omission& omission : omissions) {
    (omission.kind == draft::LossKind::kCorrected ? corrected : lost) +=
        fmt::format("- {}{}: {}\n", PlainLine(omission.text, kMostText),
                    omission.point.empty() ? "" : " (" + PlainLine(omission.point) + ")",
                    PlainLine(omission.reason, 1'000));
  }
  std::string text;
  if (!lost.empty()) text += "\n## Left out\n\nWritten for this file and not in it:\n\n" + lost;
  if (!corrected.empty()) {
    text += "\n## Corrected\n\nRefused as first written, with the reason:\n\n" + corrected;
  }
  return text;
}

}  // namespace

bool IsDropName(std::string_view name) {
  return name.starts_with(kPrefix) && name.ends_with(".md");
}

std::string DropName(const plan::Part& part, Time time) {
  return fmt::format("{}{}.md", StemOf(part), FormatDate(time));
}

std::string NewestDrop(const std::vector<std::string>& files, const plan::Part& part) {
  const std::string stem = StemOf(part);
  std::string newest;
  std::optional<DayAndNumber> latest;
  for (const std::string& file : files) {
    if (!file.starts_with(stem)) continue;
    const auto place = ReadDayAndNumber(std::string_view(file).substr(stem.size()));
    if (!place || (latest && *place < *latest)) continue;
    latest = place;
    newest = file;
  }
  return newest;
}

std::string DeliveredDrop(const plan::Part& part, const DeliveredPart& delivered,
                          const DropPlace& place) {
  const draft::Draft& draft = delivered.file.draft();
  const std::size_t points = draft::PointCount(draft);
  const std::size_t covered = draft::CoveredCount(draft);
  std::string text =
      Head(part, draft.title, fmt::format("writer {}", PlainLine(delivered.writer, 60)), place);
  text += fmt::format("- **Status**: {}\n- **File**: [{}]({}), {} lines, {} citations\n",
                      covered == points ? "complete" : "delivered, with open points",
                      PlainLine(draft.path), LinkFrom(place.folder, draft.path),
                      SplitLines(draft.text).size(), delivered.file.citations());
  text += fmt::format("- **Coverage**: {} of {}\n\n## Sources used\n\n{}", covered,
                      Count(points, "point"), Sources(draft) + PagesUsed(draft));
  std::string found;
  std::string open;
  for (const draft::DraftSection& section : draft.sections) {
    for (const draft::Coverage& point : section.points) {
      if (point.where) {
        found += fmt::format("| {} | {}{} |\n", PlainLine(point.point), PlainLine(*point.where),
                             point.is_contradicted ? ", contradicted by the sources" : "");
        continue;
      }
      open += fmt::format("- {} ({}){}\n", PlainLine(point.point), PlainLine(section.title, 100),
                          point.nearest.empty() ? "" : ": " + PlainLine(point.nearest));
    }
  }
  if (!found.empty()) text += "\n## Covered\n\n| planned | covered by |\n| --- | --- |\n" + found;
  text += "\n## Not found\n\n" + (open.empty() ? "Every point is covered.\n" : open);
  return text + LeftOut(draft.omissions);
}

std::string RevisionInDrop(const DeliveredPart& delivered, Time time) {
  const draft::Draft& draft = delivered.file.draft();
  const std::size_t points = draft::PointCount(draft);
  std::string text = fmt::format(
      "## Revised {} UTC\n\n- **Runner**: writer {}\n- **File**: {} lines, {} citations\n"
      "- **Coverage**: {} of {}\n",
      FormatDateTime(time), PlainLine(delivered.writer, 60), SplitLines(draft.text).size(),
      delivered.file.citations(), draft::CoveredCount(draft), Count(points, "point"));
  std::vector<std::string> sources;
  for (const draft::UsedSource& source : draft.sources) {
    sources.push_back(
        fmt::format("{} {} ({})", PlainLine(source.name), PlainLine(source.pin), source.citations));
  }
  if (!sources.empty()) {
    text += fmt::format("- **Sources used**: {}\n", fmt::join(sources, ", "));
  }
  for (const draft::DraftSection& section : draft.sections) {
    for (const draft::Coverage& point : section.points) {
      if (point.where) continue;
      text += fmt::format("- **Not found**: {} ({})\n", PlainLine(point.point),
                          PlainLine(section.title, 100));
    }
  }
  return text;
}

std::string FailedDrop(const plan::Part& part, const FailedPart& failed, const DropPlace& place) {
  const std::string title = part.title.empty() ? part.target : part.title;
  return Head(part, title, "no file", place) +
         fmt::format("- **Status**: failed\n- **Wanted**: {}\n- **Reason**: {}\n",
                     part.target.empty() ? "no target" : PlainLine(part.target),
                     PlainLine(failed.reason, 1'000)) +
         LeftOut(failed.omissions);
}

std::string WithMovedLink(std::string_view drop, std::string_view from, std::string_view to) {
  constexpr std::string_view kLine = "\n- **File**: [";
  const auto up = [](std::string_view folder) {
    std::string steps = "../";
    for (const char c : folder) steps += c == '/' ? "../" : "";
    return steps;
  };
  const std::size_t line = drop.find(kLine);
  const std::size_t link = line == drop.npos ? drop.npos : drop.find("](", line);
  const std::size_t end = line == drop.npos ? drop.npos : drop.find('\n', line + 1);
  const std::string before = up(from);
  const bool is_from_there = link != drop.npos && link < end &&
                             drop.substr(link + 2).starts_with(before) &&
                             !drop.substr(link + 2 + before.size()).starts_with("../");
  std::string moved(drop);
  return is_from_there ? moved.replace(link + 2, before.size(), up(to)) : moved;
}

}  // namespace sibyl::library
