// SPDX-License-Identifier: Apache-2.0
#include "references/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/line_span.h"
#include "evidence/origins/permalink.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kContextLines = 3;

// Citations share bytes where one range of a list ends and the next begins, and
// where two forms of one citation were found; the first edit of a place counts.
void SortEdits(std::vector<Edit>& edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::vector<Edit> apart;
  for (Edit& edit : edits) {
    if (apart.empty() || apart.back().end <= edit.begin) apart.push_back(std::move(edit));
  }
  edits = std::move(apart);
}

// What was wrong from the start may mean something else altogether.
bool IsCorrected(const Judged& judged) {
  return IsNotOk(judged.status) && judged.status != CitationStatus::kWrong && judged.is_certain &&
         judged.suggestion && judged.suggestion->path == judged.target.path &&
         !judged.suggestion->lines.IsWhole();
}

// All numbers are written, so that none keeps its old value.
bool HasAllNumbers(const Reference& reference) {
  const auto count = [&](bool is_last) {
    return std::count_if(reference.numbers.begin(), reference.numbers.end(),
                         [&](const NumberPlace& place) { return place.is_last == is_last; });
  };
  return count(false) > 0 &&
         (reference.lines.first == reference.lines.last || count(true) == count(false));
}

LineRange LinesNow(const CheckedReference& checked) {
  return IsCorrected(checked.judged) ? checked.judged.suggestion->lines : checked.reference.lines;
}

// "19,20" must not become "24,24", nor "40,12" of "12,40": different numbers of a list are
// different places, in the order that its writer chose.
bool MayFollow(const CheckedReference& before, const CheckedReference& after) {
  const std::size_t was = before.reference.lines.first;
  const std::size_t was_next = after.reference.lines.first;
  const std::size_t now = LinesNow(before).first;
  const std::size_t now_next = LinesNow(after).first;
  return was == was_next ? now == now_next
                         : (was < was_next) == (now < now_next) && now != now_next;
}

// Where lists begin of which not every number is known to be right, or can be
// corrected: half a list looks as if all of it had been checked.
std::set<std::size_t> ListsToKeep(const CheckedDocument& document) {
  std::map<std::size_t, std::vector<const CheckedReference*>> lists;
  for (const CheckedReference& checked : document.references) {
    lists[checked.reference.begin].push_back(&checked);
  }
  std::set<std::size_t> kept;
  for (const auto& [begin, list] : lists) {
    if (list.size() < 2) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const bool is_known = list[i]->judged.status == CitationStatus::kHolds ||
                            (IsCorrected(list[i]->judged) && HasAllNumbers(list[i]->reference));
      if (!is_known || (i > 0 && !MayFollow(*list[i - 1], *list[i]))) kept.insert(begin);
    }
  }
  return kept;
}

bool DefinesOnce(const Repository& repository, const Judged& judged) {
  if (judged.symbol.empty()) return false;
  const TreeFile file = repository.File(judged.target.path);
  return file.file && OnlyDefinition(file.file->UsesOf(judged.symbol)) != nullptr;
}

// "https://forge/blob/COMMIT/path#L10-L20"
std::string PermalinkOf(const DurableOptions& options, const Target& target) {
  const std::optional<git::ObjectId> commit = git::ObjectId::FromHex(options.commit);
  if (options.origin.empty() || !commit) return {};
  return evidence::Permalink({.origin = options.origin,
                              .anchor = evidence::SourceCitation::Anchor::kCommit,
                              .anchor_id = *commit,
                              .path = target.path,
                              .lines = target.lines});
}

void AddLine(std::string& diff, char mark, std::string_view line) {
  diff += mark;
  diff += line;
  if (!line.ends_with('\n')) diff += "\n\\ No newline at end of file\n";
}

}  // namespace

