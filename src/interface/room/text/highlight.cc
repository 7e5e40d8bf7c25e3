// SPDX-License-Identifier: Apache-2.0
#include "interface/room/text/highlight.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::interface {
namespace {

enum TokenClass : std::uint8_t {
  kNoClass,
  kComment,
  kString,
  kNumber,
  kKeyword,
  kGround = 0x40,
  kMarked = 0x80
};

constexpr std::string_view kCKeywords[] = {
    "__device__", "__global__", "__host__", "__shared__", "auto",     "bool",      "break",
    "case",       "catch",      "char",     "class",      "const",    "constexpr", "continue",
    "crate",      "default",    "define",   "defer",      "delete",   "do",        "double",
    "else",       "endif",      "enum",     "export",     "extern",   "false",     "final",
    "float",      "fn",         "for",      "func",       "function", "if",        "ifdef",
    "ifndef",     "impl",       "import",   "include",    "inline",   "int",       "interface",
    "let",        "long",       "match",    "mod",        "mut",      "namespace", "new",
    "nil",        "null",       "nullptr",  "operator",   "package",  "private",   "protected",
    "pub",        "public",     "return",   "self",       "short",    "signed",    "sizeof",
    "static",     "struct",     "switch",   "template",   "this",     "throw",     "trait",
    "true",       "try",        "type",     "typedef",    "typename", "undef",     "union",
    "unsigned",   "use",        "using",    "var",        "virtual",  "void",      "volatile",
    "where",      "while"};
constexpr std::string_view kHashKeywords[] = {
    "ADD",      "ARG",    "CMD",      "COPY",     "ENTRYPOINT", "ENV",         "EXPOSE",
    "FROM",     "False",  "LABEL",    "None",     "RUN",        "STOPSIGNAL",  "True",
    "USER",     "VOLUME", "WORKDIR",  "and",      "as",         "assert",      "async",
    "await",    "break",  "class",    "continue", "def",        "del",         "do",
    "done",     "elif",   "else",     "elseif",   "endforeach", "endfunction", "endif",
    "endmacro", "except", "export",   "false",    "fi",         "finally",     "for",
    "foreach",  "from",   "function", "global",   "if",         "import",      "in",
    "is",       "lambda", "local",    "macro",    "nonlocal",   "not",         "or",
    "pass",     "raise",  "return",   "set",      "then",       "true",        "try",
    "while",    "with",   "yield"};

bool IsLikeC(Syntax syntax) { return syntax == Syntax::kC || syntax == Syntax::kScript; }

bool IsKeyword(std::string_view word, Syntax syntax) {
  const auto has = [word](const auto& words) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
  };
  return IsLikeC(syntax) ? has(kCKeywords) : syntax == Syntax::kHash && has(kHashKeywords);
}

bool IsTokenByte(char byte) { return IsNameByte(byte); }

// A part of a path, an option or a variable is not a keyword: "/usr/local", "--if", "$in".
bool IsWithinName(std::string_view line, std::size_t begin, std::size_t end) {
  constexpr std::string_view kBefore = "/-.$@{";
  constexpr std::string_view kAfter = "/-";
  return (begin > 0 && kBefore.find(line[begin - 1]) != std::string_view::npos) ||
         (end < line.size() && kAfter.find(line[end]) != std::string_view::npos);
}

constexpr std::string_view kClassNames[] = {"", "tc", "ts", "tn", "tk"};

}  // namespace

