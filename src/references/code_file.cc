// SPDX-License-Identifier: Apache-2.0
#include "references/code_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "references/find/claim.h"

namespace sibyl::references {
namespace {

using Kind = DefinitionPlace::Kind;

constexpr std::size_t kMaxUses = 10'000;
constexpr std::size_t kMaxTexts = 100;
constexpr std::size_t kLongName = 10;
constexpr std::size_t kMaxBodyLines = 20'000;

constexpr auto kFunctionWords = std::to_array<std::string_view>(
    {"fn", "def", "func", "function", "fun", "sub", "proc", "function*", "task", "macro_rules!"});
constexpr auto kTypeWords = std::to_array<std::string_view>(
    {"class",  "struct",    "enum",    "trait",   "interface", "type",      "mod",
     "module", "namespace", "union",   "concept", "using",     "package",   "object",
     "record", "protocol",  "#define", "const",   "static",    "let",       "var",
     "val",    "mut",       "define",  "newtype", "data",      "constexpr", "final"});
// Words before a name that show a use of it.
constexpr auto kUseWords = std::to_array<std::string_view>(
    {"return", "new",      "throw", "else",  "case",  "await",  "yield", "in",
     "not",    "and",      "or",    "if",    "while", "import", "from",  "use",
     "delete", "co_await", "goto",  "match", "raise", "assert"});

// Not names, although parentheses and a brace follow.
constexpr auto kStatementWords = std::to_array<std::string_view>(
    {"if", "for", "while", "switch", "catch", "else", "do", "elif", "return", "with", "match",
     "loop", "try", "foreach", "until", "when", "unless", "operator"});

std::size_t IndentOf(std::string_view line) {
  std::size_t indent = 0;
  while (indent < line.size() && (line[indent] == ' ' || line[indent] == '\t')) ++indent;
  return indent;
}

std::string_view LastWord(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && !IsBlank(text[begin - 1])) --begin;
  return text.substr(begin);
}

// "static std::vector<int>& Class::" and the like: nothing that computes.
bool IsTypeText(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsNameByte(c) || c == ' ' || c == ':' || c == '*' || c == '&' || c == '<' || c == '>' ||
           c == ',' || c == '~' || c == '[' || c == ']' || c == '\t' || c == '(' || c == ')';
  });
}

struct LineParts {
  std::string_view before;  ///< Of the name, without the indent.
  std::string_view after;
  std::string_view line;
};

// int Class::name(…) {    bool name() const;
std::optional<Kind> KindAsC(const LineParts& parts) {
  std::string_view before = parts.before;
  const std::string_view after = Trim(parts.after);
  const std::string_view end = Trim(parts.line);
  if (before.empty()) {
    // name() {   in shells and in C with the type on the line above.
    const bool opens = after.starts_with('(') && end.ends_with('{');
    return opens ? std::optional(Kind::kFunction) : std::nullopt;
  }
  if (!IsTypeText(before)) return std::nullopt;
  const bool is_qualified = before.ends_with("::");
  const std::string_view trimmed = Trim(before);
  if (trimmed.starts_with("using ") || trimmed.starts_with("pub use ") ||
      trimmed.starts_with("export ") || trimmed.starts_with("impl ") || trimmed == "impl" ||
      trimmed.starts_with("impl<")) {
    return std::nullopt;
  }
  if (IsOneOf(LastWord(trimmed), kUseWords) ||
      IsOneOf(trimmed.substr(0, trimmed.find(' ')), kUseWords)) {
    return std::nullopt;
  }
  // A call as an argument of another, or a qualified call at the start of a line.
  if (Contains(before, "(")) return std::nullopt;
  if (is_qualified && !Contains(trimmed, " ")) {
    // Constructors, and definitions whose type is on the line above.
    const bool opens = after.starts_with('(') && (end.ends_with('{') || end.ends_with(':')) &&
                       IndentOf(parts.line) == 0;
    return opens ? std::optional(Kind::kFunction) : std::nullopt;
  }
  if (!is_qualified && before.back() != ' ' && before.back() != '*' && before.back() != '&') {
    return std::nullopt;
  }
  if (after.starts_with('(')) {
    return std::optional(Kind::kFunction);
  }
  if (after.starts_with(';') || after.starts_with("= ") || after.starts_with('{') ||
      after.starts_with('[')) {
    return Kind::kMember;
  }
  return std::nullopt;
}