std::vector<Edit> CorrectNumbers(const CheckedDocument& document) {
  if (document.is_record) return {};
  std::vector<Edit> edits;
  const std::set<std::size_t> kept = ListsToKeep(document);
  for (const CheckedReference& checked : document.references) {
    if (!IsCorrected(checked.judged) || !HasAllNumbers(checked.reference)) continue;
    if (kept.contains(checked.reference.begin)) continue;
    const LineRange& lines = checked.judged.suggestion->lines;
    for (const NumberPlace& place : checked.reference.numbers) {
      edits.push_back({.begin = place.begin,
                       .end = place.end,
                       .text = fmt::format("{}", place.is_last ? lines.last : lines.first)});
    }
  }
  SortEdits(edits);
  return edits;
}

std::vector<Edit> MakeDurable(const CheckedDocument& document, const Repository& repository,
                              const DurableOptions& options) {
  if (document.is_record) return {};
  std::vector<Edit> edits;
  for (std::size_t i = 0; i < document.references.size(); ++i) {
    const CheckedReference& checked = document.references[i];
    const Reference& reference = checked.reference;
    const bool is_right =
        checked.judged.status == CitationStatus::kHolds || IsCorrected(checked.judged);
    // A list of ranges is one text with several claims.
    const auto is_same_text = [&](std::size_t other) {
      return other < document.references.size() &&
             document.references[other].reference.begin == reference.begin;
    };
    if (!is_right || is_same_text(i + 1) || (i > 0 && is_same_text(i - 1))) continue;
    const bool is_plain = reference.form == Form::kColon && reference.path_end > 0 &&
                          reference.path_end < reference.end && reference.numbers.size() <= 2;
    if (is_plain && DefinesOnce(repository, checked.judged)) {
      edits.push_back({.begin = reference.path_end, .end = reference.end, .text = {}});
    } else if (reference.form == Form::kLink) {
      std::string link =
          PermalinkOf(options, {.path = checked.judged.target.path, .lines = LinesNow(checked)});
      if (!link.empty()) {
        edits.push_back({.begin = reference.begin, .end = reference.end, .text = std::move(link)});
      }
    }
  }
  SortEdits(edits);
  return edits;
}

std::string ApplyEdits(std::string_view document, const std::vector<Edit>& edits) {
  std::string text;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    text += document.substr(at, edit.begin - at);
    text += edit.text;
    at = edit.end;
  }
  text += document.substr(at);
  return text;
}

std::string UnifiedDiff(std::string_view path, std::string_view before, std::string_view after) {
  const std::vector<std::string_view> old_lines = LinesWithEnds(before);
  const std::vector<std::string_view> new_lines = LinesWithEnds(after);
  if (before == after || old_lines.size() != new_lines.size()) return {};
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < old_lines.size(); ++i) {
    if (old_lines[i] != new_lines[i]) changed.push_back(i);
  }
  std::string diff = fmt::format("--- a/{}\n+++ b/{}\n", path, path);
  for (std::size_t i = 0; i < changed.size();) {
    std::size_t last = i;
    while (last + 1 < changed.size() && changed[last + 1] - changed[last] <= 2 * kContextLines) {
      ++last;
    }
    const std::size_t begin = changed[i] > kContextLines ? changed[i] - kContextLines : 0;
    const std::size_t end = std::min(changed[last] + kContextLines + 1, old_lines.size());
    diff += fmt::format("@@ -{},{} +{},{} @@\n", begin + 1, end - begin, begin + 1, end - begin);
    for (std::size_t line = begin; line < end;) {
      if (old_lines[line] == new_lines[line]) {
        AddLine(diff, ' ', old_lines[line++]);
        continue;
      }
      std::size_t stop = line;
      while (stop < end && old_lines[stop] != new_lines[stop]) ++stop;
      for (std::size_t at = line; at < stop; ++at) AddLine(diff, '-', old_lines[at]);
      for (std::size_t at = line; at < stop; ++at) AddLine(diff, '+', new_lines[at]);
      line = stop;
    }
    i = last + 1;
  }
  return diff;
}

}  // namespace sibyl::references
