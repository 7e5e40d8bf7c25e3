// SPDX-License-Identifier: Apache-2.0
#include "references/find/claim.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "references/find/asserted.h"

namespace sibyl::references {
namespace {

constexpr std::size_t kMaxNames = 200;
constexpr std::size_t kLongestSnippet = 200;
constexpr std::size_t kMaxQuotedLines = 12;
constexpr std::size_t kShortestQuotedLine = 8;

// Words of code that say nothing about a place.
constexpr auto kCommon = std::to_array<std::string_view>(
    {"False",   "None",     "Null",     "Self",      "True",      "and",      "async",
     "auto",    "await",    "bool",     "break",     "case",      "catch",    "char",
     "class",   "const",    "continue", "def",       "default",   "elif",     "else",
     "enum",    "except",   "export",   "extends",   "false",     "final",    "finally",
     "float",   "fn",       "for",      "from",      "func",      "function", "if",
     "impl",    "import",   "in",       "int",       "interface", "is",       "lambda",
     "let",     "match",    "mod",      "mut",       "namespace", "new",      "not",
     "null",    "or",       "private",  "protected", "pub",       "public",   "raise",
     "return",  "self",     "static",   "std",       "str",       "string",   "struct",
     "super",   "template", "the",      "this",      "throw",     "true",     "try",
     "type",    "typedef",  "typename", "undefined", "unsigned",  "use",      "using",
     "var",     "virtual",  "void",     "where",     "while",     "with",     "yield",
     "u8",      "u16",      "u32",      "u64",       "usize",     "i8",       "i16",
     "i32",     "i64",      "isize",    "f32",       "f64",       "double",   "long",
     "short",   "size_t",   "dict",     "list",      "number",    "boolean",  "any",
     "unknown", "object",   "nil",      "error",     "assert",    "unsafe",   "dyn"});

template <std::size_t N>
bool IsIn(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool IsExcluded(const std::vector<TextSpan>& excluded, std::size_t begin, std::size_t end) {
  auto after = std::upper_bound(excluded.begin(), excluded.end(), begin,
                                [](std::size_t at, const TextSpan& span) { return at < span.end; });
  return after != excluded.end() && after->begin < end;
}

// Written as only code writes it: snake_case, camelCase, PascalCase of two parts.
bool HasCodeShape(std::string_view name) {
  const std::size_t underscore = name.find('_', 1);
  if (underscore != std::string_view::npos && underscore + 1 < name.size()) return true;
  bool has_lower = false;
  for (const char c : name) {
    if (has_lower && IsUpper(c)) return true;
    has_lower = has_lower || IsLower(c);
  }
  return false;
}

// `it`, `false`, and ordinary words in quotation marks: "copy-paste".
bool IsFiller(const ClaimedName& name) {
  if (name.kind == ClaimedName::Kind::kName && IsIn(kCommon, name.text)) return true;
  const bool is_word = std::all_of(name.text.begin(), name.text.end(),
                                   [](char c) { return IsLower(c) || c == '-'; });
  if (name.kind == ClaimedName::Kind::kQuote) return is_word && !name.text.starts_with('-');
  return name.kind == ClaimedName::Kind::kName && is_word && name.text.size() <= 2 && !name.is_call;
}

class NameReader {
 public:
  NameReader(const statement::Statement& statement, const std::vector<TextSpan>& excluded)
      : statement_(statement), text_view_(statement.text), excluded_(excluded) {}

  std::vector<NamedPlace> Read() {
    for (const statement::TextRun& run : statement_.runs) {
      if (run.is_code) {
        ReadCode(run.begin, run.end);
      } else {
        ReadProse(run.begin, run.end);
      }
    }
    ReadQuotations();
    std::stable_sort(names_.begin(), names_.end(),
                     [](const NamedPlace& a, const NamedPlace& b) { return a.begin < b.begin; });
    if (names_.size() > kMaxNames) names_.resize(kMaxNames);
    return std::move(names_);
  }

 private:
  void Add(std::size_t begin, std::size_t end, ClaimedName name) {
    if (names_.size() >= 4 * kMaxNames || IsExcluded(excluded_, begin, end)) return;
    name.is_asserted = !IsFiller(name) && IsAsserted(text_view_, begin);
    names_.push_back({.name = std::move(name), .begin = begin, .end = end});
  }

  // Identifiers in [begin, end); in prose only those that have the shape of code
  // or are called.
  void ReadNames(std::size_t begin, std::size_t end, bool in_code, bool is_part = false) {
    // `None` alone is the subject of the sentence.
    const auto is_alone = [&](std::string_view name) { return name.size() == end - begin; };
    for (std::size_t at = begin; at < end;) {
      if (!IsNameStart(text_view_[at])) {
        // The digits of 0x1f are no name.
        if (IsDigit(text_view_[at])) {
          while (at < end && IsNameByte(text_view_[at])) ++at;
        } else {
          ++at;
        }
        continue;
      }
      std::size_t stop = at;
      while (stop < end && IsNameByte(text_view_[stop])) ++stop;
      const std::string_view name = text_view_.substr(at, stop - at);
      const bool is_qualifier = IsQualifier(at, stop, end);
      const bool is_call = stop < text_view_.size() && text_view_[stop] == '(' &&
                           (in_code || text_view_.substr(stop, 2) == "()");
      const bool is_wanted = in_code ? name.size() >= 2 && (!IsIn(kCommon, name) || is_alone(name))
                                     : HasCodeShape(name) || (is_call && name.size() >= 3);
      // src/scan/file_walker.{h,cc}
      const bool in_path =
          !in_code && ((at > 0 && text_view_[at - 1] == '/') ||
                       text_view_.substr(stop, 2) == ".{" || text_view_.substr(stop, 2) == ".*");
      if (is_wanted && !in_path) {
        Add(at, stop,
            {.text = std::string(name),
             .in_code = in_code,
             .is_call = is_call,
             .is_own = !is_qualifier,
             .is_part = is_part});
      }
      at = stop;
    }
  }

  // `vm::run`, `Reader.parse`: what is before the last name. `self.parse` and
  // `config.limit` may be written otherwise in the code.
  bool IsQualifier(std::size_t begin, std::size_t stop, std::size_t end) const {
    const auto starts_name = [&](std::size_t at) {
      return at < end && IsNameStart(text_view_[at]);
    };
    if (text_view_.substr(stop, 2) == "::") return starts_name(stop + 2);
    constexpr std::size_t kShortest = 5;
    const std::string_view name = text_view_.substr(begin, stop - begin);
    if (text_view_.substr(stop, 1) != "." || !IsUpper(name[0]) || !starts_name(stop + 1)) {
      return false;
    }
    std::size_t last = stop + 1;
    while (last < end && IsNameByte(text_view_[last])) ++last;
    return std::any_of(name.begin(), name.end(), IsLower) && last - stop > kShortest;
  }

  void ReadCode(std::size_t begin, std::size_t end) {
    const std::string_view snippet = text_view_.substr(begin, end - begin);
    // A folder or a file, not a claim.
    if (Contains(snippet, "/") && std::all_of(snippet.begin(), snippet.end(), [](char c) {
          return IsNameByte(c) || c == '/' || c == '.' || c == '-' || c == '{' || c == '}' ||
                 c == ',' || c == '*';
        })) {
      return;
    }
    const bool is_plain = std::all_of(snippet.begin(), snippet.end(), [](char c) {
      return IsNameByte(c) || c == ':' || c == '.' || c == '(' || c == ')';
    });
    if (!is_plain && snippet.size() <= kLongestSnippet) {
      std::string squeezed = SqueezeBlanks(snippet);
      if (squeezed.size() >= 4) {
        Add(begin, end,
            {.text = std::move(squeezed), .kind = ClaimedName::Kind::kCode, .in_code = true});
      }
    }
    // `parse(text, limits)` names the function, whatever its parameters, and
    // `MAX_SIZE = 100` what has that value.
    std::size_t called = is_plain ? 0 : CalledLength(snippet);
    if (called == 0 && !is_plain) called = AssignedLength(snippet);
    if (called > 0) ReadNames(begin, begin + called, true);
    ReadNames(begin + called, end, true, !is_plain);
  }

  // Bytes before the parentheses of a call that is the whole snippet; otherwise zero.
  static std::size_t CalledLength(std::string_view snippet) {
    const std::size_t open = snippet.find('(');
    if (open == std::string_view::npos || !snippet.ends_with(')')) return 0;
    const std::string_view name = snippet.substr(0, open);
    const bool is_name = !name.empty() && IsNameByte(name.back()) &&
                         std::all_of(name.begin(), name.end(),
                                     [](char c) { return IsNameByte(c) || c == ':' || c == '.'; });
    return is_name ? open : 0;
  }

  // Bytes of the name that a snippet gives a value or a type; otherwise zero.
  static std::size_t AssignedLength(std::string_view snippet) {
    constexpr std::size_t kShortest = 6;
    const auto stop = std::find_if_not(snippet.begin(), snippet.end(), IsNameByte);
    const std::string_view name(snippet.begin(), stop);
    const std::string_view rest = snippet.substr(name.size());
    const bool is_assigned = rest.starts_with(" = ") || rest.starts_with(": ") ||
                             rest.starts_with(" := ") || rest.starts_with("=");
    return is_assigned && name.size() >= kShortest && HasCodeShape(name) ? name.size() : 0;
  }

  void ReadProse(std::size_t begin, std::size_t end) { ReadNames(begin, end, false); }

  void ReadQuotations() {
    struct Marks {
      std::string_view open, close;
    };
    for (const Marks& marks : {Marks{"\"", "\""}, Marks{"“", "”"}, Marks{"「", "」"}}) {
      std::size_t at = 0;
      while ((at = text_view_.find(marks.open, at)) != std::string_view::npos) {
        const std::size_t begin = at + marks.open.size();
        const std::size_t end = text_view_.find(marks.close, begin);
        if (end == std::string_view::npos) break;
        std::string quote = end - begin <= kLongestSnippet
                                ? SqueezeBlanks(text_view_.substr(begin, end - begin))
                                : std::string();
        if (quote.size() >= 6) {
          Add(begin, end, {.text = std::move(quote), .kind = ClaimedName::Kind::kQuote});
        }
        at = end + marks.close.size();
      }
    }
  }

  const statement::Statement& statement_;
  std::string_view text_view_;
  const std::vector<TextSpan>& excluded_;
  std::vector<NamedPlace> names_;
};

}  // namespace

std::string SqueezeBlanks(std::string_view text) {
  std::string squeezed;
  bool had_blank = false;
  for (const char c : Trim(text)) {
    if (IsBlank(c)) {
      had_blank = true;
      continue;
    }
    if (had_blank) squeezed += ' ';
    had_blank = false;
    squeezed += c;
  }
  return squeezed;
}

std::vector<NamedPlace> NamesIn(const statement::Statement& statement,
                                const std::vector<TextSpan>& excluded) {
  return NameReader(statement, excluded).Read();
}

std::vector<ClaimedName> QuotedLines(std::string_view code) {
  std::vector<ClaimedName> quoted;
  for (const std::string_view line : SplitLines(code)) {
    if (quoted.size() >= kMaxQuotedLines) break;
    std::string squeezed = SqueezeBlanks(line);
    const auto letters = std::count_if(squeezed.begin(), squeezed.end(), IsNameByte);
    if (static_cast<std::size_t>(letters) < kShortestQuotedLine ||
        squeezed.size() > kLongestSnippet) {
      continue;
    }
    // Comments of the author, and ellipses.
    if (squeezed.starts_with("//") || squeezed.starts_with("#") || Contains(squeezed, "...")) {
      continue;
    }
    quoted.push_back(
        {.text = std::move(squeezed), .kind = ClaimedName::Kind::kBlock, .in_code = true});
  }
  return quoted;
}

}  // namespace sibyl::references
