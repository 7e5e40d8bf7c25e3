// SPDX-License-Identifier: Apache-2.0
// sibyl.toml belongs to people: it is edited as text, never rewritten.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/line_span.h"
#include "base/strings.h"
#include "base/toml_text.h"
#include "evidence/config.h"
#include "evidence/origins/toolkit.h"

namespace sibyl::evidence {
namespace {

constexpr const char* kFile = "sibyl.toml";

Error Usage(std::string message, std::string hint) {
  return Error{.kind = ErrorKind::kUsage, .message = std::move(message), .hint = std::move(hint)};
}

bool IsBlankOrComment(std::string_view line) {
  return Trim(line).empty() || Trim(line).starts_with('#');
}

// A line that looks like a table's header. One inside a multi-line string or
// list would look the same; the caller parses the result to be sure.
bool IsHeader(std::string_view line) { return Trim(line).starts_with('['); }

bool SameSpec(const SourceSpec& a, const SourceSpec& b) {
  return a.name == b.name && a.kind == b.kind && a.origin == b.origin && a.ref == b.ref &&
         a.filter == b.filter && a.urls == b.urls && a.has_history == b.has_history;
}

bool IsSameLess(const SourceConfig& after, const SourceConfig& before, std::string_view name) {
  std::vector<SourceSpec> expected = before.sources;
  std::erase_if(expected, [name](const SourceSpec& spec) { return spec.name == name; });
  return std::equal(after.sources.begin(), after.sources.end(), expected.begin(), expected.end(),
                    SameSpec);
}

std::string FormatOrigin(const SourceSpec& spec) {
  if (const auto toolkit = ParseToolkitOrigin(spec.origin)) {
    return fmt::format("toolkit = {}\nversion = {}", TomlString(toolkit->name),
                       TomlString(toolkit->version));
  }
  const bool is_list = spec.kind == SourceKind::kPage && spec.urls.size() != 1;
  return fmt::format("{} = {}", SourceKindName(spec.kind),
                     is_list ? TomlStrings(spec.urls) : TomlString(spec.origin));
}

std::string FormatTable(const SourceSpec& spec) {
  std::string table =
      fmt::format("[[source]]\nname = {}\n{}\n", TomlString(spec.name), FormatOrigin(spec));
  const SourceFilter& filter = spec.filter;
  if (!spec.ref.empty()) table += fmt::format("ref = {}\n", TomlString(spec.ref));
  if (!filter.include.empty()) table += fmt::format("include = {}\n", TomlStrings(filter.include));
  if (!filter.exclude.empty()) table += fmt::format("exclude = {}\n", TomlStrings(filter.exclude));
  if (filter.max_file_bytes != SourceFilter{}.max_file_bytes) {
    table += fmt::format("max_file_bytes = {}\n", filter.max_file_bytes);
  }
  if (spec.has_history) table += "history = true\n";
  return table;
}

}  // namespace

Result<std::string> AppendSource(std::string_view text, const SourceSpec& spec) {
  const SourceConfig before = SIBYL_TRY(ParseSourceConfig(text, kFile));
  if (before.Find(spec.name) != nullptr) {
    return Usage(fmt::format("adding source {}: the name is already in use", spec.name),
                 "choose another with --name, or remove the old source");
  }
  std::string edited(text);
  if (!edited.empty()) edited += edited.ends_with('\n') ? "\n" : "\n\n";
  edited += FormatTable(spec);
  Result<SourceConfig> after = ParseSourceConfig(edited, kFile);
  if (!after.ok()) return While("adding source " + spec.name, std::move(after).error());
  if (after->sources.size() != before.sources.size() + 1 ||
      !SameSpec(after->sources.back(), spec)) {
    return Usage(fmt::format("adding source {}: it cannot be written to sibyl.toml", spec.name),
                 "edit sibyl.toml by hand");
  }
  return edited;
}

Result<std::string> RemoveSource(std::string_view text, std::string_view name) {
  const SourceConfig before = SIBYL_TRY(ParseSourceConfig(text, kFile));
  const SourceSpec* spec = before.Find(name);
  if (spec == nullptr) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("removing source {}: no such source", name),
                 .hint = "'sibyl source list' shows them"};
  }
  const std::vector<std::string_view> lines = LinesWithEnds(text);
  const std::size_t begin = spec->line - 1;
  std::size_t end = begin + 1;
  while (end < lines.size() && !IsHeader(lines[end])) ++end;
  // Text between this table and the next belongs to the next one's comment.
  while (end > begin + 1 && IsBlankOrComment(lines[end - 1])) --end;
  // One blank line goes with the table, so that adding and removing leaves nothing.
  std::size_t cut = begin;
  if (cut > 0 && Trim(lines[cut - 1]).empty() &&
      (end == lines.size() || Trim(lines[end]).empty())) {
    --cut;
  }
  std::string edited;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i < cut || i >= end) edited += lines[i];
  }
  const Result<SourceConfig> after = ParseSourceConfig(edited, kFile);
  if (!after.ok() || !IsSameLess(*after, before, name)) {
    return Usage(fmt::format("removing source {}: its table cannot be removed automatically", name),
                 fmt::format("remove it by hand from sibyl.toml:{}", spec->line));
  }
  return edited;
}

}  // namespace sibyl::evidence