Syntax SyntaxOf(std::string_view name) {
  const std::string_view file = name.substr(name.rfind('/') + 1);
  if (file == "CMakeLists.txt" || file == "Dockerfile" || file == "Makefile") return Syntax::kHash;
  const std::size_t dot = file.rfind('.');
  const std::string ending = LowerCase(dot == std::string_view::npos ? file : file.substr(dot + 1));
  constexpr std::string_view kC[] = {
      "c",     "h",    "cc",    "hh",  "cpp",  "hpp",  "cxx", "hxx",  "cu",    "cuh",
      "c++",   "cuda", "inl",   "ipp", "java", "go",   "rs",  "rust", "swift", "kt",
      "scala", "cs",   "proto", "ptx", "glsl", "hlsl", "cl",  "zig",  "inc"};
  constexpr std::string_view kScript[] = {"js",  "mjs", "cjs",  "ts",         "jsx",
                                          "tsx", "php", "dart", "javascript", "typescript"};
  constexpr std::string_view kHash[] = {"py",   "python",     "cmake", "sh",      "bash", "zsh",
                                        "yaml", "yml",        "toml",  "rb",      "pl",   "make",
                                        "mk",   "dockerfile", "shell", "console", "r",    "pyi",
                                        "bzl",  "conf",       "cfg",   "ini",     "nix",  "awk"};
  constexpr std::string_view kDash[] = {"sql", "lua", "hs", "ada", "vhdl"};
  const auto in = [&ending](const auto& endings) {
    return std::find(std::begin(endings), std::end(endings), ending) != std::end(endings);
  };
  if (in(kC)) return Syntax::kC;
  if (in(kScript)) return Syntax::kScript;
  if (in(kHash)) return Syntax::kHash;
  return in(kDash) ? Syntax::kDash : Syntax::kPlain;
}

// Whether a quote begins a string. An apostrophe does not; nor does the lifetime of Rust.
bool BeginsString(std::string_view line, std::size_t at, Syntax syntax) {
  const char quote = line[at];
  if (quote == '"') return true;
  if (quote == '`') return syntax == Syntax::kScript;
  if (quote != '\'' || (at > 0 && IsTokenByte(line[at - 1]))) return false;
  if (syntax != Syntax::kC) return true;
  constexpr std::size_t kLongestCharacter = 12;  // '\u{1F600}'
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != '\'') end += line[end] == '\\' ? 2 : 1;
  if (end >= line.size() || end - at > kLongestCharacter) return false;
  // 'a', 'ä' and '\n', but not "'a, '" of two lifetimes.
  const bool is_ascii = static_cast<unsigned char>(line[at + 1]) < 0x80U;
  return line[at + 1] == '\\' || end - at == 2 || (!is_ascii && end - at <= 5);
}

// "#" begins a comment, but not in "$#", "${#x}" and "page#part".
bool BeginsHashComment(std::string_view line, std::size_t at) {
  constexpr std::string_view kBefore = " \t;(){}[],";
  if (at == 0) return true;
  if (at > 1 && line[at - 1] == '{' && line[at - 2] == '$') return false;
  return kBefore.find(line[at - 1]) != std::string_view::npos;
}

// From the quote at `at` to the end of the string, or of the line.
void Highlighter::ClassifyString(std::string_view line, std::size_t& at) {
  const std::size_t begin = at;
  const char quote = line[at];
  const bool is_long = long_quote_ == '\0' && line.substr(at).starts_with(std::string(3, quote)) &&
                       syntax_ == Syntax::kHash;
  at += is_long ? 3 : 1;
  if (is_long) {
    const std::size_t end = line.find(std::string(3, quote), at);
    if (end == std::string_view::npos) long_quote_ = quote;
    at = end == std::string_view::npos ? line.size() : end + 3;
  } else {
    while (at < line.size() && line[at] != quote) at += line[at] == '\\' ? 2 : 1;
    at = std::min(at + 1, line.size());
  }
  std::fill(classes_.begin() + static_cast<std::ptrdiff_t>(begin),
            classes_.begin() + static_cast<std::ptrdiff_t>(at), kString);
}

