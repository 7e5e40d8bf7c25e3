// SPDX-License-Identifier: Apache-2.0
// Markdown, reST and plain text: directives that document a name, definition
// lists, option lists, tables, help pages of CMake, headings that are a name.
#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/work.h"
#include "cards/spot/spot_sink.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kMostLines = 60;  // of one unit
constexpr std::size_t kLongestTerm = 80;

std::size_t IndentOf(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

bool IsTermByte(char c) {
  return IsNameByte(c) || c == '-' || c == '.' || c == ':' || c == '+' || c == '/' || c == '<' ||
         c == '>' || c == '*' || c == '$';
}

// "DEPTH_MAX": an environment variable or a macro.
bool IsShouted(std::string_view name) {
  return name.size() > 3 && name.find('_') != name.npos &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return IsUpper(c) || IsDigit(c) || c == '_'; });
}

bool HasWord(std::string_view text, std::string_view lower) {
  return LowerCase(text).find(lower) != std::string::npos;
}

// A name at the start, in code or bold signs or without: `x`, ``x``, **x**,
// **`x`**, --x. Empty if it is not one. `rest` is what follows it.
struct Marked {
  std::string_view name;
  std::string_view rest;
  bool is_marked = false;
};
Marked NameAt(std::string_view text) {
  Marked found;
  std::size_t at = std::min(text.find_first_not_of("*`"), text.size());
  found.is_marked = at > 0;
  std::size_t end = at;
  while (end < text.size() && IsTermByte(text[end])) ++end;
  std::string_view name = text.substr(at, end - at);
  while (!name.empty() && (name.back() == ':' || name.back() == '*' || name.back() == '.')) {
    name.remove_suffix(1);
  }
  std::size_t next = at + name.size();
  // `--depth N`, ``NAME=<value>``
  if (found.is_marked && next < text.size() && text[next] != '`' && text[next] != '*') {
    const std::size_t close = text.find_first_of("`*", next);
    if (close != text.npos && close - next < kLongestTerm) next = close;
  }
  found.name = name;
  found.rest =
      text.substr(std::min(std::max(text.find_first_not_of("*`", next), next), text.size()));
  return found;
}

bool IsName(std::string_view name) {
  if (name.size() < 2 || name.size() > kLongestTerm) return false;
  return IsNameStart(name[0]) || (name[0] == '-' && IsAlphanumeric(name[name.size() - 1]));
}

// Without a mark, only what cannot be an ordinary word.
bool LooksLikeCode(std::string_view name) {
  if (name.starts_with("--")) return name.size() > 3;
  const bool has_lower = std::any_of(name.begin(), name.end(), IsLower);
  const bool has_inner_upper =
      has_lower && std::any_of(name.begin() + 1, name.end(), IsUpper) &&
      std::any_of(name.begin(), name.end(), [](char c) { return c == '_' || c == ':'; });
  return name.find('_') != name.npos || has_inner_upper || name.find("::") != name.npos;
}

struct Directive {
  std::string_view name;
  CardKind kind;
};
constexpr std::array<Directive, 34> kDirectives = {{
    {"envvar", CardKind::kEnvironment},
    {"option", CardKind::kOption},
    {"cmdoption", CardKind::kOption},
    {"program-option", CardKind::kOption},
    {"variable", CardKind::kCMakeVariable},
    {"command", CardKind::kCMakeCommand},
    {"signature", CardKind::kCMakeCommand},
    {"prop_tgt", CardKind::kCMakeProperty},
    {"prop_gbl", CardKind::kCMakeProperty},
    {"function", CardKind::kFunction},
    {"py:function", CardKind::kFunction},
    {"c:function", CardKind::kFunction},
    {"cpp:function", CardKind::kFunction},
    {"method", CardKind::kMethod},
    {"py:method", CardKind::kMethod},
    {"staticmethod", CardKind::kMethod},
    {"classmethod", CardKind::kMethod},
    {"class", CardKind::kType},
    {"py:class", CardKind::kType},
    {"cpp:class", CardKind::kType},
    {"cpp:struct", CardKind::kType},
    {"cpp:type", CardKind::kType},
    {"c:type", CardKind::kType},
    {"c:struct", CardKind::kType},
    {"cpp:enum", CardKind::kType},
    {"c:macro", CardKind::kMacro},
    {"macro", CardKind::kMacro},
    {"cpp:enumerator", CardKind::kEnumerator},
    {"c:enumerator", CardKind::kEnumerator},
    {"data", CardKind::kAssignment},
    {"py:data", CardKind::kAssignment},
    {"attribute", CardKind::kAssignment},
    {"confval", CardKind::kEntry},
    {"describe", CardKind::kTerm},
}};

