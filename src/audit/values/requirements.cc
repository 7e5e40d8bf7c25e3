// SPDX-License-Identifier: Apache-2.0
#include "audit/values/requirements.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "base/work.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostLines = 20000;
constexpr std::size_t kLongestLine = 400;
constexpr std::size_t kNear = 48;

bool SaysMinimum(std::string_view between, std::string_view behind) {
  // "Python: 3.12 recommended" is no minimum.
  for (const std::string_view word : {"recommended", "preferred", "suggested", "tested"}) {
    if (Trim(behind).starts_with(word) || Trim(behind).starts_with("(" + std::string(word))) {
      return false;
    }
  }
  for (const std::string_view word :
       {">=", "at least", "minimum", "version: ", "(version ", ": "}) {
    if (between.find(word) != between.npos) return true;
  }
  while (behind.starts_with(" ") || behind.starts_with(")") || behind.starts_with("`")) {
    behind.remove_prefix(1);
  }
  for (const std::string_view word :
       {"or newer", "or later", "or above", "or higher", "or greater", "and above", "and newer",
        "and later", "and up", "+", "is required", "is the minimum"}) {
    if (behind.starts_with(word)) return true;
  }
  return false;
}

// Whether the line says what is needed: "requires CUDA 12.0", "- Python 3.9 or later".
bool IsRequirement(std::string_view line, std::size_t tool) {
  for (const std::string_view word : {"requir", "must be", "minimum", "at least", ">="}) {
    if (line.find(word) != line.npos) {
      return line.find("if the ") == line.npos && line.find("only if") == line.npos;
    }
  }
  // At the beginning, links and marks apart.
  const std::string_view before = line.substr(0, tool);
  return std::ranges::none_of(before, IsLetter) || before.ends_with("nvidia ");
}

// The versions that a line gives after the tool at `at`: "cuda: 12.1+ (hopper), 12.8+ (blackwell)".
void ReadVersions(std::string_view line, std::size_t behind_tool, std::vector<std::string>& out) {
  std::size_t from = behind_tool;
  bool is_first = true;
  for (std::size_t at = behind_tool; at < line.size() && at < from + kNear; ++at) {
    const bool begins = IsDigit(line[at]) && !IsNameByte(line[at - 1]) && line[at - 1] != '.';
    const bool has_v = IsDigit(line[at]) && line[at - 1] == 'v' && !IsNameByte(line[at - 2]);
    if (!begins && !has_v) continue;
    const std::string_view version = DottedVersionAt(line, at);
    if (version.empty()) return;
    const std::string_view between = line.substr(from, at - from);
    // Another tool's version: a word between them.
    const bool is_near = std::ranges::count(between, ' ') <= 7;
    const std::size_t end = at + version.size();
    const bool is_minimum =
        is_first ? SaysMinimum(between, line.substr(end)) : line.substr(end).starts_with("+");
    if (between.find('<') != between.npos && between.find(">=") == between.npos) return;
    if (is_near && is_minimum) out.emplace_back(version);
    if (!is_near || !line.substr(end).starts_with("+")) return;
    is_first = false;
    from = at = end;
  }
}

}  // namespace

bool SameVersion(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (!b.starts_with(a)) return false;
  const std::string_view rest = b.substr(a.size());
  return rest.empty() ||
         (rest[0] == '.' && std::ranges::all_of(rest, [](char c) { return c == '.' || c == '0'; }));
}

std::string_view DottedVersionAt(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto digit = [&](std::size_t i) { return i < text.size() && IsDigit(text[i]); };
  while (digit(end) || (end > at && end < text.size() && text[end] == '.' && digit(end + 1))) ++end;
  const std::string_view version = text.substr(at, end - at);
  return version.find('.') == version.npos ? std::string_view() : version;
}

bool IsOlder(std::string_view a, std::string_view b) {
  for (;;) {
    const std::size_t end_a = std::min(a.find('.'), a.size());
    const std::size_t end_b = std::min(b.find('.'), b.size());
    const std::string number_a(a.substr(0, end_a));
    const std::string number_b(b.substr(0, end_b));
    if (number_a != number_b) {
      return std::pair(number_a.size(), number_a) < std::pair(number_b.size(), number_b);
    }
    if (end_a == a.size() || end_b == b.size()) return a.size() < b.size();
    a.remove_prefix(end_a + 1);
    b.remove_prefix(end_b + 1);
  }
}

const std::vector<Requirements::Line>& Requirements::LinesOf(std::size_t source) const {
  {
    MutexLock lock(mutex_);
    const auto known = lines_.find(source);
    if (known != lines_.end()) return known->second;
  }
  std::vector<std::string> paths = {"README.md",           "README.rst",
                                    "CMakeLists.txt",      "setup.py",
                                    "pyproject.toml",      "requirements.txt",
                                    "INSTALL.md",          "requirements-build.txt",
                                    "docs/install.md",     "docs/installation.rst",
                                    "docs/installation.md"};
  for (const std::string_view folder : {"cmake", "cmake/public"}) {
    for (const std::string& name : witness_.FilesIn(source, folder)) {
      paths.push_back(std::string(folder) + "/" + name);
    }
  }
  std::vector<Line> lines;
  for (const std::string& path : paths) {
    for (const Witness::File& file : witness_.FindFiles(path)) {
      if (file.source != source || file.path != path) continue;
      const std::string text = witness_.ReadText(file);
      std::size_t number = 0;
      for (const std::string_view line : SplitLines(text)) {
        ++number;
        if (line.size() > kLongestLine || lines.size() >= kMostLines) continue;
        // A comment in a build file explains a workaround, not what is needed.
        const bool is_prose = path.ends_with(".md") || path.ends_with(".rst");
        if (!is_prose && Trim(line).starts_with("#")) continue;
        if (!std::any_of(line.begin(), line.end(), IsDigit)) continue;
        if (line.find(" :: ") != line.npos) continue;  // a classifier
        lines.push_back(
            {LowerCase(line),
             {.source = source, .path = path, .line = number, .text = std::string(line)}});
      }
    }
  }
  MutexLock lock(mutex_);
  return lines_.emplace(source, std::move(lines)).first->second;
}

std::vector<Requirement> Requirements::Of(std::size_t source, std::string_view tool) const {
  std::vector<Requirement> found;
  std::vector<std::string> names = {LowerCase(tool)};
  if (names[0] == "python") {
    names.insert(names.end(), {"python_requires", "requires-python"});
  }
  for (const Line& line : LinesOf(source)) {
    Work::Add(line.lower.size());
    std::vector<std::string> versions;
    constexpr std::string_view kMinimum = "cmake_minimum_required(version ";
    if (names[0] == "cmake" && line.lower.starts_with(kMinimum)) {
      versions.emplace_back(DottedVersionAt(line.lower, kMinimum.size()));
    }
    for (const std::string& name : names) {
      for (auto at = FindWholeWord(line.lower, name, 0); at;
           at = FindWholeWord(line.lower, name, *at + name.size())) {
        // "nvidia-cudnn-frontend 1.25.0" is another package.
        const std::size_t end = *at + name.size();
        const bool is_part = (*at > 0 && line.lower[*at - 1] == '-') ||
                             (end < line.lower.size() && line.lower[end] == '-');
        if (is_part || !IsRequirement(line.lower, *at)) continue;
        ReadVersions(line.lower, *at + name.size(), versions);
      }
    }
    for (std::string& version : versions) {
      if (!version.empty()) found.push_back({std::move(version), line.sighting});
    }
  }
  return found;
}

}  // namespace sibyl::audit