void Highlighter::Classify(std::string_view line) {
  const auto fill = [this](std::size_t begin, std::size_t end, TokenClass kind) {
    std::fill(classes_.begin() + static_cast<std::ptrdiff_t>(begin),
              classes_.begin() + static_cast<std::ptrdiff_t>(end), kind);
  };
  std::size_t at = 0;
  if (long_quote_ != '\0') {
    const std::size_t end = line.find(std::string(3, long_quote_));
    at = end == std::string_view::npos ? line.size() : end + 3;
    if (end != std::string_view::npos) long_quote_ = '\0';
    fill(0, at, kString);
  }
  while (at < line.size()) {
    const std::size_t begin = at;
    const std::string_view rest = line.substr(at);
    if (in_comment_ || (IsLikeC(syntax_) && rest.starts_with("/*"))) {
      const std::size_t end = line.find("*/", in_comment_ ? at : at + 2);
      in_comment_ = end == std::string_view::npos;
      at = in_comment_ ? line.size() : end + 2;
      fill(begin, at, kComment);
    } else if ((IsLikeC(syntax_) && rest.starts_with("//")) ||
               (syntax_ == Syntax::kHash && rest[0] == '#' && BeginsHashComment(line, at)) ||
               (syntax_ == Syntax::kDash && rest.starts_with("--"))) {
      at = line.size();
      fill(begin, at, kComment);
    } else if (BeginsString(line, at, syntax_)) {
      ClassifyString(line, at);
    } else if (IsTokenByte(rest[0])) {
      while (at < line.size() && (IsTokenByte(line[at]) || (line[at] == '.' && IsDigit(rest[0])))) {
        ++at;
      }
      if (IsDigit(rest[0])) {
        fill(begin, at, kNumber);
      } else if (IsKeyword(line.substr(begin, at - begin), syntax_) &&
                 (syntax_ != Syntax::kHash || !IsWithinName(line, begin, at))) {
        fill(begin, at, kKeyword);
      }
    } else {
      ++at;
    }
  }
}

void Highlighter::BeginWithin(std::span<const std::string_view> lines) {
  if (IsLikeC(syntax_)) {
    std::size_t stars = 0;
    std::size_t filled = 0;
    for (const std::string_view line : lines) {
      const std::size_t open = line.find("/*");
      const std::size_t close = line.find("*/");
      if (open != std::string_view::npos && (close == std::string_view::npos || open < close)) {
        return;
      }
      if (close != std::string_view::npos) {
        in_comment_ = true;
        return;
      }
      filled += Trim(line).empty() ? 0 : 1;
      stars += Trim(line).starts_with('*') ? 1 : 0;
    }
    // The lines of a comment between its ends.
    in_comment_ = filled > 0 && stars == filled;
    return;
  }
  if (syntax_ != Syntax::kHash) return;
  for (const char quote : {'"', '\''}) BeginWithinString(lines, quote);
}

// An odd number of marks has a begin or an end too few. An end comes after text, or is alone on
// a line that is not the first; a begin comes first, or after an assignment.
void Highlighter::BeginWithinString(std::span<const std::string_view> lines, char quote) {
  const std::string three(3, quote);
  std::size_t count = 0;
  bool is_end = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t at = lines[i].find(three); at != std::string_view::npos;
         at = lines[i].find(three, at + three.size())) {
      if (++count > 1) continue;
      const std::string_view before = Trim(lines[i].substr(0, at));
      const bool is_alone = before.empty() && Trim(lines[i].substr(at + three.size())).empty();
      is_end = (is_alone && i > 0) || (before.find(' ') != std::string_view::npos &&
                                       !before.ends_with('=') && !before.ends_with('('));
    }
  }
  if (count % 2 == 1 && is_end) long_quote_ = quote;
}

void Highlighter::Line(std::string_view line, std::span<const MarkedBytes> marks, Html& html) {
  classes_.assign(line.size(), kNoClass);
  if (syntax_ != Syntax::kPlain) Classify(line);
  for (const MarkedBytes& mark : marks) {
    for (std::size_t i = mark.begin; i < std::min(mark.end, line.size()); ++i) {
      classes_[i] |= mark.is_ground ? kGround : kMarked;
    }
  }
  for (std::size_t begin = 0; begin < line.size();) {
    std::size_t end = begin + 1;
    while (end < line.size() && classes_[end] == classes_[begin]) ++end;
    const bool is_marked = (classes_[begin] & kMarked) != 0;
    const bool is_ground = (classes_[begin] & kGround) != 0;
    const std::string_view name = kClassNames[classes_[begin] & ~(kMarked | kGround)];
    if (is_marked) html.Markup("<mark>");
    if (is_ground) html.Markup("<b class=\"gr\">");
    if (name.empty()) {
      html.Text(line.substr(begin, end - begin));
    } else {
      html.Element("span", {{"class", name}}, line.substr(begin, end - begin));
    }
    if (is_ground) html.Markup("</b>");
    if (is_marked) html.Markup("</mark>");
    begin = end;
  }
}

}  // namespace sibyl::interface