std::optional<Kind> KindAt(const LineParts& parts) {
  const std::string_view trimmed = Trim(parts.before);
  const std::string_view word = LastWord(trimmed);
  if (!trimmed.empty() && trimmed.size() < parts.before.size()) {
    if (IsOneOf(word, kFunctionWords)) return Kind::kFunction;
    if (IsOneOf(word, kTypeWords)) return Kind::kType;
  }
  // Go: func (r *Reader) Name(
  if (trimmed.starts_with("func (") && trimmed.ends_with(')')) return Kind::kFunction;
  const std::string_view after = Trim(parts.after);
  if (trimmed.empty() || trimmed == "pub" || trimmed == "pub(crate)" || trimmed == "export" ||
      trimmed == "async" || trimmed == "public" || trimmed == "private") {
    // name: Type,   NAME = 1   Variant,   Variant {   "key":
    const bool is_assigned =
        (after.starts_with("= ") || after.starts_with(":=")) && IndentOf(parts.line) <= 4;
    const bool is_typed = after.starts_with(": ") || after == ":";
    const bool is_variant =
        after == "," || after == "{" || (after.starts_with("= ") && after.ends_with(','));
    if (is_assigned || is_typed || is_variant) return Kind::kMember;
  }
  return KindAsC(parts);
}

}  // namespace

bool IsCommentLine(std::string_view line) {
  const std::string_view text = Trim(line);
  return text.starts_with("//") || text.starts_with("*") || text.starts_with("/*") ||
         (text.starts_with("#") && !text.starts_with("#define"));
}

const DefinitionPlace* OnlyDefinition(const NameUses& uses) {
  const DefinitionPlace* only = nullptr;
  const DefinitionPlace* member = nullptr;
  std::size_t members = 0;
  for (const DefinitionPlace& definition : uses.definitions) {
    if (definition.kind == Kind::kMember) {
      member = &definition;
      ++members;
    } else if (only != nullptr) {
      return nullptr;
    } else {
      only = &definition;
    }
  }
  if (only != nullptr) return only;
  return members == 1 ? member : nullptr;
}

CodeFile::CodeFile(std::string text) : text_(std::move(text)), table_(text_) {}

const NameUses& CodeFile::UsesOf(std::string_view name) const {
  const MutexLock lock(mutex_);
  auto known = uses_.find(name);
  if (known == uses_.end()) {
    NameUses uses = FindUses(name, Words::kWhole);
    // test_parses_names for parses_names
    if (uses.lines.empty() && name.size() >= kLongName && Contains(name, "_")) {
      uses = FindUses(name, Words::kParts);
    }
    known = uses_.emplace(std::string(name), std::move(uses)).first;
  }
  return known->second;
}

NameUses CodeFile::FindUses(std::string_view name, Words words) const {
  NameUses uses;
  if (name.empty()) return uses;
  std::size_t line = 0;
  for (std::size_t at = text_.find(name); at != std::string::npos;
       at = text_.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    const bool starts = at == 0 || !IsNameByte(text_[at - 1]) || !IsNameByte(name.front());
    const bool ends = end == text_.size() || !IsNameByte(text_[end]) || !IsNameByte(name.back());
    const bool is_word =
        words == Words::kWhole ? starts && ends : (starts || text_[at - 1] == '_') && ends;
    if (!is_word) continue;
    line = table_.LineAtFrom(line, at);
    if (uses.lines.empty() || uses.lines.back() != line + 1) {
      if (uses.lines.size() >= kMaxUses) break;
      uses.lines.push_back(line + 1);
      std::size_t begin = at;
      while (begin > table_.begin(line) && IsNameByte(text_[begin - 1]) &&
             IsNameByte(text_[begin])) {
        --begin;
      }
      AddDefinition(line + 1, begin - table_.begin(line),
                    std::string_view(text_).substr(begin, end - begin), uses);
    }
  }
  return uses;
}

void CodeFile::AddDefinition(std::size_t line, std::size_t column, std::string_view name,
                             NameUses& uses) const {
  const std::string_view whole = Line(line);
  if (IsCommentLine(whole) || column + name.size() > whole.size()) return;
  const std::size_t indent = std::min(IndentOf(whole), column);
  const std::optional<Kind> kind = KindAt({.before = whole.substr(indent, column - indent),
                                           .after = whole.substr(column + name.size()),
                                           .line = whole});
  if (!kind) return;
  const std::size_t last = *kind == Kind::kMember ? line : BodyEnd(line);
  const std::size_t comment = *kind == Kind::kMember ? line : CommentAbove(line);
  uses.definitions.push_back({.lines = {line, last}, .comment = comment, .kind = *kind});
}