struct HelpFolder {
  std::string_view folder;
  CardKind kind;
};
constexpr std::array<HelpFolder, 6> kHelp = {{{"Help/variable/", CardKind::kCMakeVariable},
                                              {"Help/command/", CardKind::kCMakeCommand},
                                              {"Help/policy/", CardKind::kCMakePolicy},
                                              {"Help/envvar/", CardKind::kEnvironment},
                                              {"Help/prop_", CardKind::kCMakeProperty},
                                              {"Help/cpack_gen/", CardKind::kTerm}}};

class MarkupSpotter {
 public:
  MarkupSpotter(const SpottedFile& file, std::size_t end, SpotSink& sink)
      : file_(file), sink_(sink), lines_(sink.lines()), end_(std::min(end, lines_.count())) {}

  void Run() {
    HelpPage();
    Headings();
    for (std::size_t i = 0; i < end_; ++i) {
      const std::string_view line = lines_.text(i);
      const std::size_t indent = IndentOf(line);
      if (indent == line.size()) {
        header_.clear();
        continue;
      }
      if (i < help_end_ && indent == 0 && line[0] != '.') continue;
      Line(i, line, indent);
    }
  }

 private:
  void Line(std::size_t i, std::string_view line, std::size_t indent) {
    switch (line[indent]) {
      case '.':
        return DirectiveLine(i, line, indent);
      case '|':
        return Row(i, line.substr(indent));
      case '*':
      case '-':
      case '+':
        return Item(i, line, indent);
      case '`':
        if (line.substr(indent).starts_with("```")) {
          is_fenced_ = !is_fenced_;
          return;
        }
        return Term(i, line, indent);
      default:
        return Term(i, line, indent);
    }
  }

  // The last line of a unit whose body is indented more than `indent`.
  std::size_t EndOfBody(std::size_t i, std::size_t indent) const {
    std::size_t last = i;
    for (std::size_t j = i + 1; j < std::min(end_, i + kMostLines); ++j) {
      const std::string_view line = lines_.text(j);
      const std::size_t here = IndentOf(line);
      Work::Add(1);
      if (here == line.size()) continue;
      if (here <= indent) break;
      last = j;
    }
    return last;
  }

  void HelpPage() {
    if (file_.language != "rst") return;
    for (const HelpFolder& help : kHelp) {
      const std::size_t at = file_.path.find(help.folder);
      if (at == file_.path.npos || file_.path.find("/include/", at) != file_.path.npos) continue;
      if (at > 0 && file_.path[at - 1] != '/') continue;
      if (file_.notes.headings.empty()) return;
      const passages::Heading& title = file_.notes.headings.front();
      std::size_t stop = lines_.count();
      if (file_.notes.headings.size() > 1) stop = file_.notes.headings[1].line;
      while (stop > title.line + 1 && lines_.IsBlank(stop - 1)) --stop;
      const std::string_view line = Trim(lines_.text(title.line));
      if (line.find(' ') != line.npos) return;
      sink_.Add(help.kind, line, {}, {title.line, std::min(stop - 1, title.line + kMostLines)});
      help_end_ = stop;
      return;
    }
  }

