// SPDX-License-Identifier: Apache-2.0
#include "audit/source_names.h"

#include <algorithm>
#include <array>
#include <set>

#include "audit/family_table.h"
#include "audit/witness.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 10;
// Shorter names are parts of too many words.
constexpr std::size_t kMinName = 4;
constexpr std::size_t kMostTitleWords = 4;

// Words that every project uses for its parts, and titles of a README that do
// not name the project.
constexpr std::array<std::string_view, 30> kGenericNames = {
    "repo",     "repository",      "main",           "master",        "source",    "sources",
    "readme",   "overview",        "intro",          "introduction",  "about",     "installation",
    "contents", "tableofcontents", "gettingstarted", "documentation", "benchmark", "benchmarks",
    "testing",  "third",           "thirdparty",     "3rdparty",      "vendor",    "package",
    "project",  "workspace",       "library",        "samples",       "internal",  "mypyplugins"};

bool IsGeneric(std::string_view folded) {
  return std::find(kGenericNames.begin(), kGenericNames.end(), folded) != kGenericNames.end() ||
         std::find(kCommonFolders.begin(), kCommonFolders.end(), folded) != kCommonFolders.end();
}

// The text in the first pair of quotes.
std::string_view Quoted(std::string_view text) {
  const std::size_t open = text.find_first_of("\"'");
  if (open == text.npos) return {};
  const std::size_t close = text.find(text[open], open + 1);
  return close == text.npos ? std::string_view{} : text.substr(open + 1, close - open - 1);
}

// A title without a version, a vendor in front and what follows a mark.
std::string_view ProjectOfTitle(std::string_view title) {
  for (const std::string_view front :
       {"Welcome to ", "The ", "the ", "NVIDIA ", "AMD ", "Intel "}) {
    if (title.starts_with(front)) title.remove_prefix(front.size());
  }
  for (const std::string_view mark :
       {" for ", " - ", " -- ", ": ", " | ", " (", " Logo", " logo"}) {
    title = title.substr(0, title.find(mark));
  }
  title = Trim(title);
  const std::size_t last = title.rfind(' ');
  if (last != title.npos &&
      std::any_of(title.begin() + static_cast<std::ptrdiff_t>(last), title.end(), IsDigit)) {
    title = Trim(title.substr(0, last));  // "CUTLASS 4.7.0"
  }
  const auto words = static_cast<std::size_t>(std::count(title.begin(), title.end(), ' ')) + 1;
  return words > kMostTitleWords ? std::string_view{} : title;
}

bool IsUnderline(std::string_view line) {
  return line.size() >= 3 && line.find_first_not_of("=*#~-") == line.npos;
}

void AddFrom(const Witness& witness, std::size_t source, std::string_view path,
             std::vector<std::string> (*read)(std::string_view), std::set<std::string>& names) {
  for (const Witness::File& file : witness.FindFiles(path)) {
    if (file.source != source || file.path != path) continue;
    const std::string text = witness.ReadText(file).substr(0, kMostBytes);
    for (const std::string& name : read(text)) names.insert(FoldSourceName(name));
  }
}

}  // namespace

std::string FoldSourceName(std::string_view text) {
  std::string folded;
  for (const char c : LowerCase(text)) {
    if (IsLower(c) || IsDigit(c)) folded += c;
  }
  return folded;
}

