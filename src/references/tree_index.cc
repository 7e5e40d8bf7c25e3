// SPDX-License-Identifier: Apache-2.0
#include "references/tree_index.h"

#include <algorithm>
#include <functional>

#include "base/ascii.h"
#include "base/markdown/markdown_name.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

// Shorter lines ("return 0;") are written twice by accident.
constexpr std::size_t kDistinctiveLetters = 12;
constexpr std::size_t kNeighbours = 3;
constexpr std::size_t kMaxIndexedBytes = std::size_t{2} << 20;
constexpr std::size_t kMaxTotalBytes = std::size_t{512} << 20;

bool IsDistinctive(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), IsNameByte)) >=
         kDistinctiveLetters;
}

}  // namespace

void TreeIndex::Load() const {
  if (is_loaded_) return;
  is_loaded_ = true;
  std::size_t total = 0;
  for (const std::string& path : repository_.paths().all()) {
    if (HasMarkdownName(path)) continue;
    const TreeFile file = repository_.File(path);
    if (!file.file) continue;
    const std::size_t size = file.file->text().size();
    total += size;
    is_whole_ = is_whole_ && size <= kMaxIndexedBytes && total <= kMaxTotalBytes;
    if (total > kMaxTotalBytes) break;
    if (size > kMaxIndexedBytes) continue;
    paths_.push_back(path);
    files_.push_back(file.file);
    const auto index = static_cast<std::uint32_t>(files_.size() - 1);
    for (std::size_t line = 1; line <= file.file->line_count(); ++line) {
      const std::string_view text = Trim(file.file->Line(line));
      if (!IsDistinctive(text)) continue;
      const auto [known, is_new] =
          lines_.emplace(std::hash<std::string_view>()(text),
                         Line{.file = index, .line = static_cast<std::uint32_t>(line)});
      if (!is_new) known->second.is_unique = false;
    }
  }
}

std::optional<FoundPlace> TreeIndex::FindLines(const CodeFile& old, const LineRange& lines) const {
  const MutexLock lock(mutex_);
  Load();
  struct Vote {
    std::size_t count = 0;
    std::size_t own = 0;    ///< Of lines of the range itself.
    std::size_t first = 0;  ///< Where the range would start.
  };
  std::map<std::pair<std::uint32_t, std::size_t>, Vote> votes;
  std::size_t voters = 0;
  // The neighbours of a short range help to recognise it.
  const std::size_t begin = lines.first > kNeighbours ? lines.first - kNeighbours : 1;
  const std::size_t end = std::min(lines.last + kNeighbours, old.line_count());
  for (std::size_t line = begin; line <= end; ++line) {
    const std::string_view text = Trim(old.Line(line));
    if (!IsDistinctive(text)) continue;
    ++voters;
    const auto found = lines_.find(std::hash<std::string_view>()(text));
    if (found == lines_.end() || !found->second.is_unique) continue;
    const std::size_t first = found->second.line + lines.first;
    if (first <= line) continue;
    Vote& vote = votes[{found->second.file, first - line}];
    vote.first = first - line;
    ++vote.count;
    if (lines.first <= line && line <= lines.last) ++vote.own;
  }
  const auto best = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
    return a.second.count < b.second.count;
  });
  if (best == votes.end() || 2 * best->second.count < voters) return std::nullopt;
  // The neighbours alone do not say where lines are that nobody has any more.
  if (best->second.own == 0) return std::nullopt;
  return FoundPlace{.path = paths_[best->first.first],
                    .lines = {best->second.first, best->second.first + (lines.last - lines.first)}};
}

std::optional<FoundPlace> TreeIndex::FindText(const std::string& squeezed) const {
  if (!IsDistinctive(squeezed)) return std::nullopt;
  const MutexLock lock(mutex_);
  Load();
  if (const auto known = texts_.find(squeezed); known != texts_.end()) return known->second;
  std::optional<FoundPlace> found;
  std::size_t count = 0;
  for (std::size_t i = 0; i < files_.size() && count < 2; ++i) {
    const std::vector<std::size_t>& lines = files_[i]->LinesWith(squeezed);
    count += lines.size();
    if (lines.size() == 1) found = FoundPlace{.path = paths_[i], .lines = {lines[0], lines[0]}};
  }
  if (count != 1) found.reset();
  return texts_.emplace(squeezed, std::move(found)).first->second;
}

bool TreeIndex::HasName(const std::string& name) const {
  const MutexLock lock(mutex_);
  Load();
  if (!is_whole_) return true;
  const auto [known, is_new] = names_.emplace(name, false);
  if (is_new) {
    known->second = std::any_of(files_.begin(), files_.end(),
                                [&](const auto& file) { return Contains(file->text(), name); });
  }
  return known->second;
}

std::optional<FoundPlace> TreeIndex::FindDefinition(const std::string& name) const {
  const MutexLock lock(mutex_);
  Load();
  if (const auto known = definitions_.find(name); known != definitions_.end()) {
    return known->second;
  }
  std::optional<FoundPlace> found;
  std::size_t count = 0;
  for (std::size_t i = 0; i < files_.size() && count < 2; ++i) {
    if (!Contains(files_[i]->text(), name)) continue;
    for (const DefinitionPlace& definition : files_[i]->UsesOf(name).definitions) {
      if (definition.kind == DefinitionPlace::Kind::kMember) continue;
      ++count;
      found = FoundPlace{.path = paths_[i], .lines = definition.lines};
    }
  }
  if (count != 1) found.reset();
  return definitions_.emplace(name, std::move(found)).first->second;
}

}  // namespace sibyl::references
