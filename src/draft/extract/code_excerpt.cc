// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/code_excerpt.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostLineBytes = 160;  // a longer one is data
constexpr double kLeastShare = 0.6;
constexpr double kLineCost = 0.006;
constexpr double kBraceCost = 0.12;

// Lines that belong together: a statement over several lines, a macro, a RUN
// with its continuations.
struct Unit {
  std::size_t first = 0;  // from zero, inclusive
  std::size_t last = 0;
  bool is_comment = false;
  bool is_blank = false;
  bool is_torn = false;  // begins before the passage does
  int braces = 0;        // opened less closed
  int low_braces = 0;    // the lowest on the way: closed without having been opened
  TermSet terms;
};

bool IsCommentLine(std::string_view line, std::string_view mark) {
  line = Trim(line);
  if (!mark.empty() && line.starts_with(Trim(mark))) return true;
  return mark == "// " && (line.starts_with("/*") || line.starts_with("*"));
}

// Counts brackets outside of strings; good enough to keep statements whole.
void CountBrackets(std::string_view line, std::string_view mark, int& round, Unit& unit) {
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
    if (c == '(' || c == '[') ++round;
    if ((c == ')' || c == ']') && --round < 0) {
      round = 0;
      unit.is_torn = true;
    }
    if (c == '{') ++unit.braces;
    if (c == '}') unit.low_braces = std::min(unit.low_braces, --unit.braces);
  }
}

// Which lines are comments, those over several lines included. A passage may
// begin in the middle of one.
std::vector<bool> CommentLines(const std::vector<std::string_view>& lines,
                               const CodeSource& source) {
  struct Marks {
    std::string_view open;
    std::string_view close;
  };
  const std::string_view mark = CommentMark(source.language);
  Marks marks;
  if (mark == "// ") marks = {"/*", "*/"};
  if (source.language == "cmake") marks = {"#[", "]="};
  if (source.language == "python") marks = {"\"\"\"", "\"\"\""};
  const bool has_two = marks.open != marks.close;
  bool inside = has_two && source.text.find(marks.close) < source.text.find(marks.open);
  std::vector<bool> comments(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = Trim(lines[i]);
    if (line.starts_with("r\"\"\"")) line.remove_prefix(1);
    comments[i] = inside || IsCommentLine(line, mark);
    if (marks.open.empty()) continue;
    if (!inside && line.starts_with(marks.open)) {
      inside = comments[i] = true;
      line.remove_prefix(marks.open.size());
      if (source.language == "cmake") continue;  // "#[==[" has a mark that would close
    }
    if (inside && line.find(marks.close) != std::string_view::npos) inside = false;
  }
  return comments;
}

// A passage inside a long module comment has no comment mark; its lines are not
// code.
bool BeginsCMakeCommand(std::string_view line) {
  line = Trim(line);
  const std::size_t end =
      line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  if (end == 0 || end == std::string_view::npos) return false;
  return Trim(line.substr(end)).starts_with('(');
}

std::vector<Unit> CutUnits(const std::vector<std::string_view>& lines,
                           const std::vector<bool>& comments, std::string_view mark) {
  std::vector<Unit> units;
  int round = 0;
  bool goes_on = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // A comment is shown whole or not at all.
    goes_on = goes_on || (comments[i] && !units.empty() && units.back().is_comment);
    if (!goes_on) {
      Unit& unit = units.emplace_back();
      unit.first = i;
      unit.is_comment = comments[i];
      unit.is_blank = Trim(lines[i]).empty();
      round = 0;
    }
    Unit& unit = units.back();
    unit.last = i;
    if (!unit.is_comment) CountBrackets(lines[i], mark, round, unit);
    if (unit.is_torn) {
      for (Unit& earlier : units) earlier.is_torn = true;
    }
    goes_on = !unit.is_comment && (round > 0 || Trim(lines[i]).ends_with('\\'));
  }
  return units;
}

struct Window {
  std::size_t first = 0;  // units
  std::size_t last = 0;
  double value = 0;
  double share = 0;
};

// All windows of whole units, as in a table of at most units x max_lines.
Window BestWindow(const std::vector<Unit>& units, const PointTerms& terms, std::size_t max_lines) {
  Window best;
  for (std::size_t first = 0; first < units.size(); ++first) {
    if (units[first].is_blank || units[first].is_torn) continue;
    TermSet seen;
    int braces = 0;
    int low = 0;
    std::size_t code = 0;
    for (std::size_t last = first; last < units.size(); ++last) {
      const Unit& unit = units[last];
      if (unit.is_torn) break;
      const std::size_t lines = unit.last + 1 - units[first].first;
      if (lines > max_lines) break;
      seen.insert(unit.terms.begin(), unit.terms.end());
      low = std::min(low, braces + unit.low_braces);
      braces += unit.braces;
      code += unit.is_comment || unit.is_blank ? 0 : unit.last + 1 - unit.first;
      if (unit.is_blank || code * 5 < lines * 2) continue;
      const double share = ShareOf(terms.point, seen);
      double value = Support(terms, seen) - kLineCost * static_cast<double>(lines);
      if (low < 0 || braces != 0) value -= kBraceCost;
      if (share >= kLeastShare && value > best.value) best = {first, last, value, share};
    }
  }
  return best;
}