std::vector<std::string> NamesInReadme(std::string_view text) {
  std::vector<std::string> names;
  std::string_view before;
  std::size_t headings = 0;
  constexpr std::size_t kMostHeadings = 2;  // "# Overview", then "# CUTLASS 4.7.0"
  std::size_t read = 0;
  for (std::string_view line : SplitLines(text)) {
    line = Trim(line);
    if (++read > 80 || headings >= kMostHeadings) break;
    std::string_view title;
    if (line.starts_with("# ")) {
      title = Trim(line.substr(2));
      ++headings;
    } else if (IsUnderline(line) && !before.empty() && IsNameByte(before.front()) &&
               line.size() + 2 >= before.size()) {
      title = before;
      ++headings;
    } else if (line.starts_with("![") && headings == 0) {
      title = line.substr(2, line.find(']') - 2);
      if (title.find("ogo") == title.npos) title = {};
    } else if (const std::size_t is = line.find(" is a");
               is != line.npos && is < 40 && IsUpper(line.front()) && names.empty()) {
      title = line.substr(0, is);
    }
    before = line;
    const std::string_view name = ProjectOfTitle(title);
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> NamesInCMake(std::string_view text) {
  for (const std::string_view line : SplitLines(text)) {
    const std::string lower = LowerCase(Trim(line));
    if (!lower.starts_with("project")) continue;
    const std::size_t open = line.find('(');
    if (open == line.npos) continue;
    std::string_view name = Trim(line.substr(open + 1));
    name = name.substr(0, name.find_first_of(" )\t"));
    if (name.empty() || name.find('$') != name.npos) continue;
    return {std::string(name)};
  }
  return {};
}

std::vector<std::string> NamesInSetup(std::string_view text) {
  // The extensions of a package have names too; they come before the call.
  const std::size_t call = text.rfind("setup(");
  if (call == text.npos) return {};
  const std::size_t name = text.find("name=", call);
  if (name == text.npos) return {};
  const std::string_view value = text.substr(name + 5, 120);
  if (value.empty() || (value.front() != '"' && value.front() != '\'')) return {};
  return {std::string(Quoted(value))};
}

std::vector<std::string> NamesInToml(std::string_view text) {
  bool is_project = false;
  for (std::string_view line : SplitLines(text)) {
    line = Trim(line);
    if (line.starts_with("[")) {
      is_project = line == "[project]" || line == "[package]" || line == "[tool.poetry]";
    } else if (is_project && line.starts_with("name") && line.find('=') != line.npos) {
      return {std::string(Quoted(line.substr(line.find('='))))};
    }
  }
  return {};
}

std::vector<std::string> NamesInPackageJson(std::string_view text) {
  const std::size_t key = text.find("\"name\"");
  if (key == text.npos) return {};
  const std::string_view name = Quoted(text.substr(key + 6, 200));
  return {std::string(name.substr(name.rfind('/') + 1))};  // "@scope/name"
}

std::vector<std::string> NamesInOrigin(std::string_view origin) {
  while (origin.ends_with('/')) origin.remove_suffix(1);
  if (origin.ends_with(".git")) origin.remove_suffix(4);
  while (origin.ends_with('/')) origin.remove_suffix(1);
  const std::size_t mark = origin.find_last_of("/:");
  const std::string_view name = mark == origin.npos ? origin : origin.substr(mark + 1);
  if (name.empty()) return {};
  return {std::string(name)};
}

std::vector<SourceName> ReadSourceNames(const Witness& witness, std::size_t source) {
  std::set<std::string> projects;
  for (const std::string& name : witness.sources()[source].known_as) {
    projects.insert(FoldSourceName(name));
  }
  for (const std::string& name : NamesInOrigin(witness.sources()[source].origin)) {
    projects.insert(FoldSourceName(name));
  }
  for (const std::string_view readme : {"README.md", "README.rst", "README", "README.txt"}) {
    AddFrom(witness, source, readme, NamesInReadme, projects);
  }
  AddFrom(witness, source, "CMakeLists.txt", NamesInCMake, projects);
  std::set<std::string> packages;
  AddFrom(witness, source, "setup.py", NamesInSetup, packages);
  AddFrom(witness, source, "pyproject.toml", NamesInToml, packages);
  AddFrom(witness, source, "Cargo.toml", NamesInToml, packages);
  AddFrom(witness, source, "package.json", NamesInPackageJson, packages);
  for (const std::string_view root : {"", "python", "src", "lib", "include"}) {
    for (const std::string& folder : witness.FoldersIn(source, root)) {
      const std::string path = root.empty() ? folder : std::string(root) + "/" + folder;
      const bool is_package = root == "include" || witness.HasFile(source, path + "/__init__.py");
      if (is_package) packages.insert(FoldSourceName(folder));
    }
  }
  std::vector<SourceName> names = {
      {.folded = FoldSourceName(witness.sources()[source].name), .is_project = true}};
  for (const bool is_project : {true, false}) {
    for (const std::string& name : is_project ? projects : packages) {
      if (name.size() < kMinName || IsGeneric(name)) continue;
      // "torch" is a part of too many words, even if it is the project's name.
      const bool is_long = name.size() > kMinName + 1;
      const auto same = [&](const SourceName& known) { return known.folded == name; };
      if (std::any_of(names.begin(), names.end(), same)) continue;
      names.push_back({.folded = name, .is_project = is_project && is_long});
    }
  }
  return names;
}

FoldedText::FoldedText(std::string_view text) {
  bool is_inside = false;
  for (const char raw : text) {
    const char c = IsUpper(raw) ? static_cast<char>(raw - 'A' + 'a') : raw;
    const bool counts = IsLower(c) || IsDigit(c);
    if (counts) {
      folded_ += c;
      starts_.push_back(!is_inside);
    }
    is_inside = counts;
  }
}

bool FoldedText::Names(const SourceName& name) const {
  if (name.folded.size() < kMinName) return false;
  for (std::size_t at = folded_.find(name.folded); at != folded_.npos;
       at = folded_.find(name.folded, at + 1)) {
    const std::size_t end = at + name.folded.size();
    if (name.is_project || (starts_[at] && (end == folded_.size() || starts_[end]))) return true;
  }
  return false;
}

}  // namespace sibyl::audit