  // "### `DEPTH`", "DEPTH_MAX" above a rule.
  void Headings() {
    for (std::size_t n = 0; n < file_.notes.headings.size(); ++n) {
      const passages::Heading& heading = file_.notes.headings[n];
      if (heading.line < help_end_ || heading.line >= end_) continue;
      std::string_view line = Trim(lines_.text(heading.line));
      while (line.starts_with('#')) line = Trim(line.substr(1));
      const Marked marked = NameAt(line);
      const bool is_alone = marked.rest.find_first_not_of("`*:# ()") == marked.rest.npos;
      if (!is_alone || !IsName(marked.name)) continue;
      if (!marked.is_marked && !LooksLikeCode(marked.name)) continue;
      std::size_t stop =
          n + 1 < file_.notes.headings.size() ? file_.notes.headings[n + 1].line : end_;
      stop = std::min(stop, heading.line + kMostLines);
      while (stop > heading.line + 1 && lines_.IsBlank(stop - 1)) --stop;
      sink_.Add(KindOf(marked.name, heading.line, ""), marked.name, {}, {heading.line, stop - 1});
    }
  }

  // By its form, and by what is above the place.
  CardKind KindOf(std::string_view name, std::size_t line, std::string_view column) const {
    if (name.starts_with("--")) return CardKind::kOption;
    if (!column.empty()) {
      if (HasWord(column, "environment") || (HasWord(column, "variable") && IsShouted(name))) {
        return CardKind::kEnvironment;
      }
      if (HasWord(column, "metric")) return CardKind::kMetric;
      if (HasWord(column, "option") || HasWord(column, "flag") || HasWord(column, "argument")) {
        return CardKind::kOption;
      }
      if (HasWord(column, "key") || HasWord(column, "setting") || HasWord(column, "config")) {
        return CardKind::kEntry;
      }
    }
    if (IsShouted(name) && IsAboutEnvironment(line)) return CardKind::kEnvironment;
    return column.empty() ? CardKind::kTerm : CardKind::kTableRow;
  }

  bool IsAboutEnvironment(std::size_t line) const {
    if (HasWord(file_.path, "env")) return true;
    constexpr std::ptrdiff_t kReach = 8;
    const std::vector<passages::Heading>& all = file_.notes.headings;
    const auto after = std::upper_bound(
        all.begin(), all.end(), line,
        [](std::size_t value, const passages::Heading& heading) { return value < heading.line; });
    const auto from = after - std::min(kReach, after - all.begin());
    return std::any_of(from, after, [](const passages::Heading& heading) {
      return HasWord(heading.title, "environment");
    });
  }

  void DirectiveLine(std::size_t i, std::string_view line, std::size_t indent) {
    const std::string_view rest = line.substr(indent);
    if (!rest.starts_with(".. ")) return;
    const std::size_t colons = rest.find("::");
    if (colons == rest.npos) return;
    const std::string_view name = Trim(rest.substr(3, colons - 3));
    for (const Directive& directive : kDirectives) {
      if (directive.name != name) continue;
      const std::string_view argument = Trim(rest.substr(colons + 2));
      const std::string_view subject = Subject(argument, directive.kind);
      if (subject.empty()) return;
      sink_.Add(directive.kind, subject, {}, {i, EndOfBody(i, indent)});
      return;
    }
  }

  // The name in "torch.add(input, other) -> Tensor", "-D <var>=<value>",
  // "cudaError_t cudaMalloc(void **p)".
  static std::string_view Subject(std::string_view argument, CardKind kind) {
    if (kind == CardKind::kOption) {
      const std::size_t comma = argument.find(", --");
      if (comma != argument.npos) argument = argument.substr(comma + 2);
      return argument.substr(0, argument.find_first_of(" =[,"));
    }
    const std::size_t open = argument.find('(');
    std::string_view name = Trim(argument.substr(0, open));
    if (open != argument.npos || kind == CardKind::kType) {
      if (const std::size_t blank = name.find_last_of(" *&"); blank != name.npos) {
        name = name.substr(blank + 1);
      }
    } else {
      name = name.substr(0, name.find(' '));
    }
    if (const std::size_t dot = name.rfind('.'); dot != name.npos) name = name.substr(dot + 1);
    if (const std::size_t colon = name.rfind("::"); colon != name.npos)
      name = name.substr(colon + 2);
    return name;
  }