std::size_t CodeFile::CommentAbove(std::size_t line) const {
  constexpr std::size_t kLongestComment = 80;
  std::size_t first = line;
  while (first > 1 && line - first < kLongestComment) {
    const std::string_view above = Trim(Line(first - 1));
    const bool belongs = above.starts_with("//") || above.starts_with("/*") ||
                         above.starts_with("*") || above.starts_with("#[") ||
                         above.starts_with("@") || above.starts_with("# ") ||
                         above.starts_with("[[") || above.starts_with("template");
    if (!belongs) break;
    --first;
  }
  return first;
}

std::vector<NamedDefinition> CodeFile::Definitions(std::size_t most) const {
  constexpr std::size_t kLongestLine = 400;
  constexpr std::size_t kMostIndent = 8;
  std::vector<NamedDefinition> found;
  for (std::size_t line = 1; line <= line_count() && found.size() < most; ++line) {
    const std::string_view text = Line(line);
    const std::size_t indent = IndentOf(text);
    if (text.size() > kLongestLine || indent > kMostIndent) continue;
    for (std::size_t at = indent; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && IsNameByte(text[end])) ++end;
      const std::string_view name = text.substr(at, end - at);
      const std::size_t column = std::exchange(at, std::max(end, at + 1));
      if (name.empty() || !IsNameStart(name.front()) || IsOneOf(name, kStatementWords)) continue;
      NameUses uses;
      AddDefinition(line, column, name, uses);
      if (uses.definitions.empty() || uses.definitions[0].kind == Kind::kMember) continue;
      const DefinitionPlace& place = uses.definitions[0];
      const bool is_local = indent > 0 && place.kind == Kind::kType && place.lines.last == line;
      if (!is_local) found.push_back({.name = std::string(name), .place = place});
      break;
    }
  }
  return found;
}

// Formatted code closes a body at the indent of its first line.
std::size_t CodeFile::BodyEnd(std::size_t line) const {
  const std::string_view first = Line(line);
  const std::string_view trimmed = Trim(first);
  if (trimmed.ends_with(';') || (trimmed.ends_with('}') && Contains(trimmed, "{"))) return line;
  const std::size_t indent = IndentOf(first);
  const bool by_indent = trimmed.starts_with("def ") || trimmed.starts_with("class ") ||
                         trimmed.starts_with("async def ");
  std::size_t last_text = line;
  const std::size_t limit = std::min(line_count(), line + kMaxBodyLines);
  for (std::size_t at = line + 1; at <= limit; ++at) {
    const std::string_view text = Line(at);
    const std::string_view content = Trim(text);
    if (content.empty()) continue;
    // "}) async {", "}: Options) {": the end of the parameters.
    const bool opens = content.starts_with('}') && content.ends_with('{');
    if (IndentOf(text) > indent || content.starts_with(')') || content.starts_with('#') ||
        content == "{" || content.starts_with("where") || opens) {
      last_text = at;
      // int f(\n    int a);
      if (at == line + 1 && !trimmed.ends_with('{') && content.ends_with(");")) return at;
      continue;
    }
    if (IndentOf(text) == indent && content.starts_with('}')) return at;
    if (IndentOf(text) == indent && content == "end") return at;
    if (by_indent || IndentOf(text) < indent) return last_text;
    // A statement at the same indent: the definition had no body.
    return last_text;
  }
  return last_text;
}

const std::vector<std::size_t>& CodeFile::LinesWith(std::string_view squeezed) const {
  const MutexLock lock(mutex_);
  auto known = texts_.find(squeezed);
  if (known != texts_.end()) return known->second;
  std::vector<std::size_t> lines;
  // The first word is found quickly; the rest is compared without blanks.
  const std::string_view head = squeezed.substr(0, squeezed.find(' '));
  std::size_t line = 0;
  for (std::size_t at = head.empty() ? std::string::npos : text_.find(head);
       at != std::string::npos && lines.size() < kMaxTexts; at = text_.find(head, at + 1)) {
    std::size_t source = at;
    std::size_t wanted = 0;
    while (wanted < squeezed.size() && source < text_.size()) {
      if (squeezed[wanted] == ' ') {
        ++wanted;
        continue;
      }
      if (IsBlank(text_[source])) {
        ++source;
        continue;
      }
      if (text_[source] != squeezed[wanted]) break;
      ++source;
      ++wanted;
    }
    if (wanted < squeezed.size()) continue;
    line = table_.LineAtFrom(line, at);
    if (lines.empty() || lines.back() != line + 1) lines.push_back(line + 1);
  }
  return texts_.emplace(std::string(squeezed), std::move(lines)).first->second;
}

}  // namespace sibyl::references
