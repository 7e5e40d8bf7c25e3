// SPDX-License-Identifier: Apache-2.0
#include "references/find/file_context.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::references {
namespace {

// " of the file ", " in ", " (": what may be between a number and its file.
bool JoinsToFile(std::string_view between) {
  if (between.size() > 24) return false;
  if (Trim(between) == "(" || Trim(between) == "@") return true;
  bool joins = false;
  std::size_t at = 0;
  while (at < between.size()) {
    if (!IsLetter(between[at])) {
      if (between[at] == '.' || between[at] == ';') return false;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < between.size() && IsLetter(between[end])) ++end;
    const std::string word = LowerCase(between.substr(at, end - at));
    if (word == "of" || word == "in" || word == "from" || word == "inside" || word == "within") {
      joins = true;
    } else if (word != "the" && word != "file" && word != "at") {
      return false;
    }
    at = end;
  }
  return joins;
}

// "**Location**: `src/a.rs:12`", "File: `src/a.rs`"
bool SaysWhere(std::string_view text) {
  constexpr auto kLabels =
      std::to_array<std::string_view>({"file", "files", "file path", "location", "path", "source",
                                       "source file", "where", "module", "component"});
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon > 16) return false;
  std::string_view label = Trim(text.substr(0, colon));
  while (!label.empty() && !IsLetter(label.front())) label.remove_prefix(1);
  return IsOneOf(LowerCase(label), kLabels);
}

}  // namespace

FileContext::FileContext(const std::vector<statement::SectionHeading>& headings,
                         std::string of_numbers)
    : heading_paths_(headings.size()), of_numbers_(std::move(of_numbers)) {
  parents_.reserve(headings.size());
  for (const statement::SectionHeading& heading : headings) parents_.push_back(heading.parent);
}

void FileContext::SetHeading(std::uint32_t heading, const std::vector<FileMention>& files) {
  if (files.size() == 1) heading_paths_[heading] = files.front().path;
}

void FileContext::NoteListed(const statement::Statement& statement, std::string_view heading,
                             const std::vector<FileMention>& files) {
  constexpr std::size_t kLongestTitle = 30;
  if (files.empty() || statement.kind == statement::StatementKind::kHeading) return;
  if (heading.size() > kLongestTitle || !Contains(LowerCase(heading), "file")) return;
  if (statement.heading == 0 || statement.heading >= parents_.size()) return;
  Listed& listed = listed_[parents_[statement.heading]];
  for (const FileMention& file : files) {
    listed.is_single = listed.is_single && (listed.path.empty() || listed.path == file.path);
    listed.path = file.path;
  }
}

void FileContext::Enter(const statement::Statement& statement, std::size_t column) {
  group_ = statement.group;
  column_ = column;
  if (statement.heading != heading_) {
    heading_ = statement.heading;
    scopes_.clear();
    cited_.clear();
    meant_.clear();
    cites_several_ = false;
    citing_groups_ = 0;
    of_section_.clear();
  }
  while (!scopes_.empty() && scopes_.back().group != group_ && scopes_.back().column >= column) {
    const Scope left = std::move(scopes_.back());
    scopes_.pop_back();
    if (!left.is_place || !left.is_single || left.path.empty()) continue;
    (scopes_.empty() ? of_section_ : scopes_.back().of_items) = left.path;
  }
}

void FileContext::Cite(const std::string& path) {
  if (path.empty()) return;
  cites_several_ = cites_several_ || (!cited_.empty() && cited_ != path);
  cited_ = path;
  meant_ = path;
  if (citing_groups_ == 0 || citing_group_ != group_) ++citing_groups_;
  citing_group_ = group_;
}

void FileContext::Leave(const statement::Statement& statement,
                        const std::vector<FileMention>& files) {
  // A row says nothing about the next one.
  if (statement.kind == statement::StatementKind::kCell) return;
  const bool is_same = !scopes_.empty() && scopes_.back().group == statement.group;
  if (!is_same) {
    scopes_.push_back({.column = column_, .group = statement.group});
  }
  Scope& scope = scopes_.back();
  for (const FileMention& file : files) {
    scope.is_single = scope.is_single && (scope.path.empty() || scope.path == file.path);
    scope.path = file.path;
  }
  scope.is_place = scope.is_place || SaysWhere(statement.text);
  if (files.size() == 1 && scope.is_single) meant_ = files.front().path;
}

std::string FileContext::Beside() const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (scope->group != group_ && !scope->of_items.empty()) return scope->of_items;
  }
  return of_section_;
}

const FileContext::Scope* FileContext::NearestScope() const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    if (!scope->path.empty()) return &*scope;
  }
  return nullptr;
}

std::string FileContext::Before() const {
  const Scope* scope = NearestScope();
  if (scope == nullptr) return {};
  return scope->group == group_ || scope->is_single ? scope->path : std::string();
}

std::string FileContext::Outside() const {
  if (NearestScope() != nullptr) return Before();
  if (std::string beside = Beside(); !beside.empty()) return beside;
  // Headings have their parents before them, so this ends.
  for (std::uint32_t at = heading_; at != 0 && at < parents_.size(); at = parents_[at]) {
    if (!heading_paths_[at].empty()) return heading_paths_[at];
    const auto listed = listed_.find(parents_[at]);
    if (listed != listed_.end() && parents_[at] != 0 && listed->second.is_single) {
      return listed->second.path;
    }
  }
  return cites_several_ || citing_groups_ < 2 ? of_numbers_ : cited_;
}

const FileMention* FileInStatement(std::string_view text, const Hit& hit,
                                   const std::vector<FileMention>& files) {
  const auto after =
      std::lower_bound(files.begin(), files.end(), hit.end,
                       [](const FileMention& file, std::size_t at) { return file.begin < at; });
  // ":30" goes on with the file before it.
  const bool goes_on = hit.form == Form::kBare && !files.empty() && files.front().end <= hit.begin;
  if (!goes_on && after != files.end() &&
      JoinsToFile(text.substr(hit.end, after->begin - hit.end))) {
    return &*after;
  }
  const auto later =
      std::lower_bound(files.begin(), files.end(), hit.begin,
                       [](const FileMention& file, std::size_t at) { return file.begin < at; });
  return later == files.begin() ? nullptr : &*std::prev(later);
}

}  // namespace sibyl::references
