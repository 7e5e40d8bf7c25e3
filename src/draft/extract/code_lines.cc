// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/code_lines.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostLineBytes = 160;  // a longer one is data

// Brackets that are open after the lines so far; outside of strings and comments.
struct BracketCount {
  int open = 0;
  bool is_torn = false;  // closes what was not opened

  void Take(std::string_view line, std::string_view mark) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote != 0) {
        if (c == '\\') {
          ++i;
        } else if (c == quote) {
          quote = 0;
        }
        continue;
      }
      if (!mark.empty() && line.substr(i).starts_with(Trim(mark))) break;
      if (c == '"' || (c == '\'' && mark != "// ")) quote = c;
      if (c == '(' || c == '[' || c == '{') ++open;
      if (c == ')' || c == ']' || c == '}') --open;
      is_torn = is_torn || open < 0;
    }
  }
};

std::size_t IndentOf(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool IsBlankLine(std::string_view line) { return Trim(line).empty(); }

// Where a command of CMake or a shell opens and closes a block: 1, -1 or 0.
int BlockStep(std::string_view language, std::string_view line) {
  const std::string_view words = Trim(line);
  const std::string_view first = words.substr(0, words.find_first_of(" (;"));
  const auto is_one = [&](std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return EqualsIgnoringCase(first, name); });
  };
  if (language == "cmake") {
    if (is_one({"if", "foreach", "while", "function", "macro"})) return 1;
    return is_one({"endif", "endforeach", "endwhile", "endfunction", "endmacro"}) ? -1 : 0;
  }
  if (language == "shell" || language == "bash" || language == "make") {
    if (is_one({"if", "for", "while", "case", "ifeq", "ifneq", "ifdef", "ifndef"})) {
      // On one line it closes itself.
      return words.ends_with("fi") || words.ends_with("done") ? 0 : 1;
    }
    return is_one({"fi", "done", "esac", "endif"}) ? -1 : 0;
  }
  return 0;
}

// Python: what is indented below the last line belongs to it.
std::size_t IndentedEnd(const std::vector<std::string_view>& lines, std::size_t last) {
  const std::size_t indent = IndentOf(lines[last]);
  std::size_t end = last;
  for (std::size_t at = last + 1; at < lines.size(); ++at) {
    if (IsBlankLine(lines[at])) continue;
    if (IndentOf(lines[at]) <= indent) break;
    end = at;
  }
  return end;
}

bool GoesOn(std::string_view language, std::string_view line) {
  const std::string_view words = Trim(line);
  return words.ends_with('\\') || (language == "python" && words.ends_with(':')) ||
         (language == "dockerfile" && words.ends_with("&&"));
}

}  // namespace

std::optional<LineRange> WholeBlock(const CodeText& code, LineRange unit, std::size_t most) {
  const std::vector<std::string_view> lines = SplitLines(code.text);
  if (unit.first < 1 || unit.first > unit.last || unit.last > lines.size()) return std::nullopt;
  const auto is_data = [](std::string_view line) { return line.size() > kMostLineBytes; };
  const bool fits = lines.size() <= most && std::none_of(lines.begin(), lines.end(), is_data);
  if (code.is_whole && fits) return LineRange{1, lines.size()};
  const std::string_view mark = CommentMark(code.language);
  BracketCount brackets;
  int blocks = 0;
  for (std::size_t at = unit.first - 1; at < lines.size(); ++at) {
    if (at + 2 > unit.first + most || is_data(lines[at])) return std::nullopt;
    brackets.Take(lines[at], mark);
    blocks += BlockStep(code.language, lines[at]);
    if (brackets.is_torn || blocks < 0) return std::nullopt;
    if (at + 1 < unit.last || brackets.open > 0 || blocks > 0) continue;
    if (!GoesOn(code.language, lines[at])) return LineRange{unit.first, at + 1};
    if (code.language != "python") continue;
    const std::size_t end = IndentedEnd(lines, at);
    const bool is_cut = end + 1 == lines.size() && !code.is_whole;
    if (end == at || is_cut || end + 2 > unit.first + most) return std::nullopt;
    return LineRange{unit.first, end + 1};
  }
  return std::nullopt;
}

std::string_view FenceName(std::string_view language) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kNames = {
      {{"c++", "cpp"}, {"cuda", "cuda"}, {"shell", "bash"}, {"starlark", "python"}, {"rst", ""}}};
  for (const auto& [ours, fence] : kNames) {
    if (language == ours) return fence;
  }
  return language == "text" || language == "markdown" ? std::string_view() : language;
}

std::string_view CommentMark(std::string_view language) {
  constexpr std::array<std::string_view, 12> kHash = {"python", "cmake", "shell",    "dockerfile",
                                                      "make",   "yaml",  "toml",     "ini",
                                                      "perl",   "ruby",  "starlark", "bash"};
  constexpr std::array<std::string_view, 9> kSlashes = {
      "c", "c++", "cuda", "java", "rust", "javascript", "typescript", "go", "cpp"};
  if (std::find(kHash.begin(), kHash.end(), language) != kHash.end()) return "# ";
  if (std::find(kSlashes.begin(), kSlashes.end(), language) != kSlashes.end()) return "// ";
  return {};
}

std::vector<std::string> Dedent(const std::vector<std::string_view>& lines, std::size_t first,
                                std::size_t last) {
  std::size_t shared = std::string_view::npos;
  for (std::size_t i = first; i <= last; ++i) {
    const std::size_t indent = lines[i].find_first_not_of(" \t");
    if (indent != std::string_view::npos) shared = std::min(shared, indent);
  }
  std::vector<std::string> dedented;
  for (std::size_t i = first; i <= last; ++i) {
    std::string_view line = lines[i];
    line.remove_prefix(std::min(shared, line.size()));
    while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
    dedented.emplace_back(line);
  }
  return dedented;
}

}  // namespace sibyl::draft
