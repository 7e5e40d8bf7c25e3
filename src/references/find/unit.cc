// SPDX-License-Identifier: Apache-2.0
#include "references/find/unit.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"

namespace sibyl::references {
namespace {

// The first run of the statement that is inside the link; null if there is none.
const statement::TextRun* RunOfLink(const statement::Statement& statement,
                                    const statement::StatementLink& link) {
  const auto run = std::lower_bound(
      statement.runs.begin(), statement.runs.end(), link.span.begin,
      [](const statement::TextRun& one, std::size_t at) { return one.source_begin < at; });
  if (run == statement.runs.end() || run->source_begin >= link.span.end) return nullptr;
  return &*run;
}

bool IsBesideHit(const Unit& unit, const FileMention& file) {
  constexpr std::size_t kBeside = 20;
  return std::any_of(unit.hits.begin(), unit.hits.end(), [&](const Hit& hit) {
    if (hit.link != nullptr) return false;
    return hit.begin >= file.end ? hit.begin - file.end <= kBeside
                                 : file.begin >= hit.end && file.begin - hit.end <= kBeside;
  });
}

// "writes `settings.json` (home.rs:20)": code has the names of the files that it
// reads and writes, in quotation marks.
void AddDataFiles(Unit& unit) {
  constexpr auto kData =
      std::to_array<std::string_view>({"json", "toml", "yaml", "yml", "db", "sqlite", "log", "txt",
                                       "csv", "ini", "html", "sql", "conf", "lock"});
  for (const FileMention& file : unit.files) {
    const std::string_view path = file.path;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::string_view extension = name.substr(name.rfind('.') + 1);
    if (std::find(kData.begin(), kData.end(), extension) == kData.end()) continue;
    const bool is_cited = std::find(unit.paths.begin(), unit.paths.end(), path) != unit.paths.end();
    if (is_cited || !IsBesideHit(unit, file)) continue;
    unit.names.push_back({.name = {.text = std::string(name), .kind = ClaimedName::Kind::kQuote},
                          .begin = file.begin,
                          .end = file.end});
  }
  std::stable_sort(unit.names.begin(), unit.names.end(),
                   [](const NamedPlace& a, const NamedPlace& b) { return a.begin < b.begin; });
}

}  // namespace

TextSpan SpanOf(const Unit& unit, const Hit& hit) {
  if (hit.link == nullptr) return {hit.begin, hit.end};
  const statement::TextRun* run = RunOfLink(*unit.statement, *hit.link);
  return run == nullptr ? TextSpan{} : TextSpan{run->begin, run->end};
}

void AddLinkedFiles(Unit& unit) {
  const std::size_t written = unit.files.size();
  for (const statement::StatementLink& link : unit.statement->links) {
    std::string path = LinkedPath(link.url);
    if (path.empty()) continue;
    const statement::TextRun* run = RunOfLink(*unit.statement, link);
    if (run == nullptr) continue;
    const auto end = unit.files.begin() + static_cast<std::ptrdiff_t>(written);
    const auto named =
        std::lower_bound(unit.files.begin(), end, run->begin,
                         [](const FileMention& file, std::size_t at) { return file.end <= at; });
    if (named != end && named->begin < run->end) {
      // [`reader.go:26`](../api/reader.go)
      if (path.ends_with("/" + named->path)) named->path = std::move(path);
      continue;
    }
    unit.files.push_back({.begin = run->begin, .end = run->end, .path = std::move(path)});
  }
  std::sort(unit.files.begin(), unit.files.end(),
            [](const FileMention& a, const FileMention& b) { return a.begin < b.begin; });
}

void AddSpacedFiles(Unit& unit, const IsKnownFile& is_known) {
  if (!is_known) return;
  for (const statement::TextRun& run : unit.statement->runs) {
    if (!run.is_code) continue;
    const std::string_view code =
        std::string_view(unit.statement->text).substr(run.begin, run.end - run.begin);
    const std::size_t colon = code.rfind(':');
    if (colon == std::string_view::npos || colon + 1 >= code.size()) continue;
    const std::string_view path = code.substr(0, colon);
    const bool is_unusual =
        std::any_of(path.begin(), path.end(), [](char c) { return c == ' ' || (c & 0x80) != 0; });
    if (!is_unusual || !IsDigit(code[colon + 1]) || !LooksLikeFile(path) || !is_known(path)) {
      continue;
    }
    std::erase_if(unit.files, [&](const FileMention& file) {
      return file.begin < run.begin + colon && file.end > run.begin;
    });
    unit.files.push_back({.begin = run.begin, .end = run.begin + colon, .path = std::string(path)});
  }
  std::sort(unit.files.begin(), unit.files.end(),
            [](const FileMention& a, const FileMention& b) { return a.begin < b.begin; });
}

void AddLinks(Unit& unit) {
  for (const statement::StatementLink& link : unit.statement->links) {
    if (link.is_image) continue;
    std::optional<Hit> hit = ScanLink(link);
    if (!hit) continue;
    unit.paths.push_back(hit->file->path);
    unit.hits.push_back(*std::move(hit));
  }
}

void AddNames(Unit& unit) {
  for (const FileMention& file : unit.files) unit.excluded.push_back({file.begin, file.end});
  for (const Hit& hit : unit.hits) {
    if (hit.link == nullptr) unit.excluded.push_back({hit.begin, hit.end});
  }
  std::sort(unit.excluded.begin(), unit.excluded.end(),
            [](const TextSpan& a, const TextSpan& b) { return a.end < b.end; });
  if (!unit.statement->IsProse()) return;
  unit.names = NamesIn(*unit.statement, unit.excluded);
  AddDataFiles(unit);
}

std::size_t ColumnOf(std::string_view line) {
  constexpr std::size_t kLongestIndent = 200;
  line = line.substr(0, kLongestIndent);
  std::size_t column = 0;
  while (column < line.size() && (line[column] == ' ' || line[column] == '>')) ++column;
  std::size_t mark = column;
  while (mark < line.size() && IsDigit(line[mark])) ++mark;
  if (mark < line.size() && (line[mark] == '-' || line[mark] == '*' || line[mark] == '+' ||
                             (mark > column && (line[mark] == '.' || line[mark] == ')')))) {
    if (mark + 1 < line.size() && line[mark + 1] == ' ') column = mark + 2;
  }
  return column + 1;
}

}  // namespace sibyl::references
