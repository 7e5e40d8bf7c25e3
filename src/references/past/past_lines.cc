// SPDX-License-Identifier: Apache-2.0
#include "references/past/past_lines.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "references/file_tree.h"

namespace sibyl::references {
namespace {

std::size_t Distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

// Whether half of the cited range still has the lines that were meant.
bool HasHalf(const LineRange& cited, const LineRange& now) {
  if (!Overlap(cited, now)) return false;
  const std::size_t common = std::min(cited.last, now.last) - std::max(cited.first, now.first) + 1;
  return 2 * common >= cited.last - cited.first + 1;
}

// What was around lines that are gone is far away, on both sides.
bool IsElsewhere(const LineMap::Shifts& around) {
  constexpr std::ptrdiff_t kFar = 8;
  return around.before && around.after && std::abs(*around.before) > kFar &&
         std::abs(*around.after) > kFar;
}

// Whether the lines have the nearest name, and hardly any other place of the file
// has it.
bool HoldsClearly(const Claim& claim, const Sighting& sighting) {
  constexpr double kVeryRare = 0.15;
  if (sighting.fit != Fit::kHolds || sighting.deciding >= claim.names.size()) return false;
  for (std::size_t i = 0; i < sighting.deciding; ++i) {
    if (claim.names[i].is_own && !claim.names[i].is_part && sighting.names[i].is_in_file) {
      return false;
    }
  }
  const NameSighting& one = sighting.names[sighting.deciding];
  return claim.names[sighting.deciding].is_own && one.proof >= Proof::kUse &&
         one.chance <= kVeryRare && !one.is_only_body;
}

}  // namespace

void PastLines::Follow(const TreeFile& current, const LineRange& lines, LineMaps& maps) {
  if (file.blob == current.blob) {
    now = LineMap::Mapped{.lines = lines, .is_exact = true};
    movement = Movement::kNone;
    return;
  }
  const std::shared_ptr<const LineMap> map =
      maps.Between({*file.file, file.blob}, {*current.file, current.blob});
  now = map->After(lines);
  if (!now) {
    const std::optional<std::ptrdiff_t> shift = map->ShiftAround(lines);
    if (!shift) {
      if (IsElsewhere(map->ShiftsAround(lines)) || IsReplaced(*file.file, *current.file, lines)) {
        movement = Movement::kMoved;
      }
      return;
    }
    // The lines were changed where they are, or while they moved with their
    // neighbours.
    if (static_cast<std::size_t>(std::abs(*shift)) <= kNear) {
      movement = Movement::kNone;
      return;
    }
    const auto at = [&](std::size_t line) {
      return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(line) + *shift);
    };
    now = LineMap::Mapped{.lines = {at(lines.first), at(lines.last)}};
  }
  if (Distance(now->lines.first, lines.first) <= kNear &&
      Distance(now->lines.last, lines.last) <= kNear) {
    movement = Movement::kNone;
  } else {
    movement = HasHalf(lines, now->lines) ? Movement::kShifted : Movement::kMoved;
  }
}

NamedFile FileThen(const Repository& repository, const git::ObjectId& commit,
                   const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    TreeFile file = repository.FileAt(commit, name);
    if (file.file) return {.path = name, .file = std::move(file)};
  }
  return {.path = names.front()};
}

std::optional<PastLines> LookBack(const Repository& repository,
                                  const std::vector<std::string>& names,
                                  const CitingDocument& document, const Reference& reference,
                                  LineMaps& maps) {
  std::optional<PastLines> found;
  const TreeFile now = repository.File(names.front());
  std::vector<git::ObjectId> commits = document.versions.WrittenIn(document.text, reference);
  std::optional<git::ObjectId> base;
  if (document.bases != nullptr && !commits.empty()) {
    const auto known = document.bases->find(commits.front());
    if (known != document.bases->end()) base = known->second;
  }
  if (base) commits.insert(commits.begin(), *base);
  for (const git::ObjectId& commit : commits) {
    NamedFile named = FileThen(repository, commit, names);
    PastLines then{.commit = commit, .path = std::move(named.path), .file = std::move(named.file)};
    then.is_base = base == commit;
    if (!then.file.file) {
      const std::vector<std::string> candidates = ResolvePath(
          *repository.PathsAt(commit),
          {.written = reference.path, .document = document.path, .base = reference.base});
      if (candidates.size() != 1) continue;
      then.path = candidates.front();
      then.file = repository.FileAt(commit, then.path);
    }
    if (!then.file.file || reference.lines.last > then.file.file->line_count()) continue;
    then.sighting = LookAt(reference.claim, *then.file.file, reference.lines);
    const bool is_better = !found || (!found->held() && then.held());
    if (!is_better) continue;
    if (now.file) then.Follow(now, reference.lines, maps);
    found = std::move(then);
    if (found->held()) break;
  }
  return found;
}

std::optional<PastLines> EarlierVersion(const Repository& repository, const BeforeCitation& before,
                                        const TreeFile& now, const Reference& reference,
                                        LineMaps& maps) {
  for (const Repository::EarlierFile& earlier :
       repository.FilesBefore(before.commit, before.names)) {
    if (!earlier.file.file || reference.lines.last > earlier.file.file->line_count()) continue;
    PastLines then{.commit = earlier.commit, .path = earlier.path, .file = earlier.file};
    then.sighting = LookAt(reference.claim, *then.file.file, reference.lines);
    if (before.must_hold && !HoldsClearly(reference.claim, then.sighting)) continue;
    then.Follow(now, reference.lines, maps);
    return then;
  }
  return std::nullopt;
}

}  // namespace sibyl::references