// Includes and imports, not functionality.
bool IsImport(std::string_view line) {
  line = Trim(line);
  return line.starts_with("#include") || line.starts_with("import ") ||
         (line.starts_with("from ") && line.find(" import ") != std::string_view::npos) ||
         line.starts_with("#pragma once") || line.starts_with("using namespace ");
}

struct Signature {
  std::size_t first = 0;
  std::size_t last = 0;
};

// The lines that open a definition. A long one is several passages: a passage
// from the middle of it has none.
std::optional<Signature> ReadSignature(const std::vector<std::string_view>& lines,
                                       const std::vector<bool>& comments) {
  constexpr std::size_t kMost = 8;
  std::size_t first = 0;
  while (first < lines.size() && (comments[first] || Trim(lines[first]).empty())) ++first;
  if (first == lines.size()) return std::nullopt;
  const std::size_t indent = lines[first].find_first_not_of(" \t");
  for (std::size_t i = first; i < lines.size(); ++i) {
    const std::size_t other = lines[i].find_first_not_of(" \t");
    if (!comments[i] && other != std::string_view::npos && other < indent) return std::nullopt;
  }
  const std::string_view opening = Trim(lines[first]);
  for (const std::string_view word :
       {"if", "for", "while", "switch", "return", "else", "}", "try"}) {
    if (opening.starts_with(word)) return std::nullopt;
  }
  for (std::size_t i = first; i < std::min(lines.size(), first + kMost); ++i) {
    const std::string_view line = Trim(lines[i]);
    if (line.ends_with('{') || line.ends_with(':')) return Signature{first, i};
  }
  return std::nullopt;
}

}  // namespace

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

std::optional<CodeExcerpt> TrimCode(const CodeSource& source, const PointTerms& terms,
                                    TermReader& reader, std::size_t max_lines) {
  const std::vector<std::string_view> lines = SplitLines(source.text);
  const std::string_view mark = CommentMark(source.language);
  const std::vector<bool> comments = CommentLines(lines, source);
  std::vector<Unit> units = CutUnits(lines, comments, mark);
  for (Unit& unit : units) {
    const bool is_code = !unit.is_comment && !unit.is_blank;
    // A licence header is never relevant.
    const bool is_licence = unit.is_comment && unit.first == 0 &&
                            source.text.substr(0, 400).find("opyright") != std::string_view::npos;
    if (is_licence || (is_code && IsImport(lines[unit.first]))) unit.is_torn = true;
    if (is_code && source.language == "cmake" && !BeginsCMakeCommand(lines[unit.first])) {
      unit.is_torn = true;
    }
    for (std::size_t i = unit.first; i <= unit.last; ++i) reader.Read(lines[i], unit.terms);
  }
  const Window best = BestWindow(units, terms, max_lines);
  if (best.value <= 0) return std::nullopt;
  CodeExcerpt excerpt{.first_line = units[best.first].first + 1,
                      .last_line = units[best.last].last + 1,
                      .share = best.share};
  const std::size_t first = units[best.first].first;
  const std::size_t last = units[best.last].last;
  for (std::size_t i = first; i <= last; ++i) {
    if (lines[i].size() > kMostLineBytes) return std::nullopt;
  }
  const auto signature =
      source.is_definition && !mark.empty() ? ReadSignature(lines, comments) : std::nullopt;
  const bool shows_signature =
      signature && first > signature->last &&
      signature->last + 2 - signature->first + last + 1 - first <= max_lines;
  if (shows_signature) {
    excerpt.first_line = signature->first + 1;
    const std::vector<std::string> all = Dedent(lines, signature->first, last);
    const auto at = [&](std::size_t line) {
      return all.begin() + static_cast<std::ptrdiff_t>(line - signature->first);
    };
    excerpt.lines.assign(all.begin(), at(signature->last + 1));
    if (first > signature->last + 1) excerpt.lines.push_back("  " + std::string(mark) + "...");
    excerpt.lines.insert(excerpt.lines.end(), at(first), all.end());
    return excerpt;
  }
  excerpt.lines = Dedent(lines, first, last);
  return excerpt;
}

}  // namespace sibyl::draft