  // A row of a table: its first cell with a name is what it is about. The first
  // row of a table is its header.
  void Row(std::size_t i, std::string_view line) {
    if (is_fenced_) return;
    const std::size_t end = line.find('|', 1);
    if (end == line.npos) return;
    const std::string_view cell = Trim(line.substr(1, end - 1));
    if (header_.empty()) {
      header_ = std::string(line);
      if (cell.find_first_not_of("-: ") == cell.npos) header_ = "|";
      return;
    }
    if (cell.find_first_not_of("-:= ") == cell.npos) return;
    const Marked marked = NameAt(WithoutLink(cell));
    const bool is_alone = marked.rest.size() < kLongestTerm / 2;
    if (!IsName(marked.name) || !is_alone) return;
    if (!marked.is_marked && !LooksLikeCode(marked.name)) return;
    const std::string_view column = std::string_view(header_).substr(0, header_.find('|', 1));
    sink_.Add(KindOf(marked.name, i, column.size() > 1 ? column : "-"), marked.name,
              DefaultOf(line), {i, i});
  }

  // "[`x`](#x)"
  static std::string_view WithoutLink(std::string_view cell) {
    if (!cell.starts_with('[')) return cell;
    const std::size_t close = cell.find("](");
    return close == cell.npos ? cell : cell.substr(1, close - 1);
  }

  // The cell below the header "Default".
  std::string_view DefaultOf(std::string_view line) const {
    std::size_t at = 1;
    std::string_view header = header_;
    std::size_t from = 1;
    while (from < header.size() && at < line.size()) {
      const std::size_t stop = std::min(header.find('|', from), header.size());
      const std::size_t end = std::min(line.find('|', at), line.size());
      if (HasWord(header.substr(from, stop - from), "default")) {
        std::string_view cell = Trim(line.substr(at, end - at));
        while (cell.starts_with('`')) cell.remove_prefix(1);
        while (cell.ends_with('`')) cell.remove_suffix(1);
        return cell;
      }
      from = stop + 1;
      at = end + 1;
    }
    return {};
  }

  // "- `x`: text", "* **x** - text", "--x  text", "* - ``x``" of a list-table
  void Item(std::size_t i, std::string_view line, std::size_t indent) {
    if (is_fenced_) return;
    const std::string_view rest = line.substr(indent);
    if (rest.size() > 2 && rest[0] == '-' && rest[1] != ' ') return OptionItem(i, rest, indent);
    if (rest.size() < 4 || (rest[1] != ' ' && rest[1] != '*')) return;
    std::string_view body = rest[1] == ' ' ? Trim(rest.substr(2)) : rest;
    const bool is_row = body.starts_with("- ");  // list-table
    if (is_row) body = Trim(body.substr(2));
    const Marked marked = NameAt(WithoutLink(body));
    if (!marked.is_marked || !IsName(marked.name)) return;
    const std::string_view after = Trim(marked.rest);
    const bool is_defined = after.starts_with(':') || after.starts_with("- ") ||
                            after.starts_with('(') || after.starts_with("\xe2\x80\x93") ||
                            after.starts_with("\xe2\x80\x94") || after.starts_with("=") ||
                            (after.empty() && EndOfBody(i, indent) > i) ||
                            (!after.empty() && IsLower(after[0]) && LooksLikeCode(marked.name));
    if (!is_defined) return;
    const CardKind kind = KindOf(marked.name, i, is_row ? "-" : "");
    sink_.Add(kind, marked.name, {}, {i, EndOfBody(i, indent)});
  }

