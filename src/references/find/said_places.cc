// SPDX-License-Identifier: Apache-2.0
#include "references/find/said_places.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace sibyl::references {
namespace {

using statement::Statement;

constexpr auto kNumbers = std::to_array<std::string_view>(
    {"line number", "line ref", "line anchor", "anchors in ", "anchors refer", "anchors are in "});

}  // namespace

std::string BaseFolder(const statement::Statements& statements) {
  for (const Statement& statement : statements.all) {
    if (!statement.IsProse()) continue;
    const std::string lower = LowerCase(statement.text);
    if (!Contains(lower, "path")) continue;
    if (!Contains(lower, "relative to") && !Contains(lower, " under ")) continue;
    for (const statement::TextRun& run : statement.runs) {
      const std::string_view text =
          std::string_view(statement.text).substr(run.begin, run.end - run.begin);
      if (run.is_code && text.size() > 1 && text.ends_with('/') && text.find(' ') == text.npos) {
        return std::string(text.starts_with("./") ? text.substr(2) : text);
      }
    }
  }
  return {};
}

std::string FileOfNumbers(const statement::Statements& statements, const IsKnownFile& is_known) {
  std::string named;
  for (const Statement& statement : statements.all) {
    if (!statement.IsProse()) continue;
    const std::string lower = LowerCase(statement.text);
    const bool is_about_numbers =
        std::any_of(kNumbers.begin(), kNumbers.end(),
                    [&](std::string_view words) { return Contains(lower, words); });
    if (!is_about_numbers) continue;
    const std::vector<FileMention> files = FindFileMentions(statement.text, is_known);
    if (files.size() != 1) continue;
    if (!named.empty() && named != files.front().path) return {};
    named = files.front().path;
  }
  return named;
}

}  // namespace sibyl::references