  // "-d, --depth=N  text" or with the text below it.
  void OptionItem(std::size_t i, std::string_view rest, std::size_t indent) {
    std::size_t at = 0;
    if (rest[1] != '-') {
      const std::size_t longer = rest.substr(0, 40).find(" --");
      if (longer != rest.npos) at = longer + 1;
    }
    std::size_t end = at;
    while (end < rest.size() && (IsNameByte(rest[end]) || rest[end] == '-')) ++end;
    const std::string_view name = rest.substr(at, end - at);
    if (!IsName(name) || name.starts_with("---")) return;
    const std::size_t last = EndOfBody(i, indent);
    const bool has_text = rest.find("  ", end) != rest.npos;
    if (has_text || last > i) sink_.Add(CardKind::kOption, name, {}, {i, last});
  }

  // A definition list: the term on its line, its body below and indented.
  void Term(std::size_t i, std::string_view line, std::size_t indent) {
    if (is_fenced_ || file_.language == "text" || i + 1 >= end_ ||
        line.size() - indent > kLongestTerm)
      return;
    const char c = line[indent];
    if (c != '`' && !IsUpper(c)) return;
    const std::string_view below = lines_.text(i + 1);
    const std::size_t deeper = IndentOf(below);
    if (deeper == below.size() || deeper <= indent) return;
    const Marked marked = NameAt(line.substr(indent));
    if (!IsName(marked.name)) return;
    if (!marked.is_marked && !IsShouted(marked.name)) return;
    if (!marked.is_marked && !Trim(marked.rest).empty()) return;
    sink_.Add(KindOf(marked.name, i, ""), marked.name, {}, {i, EndOfBody(i, indent)});
  }

  const SpottedFile& file_;
  SpotSink& sink_;
  const passages::LineTable& lines_;
  std::size_t end_;
  std::size_t help_end_ = 0;
  std::string header_;  // of the table that is read
  bool is_fenced_ = false;
};

}  // namespace

void SpotMarkup(const SpottedFile& file, std::size_t end, SpotSink& sink) {
  MarkupSpotter(file, end, sink).Run();
}

// ".TP" and a line with the option, ".IP "\-\-depth"", ".It Fl depth"
void SpotManual(SpotSink& sink) {
  const passages::LineTable& lines = sink.lines();
  const auto option = [](std::string_view line) -> std::string_view {
    const std::size_t at = line.find('-');
    if (at == line.npos) return {};
    std::size_t end = at;
    while (end < line.size() && (IsNameByte(line[end]) || line[end] == '-' || line[end] == '\\'))
      ++end;
    // "\fB\-\-depth\fR": its end is a font.
    std::string_view name = line.substr(at, end - at);
    const std::size_t font = name.find("\\f");
    name = name.substr(0, font);
    while (!name.empty() && !IsAlphanumeric(name[0])) name.remove_prefix(1);
    return name.find('\\') == name.npos ? name : std::string_view();
  };
  for (std::size_t i = 0; i < lines.count(); ++i) {
    const std::string_view line = lines.text(i);
    const bool is_next = line.starts_with(".TP");
    if (!is_next && !line.starts_with(".IP ") && !line.starts_with(".It Fl ")) continue;
    const std::size_t at = is_next ? i + 1 : i;
    if (at >= lines.count()) break;
    const std::string_view name =
        line.starts_with(".It Fl ") ? Trim(line.substr(7)) : option(lines.text(at));
    if (name.empty() || name.find(' ') != name.npos) continue;
    std::size_t last = at;
    while (last + 1 < lines.count() && last < at + kMostLines) {
      const std::string_view next = lines.text(last + 1);
      const bool ends = next.starts_with(".TP") || next.starts_with(".IP") ||
                        next.starts_with(".It") || next.starts_with(".SH");
      if (ends) break;
      ++last;
    }
    sink.Add(CardKind::kOption, name, {}, {i, last});
  }
}

}  // namespace sibyl::cards
