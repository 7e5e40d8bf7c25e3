// SPDX-License-Identifier: Apache-2.0
#include "cards/definition_header.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "cards/source_text.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kLongestHeader = 4000;
constexpr std::size_t kMostParameters = 200;

bool IsKeyword(std::string_view word) {
  constexpr std::array<std::string_view, 29> kWords = {
      "if",       "for",      "while",   "switch", "catch",   "return",   "else",          "do",
      "new",      "delete",   "throw",   "sizeof", "alignof", "decltype", "static_assert", "elif",
      "and",      "or",       "not",     "in",     "is",      "assert",   "lambda",        "print",
      "noexcept", "requires", "defined", "case",   "foreach"};
  return IsOneOf(word, kWords);
}

// Words with parentheses that are no parameters.
bool IsAttribute(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {
      "__attribute__", "__launch_bounds__", "alignas", "__align__",
      "decltype",      "__declspec",        "explicit"};
  return IsOneOf(word, kWords);
}

// The bracket that closes the one at `open`; npos if none does.
std::size_t Closing(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size() && i < open + kLongestHeader; ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
    if ((text[i] == ')' || text[i] == ']' || text[i] == '}') && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::size_t ClosingAngle(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size() && i < open + kLongestHeader; ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i;
    if (text[i] == '(') {
      i = Closing(text, i);
      if (i == std::string_view::npos) break;
    }
  }
  return std::string_view::npos;
}

// "int x = 4", "x: int = 4", "*args", "const T& x"
Member ReadParameter(std::string_view text) {
  Member parameter = {.kind = MemberKind::kParameter, .name = {}};
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos) parameter.value = Trim(text.substr(equals + 1));
  std::string_view left = text.substr(0, equals);
  const std::size_t colon = left.find(':');
  const bool is_typed_after = colon != std::string_view::npos &&
                              !left.substr(colon).starts_with("::") &&
                              (colon == 0 || left[colon - 1] != ':');
  if (is_typed_after) left = left.substr(0, colon);
  if (const std::size_t array = left.find('['); array != std::string_view::npos) {
    left = left.substr(0, array);
  }
  parameter.name = LastName(left);
  return parameter;
}

std::vector<Member> ReadParameters(std::string_view list) {
  std::vector<Member> parameters;
  for (const std::string_view part : SplitList(list)) {
    if (parameters.size() >= kMostParameters) break;
    Member parameter = ReadParameter(part);
    if (!parameter.name.empty()) parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::string_view WithoutTemplate(std::string_view header) {
  for (header = Trim(header); header.starts_with("template"); header = Trim(header)) {
    const std::size_t open = header.find('<');
    const std::size_t close = open == std::string_view::npos ? open : ClosingAngle(header, open);
    if (close == std::string_view::npos) return {};
    header.remove_prefix(close + 1);
  }
  return header;
}

std::vector<std::string> ReadBases(std::string_view list) {
  constexpr std::array<std::string_view, 4> kAccess = {"public", "private", "protected", "virtual"};
  std::vector<std::string> bases;
  for (std::string_view part : SplitList(list)) {
    if (part.find('=') != std::string_view::npos) continue;  // metaclass=M
    part = part.substr(0, part.find('<'));
    const std::string_view name = LastName(part.substr(0, part.find('[')));
    if (!name.empty() && !IsOneOf(name, kAccess)) bases.emplace_back(name);
  }
  return bases;
}

// "enum class Mode : int", "struct alignas(16) A final : public B<int>"
std::optional<Definition> ReadType(std::string_view header) {
  constexpr std::array<std::string_view, 8> kBefore = {
      "typedef", "static", "inline", "export", "public", "private", "abstract", "constexpr"};
  std::string_view word = NameAtStart(header);
  while (IsOneOf(word, kBefore)) {
    header = Trim(header.substr(word.size()));
    word = NameAtStart(header);
  }
  Definition type = {.kind = DefinitionKind::kType};
  if (word == "type") {  // Go
    const std::string_view name = NameAtStart(Trim(header.substr(word.size())));
    if (LastName(header) != "struct" && LastName(header) != "interface") return std::nullopt;
    type.name = name;
    return type;
  }
  constexpr std::array<std::string_view, 7> kTypes = {"class",     "struct", "union", "enum",
                                                      "interface", "trait",  "impl"};
  if (word == "namespace") {
    type.kind = DefinitionKind::kNamespace;
  } else if (!IsOneOf(word, kTypes)) {
    return std::nullopt;
  }
  if (word == "enum") type.kind = DefinitionKind::kEnumeration;
  std::string_view rest = header.substr(word.size());
  std::size_t colon = rest.find(':');
  while (colon != std::string_view::npos && rest.substr(colon).starts_with("::")) {
    colon = rest.find(':', colon + 2);
  }
  std::string_view names = rest.substr(0, colon);
  if (names.find('=') != std::string_view::npos) return std::nullopt;
  names = Trim(names.substr(0, names.find('<')));
  if (names.ends_with("final")) names = Trim(names.substr(0, names.size() - 5));
  if (names.ends_with(')')) return std::nullopt;  // a function that returns a struct
  type.name = LastName(names);
  if (type.name == "class" || type.name == "struct") type.name.clear();
  if (colon != std::string_view::npos && type.kind == DefinitionKind::kType) {
    type.bases = ReadBases(rest.substr(colon + 1));
  }
  return type;
}

}  // namespace

std::string_view NameAtStart(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsNameByte(text[end])) ++end;
  return end > 0 && IsDigit(text[0]) ? std::string_view() : text.substr(0, end);
}

std::string_view FieldName(std::string_view statement) {
  statement = statement.substr(0, std::min(statement.find('='), statement.find('{')));
  statement = Trim(statement.substr(0, statement.find('[')));
  if (statement.empty() || statement.find('(') != std::string_view::npos) return {};
  const std::string_view first = NameAtStart(statement);
  if (first == "using" || first == "typedef" || first == "friend" || first == "return") return {};
  const std::string_view name = LastName(statement);
  return name.size() < statement.size() && statement.ends_with(name) ? name : std::string_view();
}

std::optional<Definition> ReadHeader(std::string_view header) {
  if (header.size() > kLongestHeader) header.remove_prefix(header.size() - kLongestHeader);
  header = WithoutTemplate(header);
  if (header.empty()) return std::nullopt;
  if (std::optional<Definition> type = ReadType(header)) return type;
  for (std::size_t open = header.find('('); open != std::string_view::npos;
       open = header.find('(', open + 1)) {
    const std::string_view name = NameOfCall(header, open);
    const std::size_t close = Closing(header, open);
    if (close == std::string_view::npos) return std::nullopt;
    if (IsAttribute(LastName(header.substr(0, open)))) {
      open = close;
      continue;
    }
    const std::string_view before = header.substr(0, open);
    const bool is_function = !name.empty() && before.find('=') == std::string_view::npos &&
                             !IsKeyword(NameAtStart(header)) &&
                             before.find_first_of(".?+/|!") == std::string_view::npos;
    if (!is_function) return std::nullopt;
    // Go: func (r *T) Name(args)
    if (name == "func" && header.find('(', close) != std::string_view::npos) {
      open = close;
      continue;
    }
    Definition function = {.kind = DefinitionKind::kFunction, .name = std::string(name)};
    function.members = ReadParameters(header.substr(open + 1, close - open - 1));
    return function;
  }
  return std::nullopt;
}

std::optional<IndentedHeader> ReadIndentedHeader(std::string_view code, std::size_t at) {
  std::string_view rest = code.substr(at, kLongestHeader);
  std::size_t skipped = 0;
  if (rest.starts_with("async ")) skipped = 6;
  rest.remove_prefix(skipped);
  const bool is_function = rest.starts_with("def ");
  if (!is_function && !rest.starts_with("class ")) return std::nullopt;
  const std::size_t begin = is_function ? 4 : 6;
  IndentedHeader header;
  header.definition.kind = is_function ? DefinitionKind::kFunction : DefinitionKind::kType;
  header.definition.name = NameAtStart(rest.substr(begin));
  std::size_t end = begin + header.definition.name.size();
  if (header.definition.name.empty() || end >= rest.size()) return std::nullopt;
  if (rest[end] == '(') {
    const std::size_t close = Closing(rest, end);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view list = rest.substr(end + 1, close - end - 1);
    if (is_function) {
      header.definition.members = ReadParameters(list);
    } else {
      header.definition.bases = ReadBases(list);
    }
    end = close + 1;
  }
  // "-> int:"; the colon ends the line.
  const std::size_t line_end = std::min(rest.find('\n', end), rest.size());
  const std::string_view tail = Trim(rest.substr(end, line_end - end));
  const std::size_t colon = rest.find(':', end);
  const bool is_python = colon < line_end && (tail.starts_with(':') || tail.starts_with("->"));
  if (!is_python || tail.find('{') != std::string_view::npos) return std::nullopt;
  if (!is_function && !tail.ends_with(':')) return std::nullopt;
  header.end = at + skipped + colon + 1;
  return header;
}

std::string_view NameOfCall(std::string_view code, std::size_t open) {
  constexpr std::size_t kLongestArguments = 300;
  std::size_t end = open;
  while (end > 0 && code[end - 1] == ' ') --end;
  if (end > 0 && code[end - 1] == '>') {  // f<4>( and f<<<4, 4>>>(
    std::size_t depth = 0;
    const std::size_t least = end - std::min(end, kLongestArguments);
    std::size_t at = end;
    while (at > least) {
      --at;
      if (code[at] == ';' || code[at] == '{' || code[at] == '}') return {};
      if (code[at] == '>' && (at == 0 || code[at - 1] != '-')) ++depth;
      if (code[at] == '<' && --depth == 0) break;
    }
    if (depth != 0) return {};
    end = at;
  }
  std::size_t begin = end;
  while (begin > 0 && IsNameByte(code[begin - 1])) --begin;
  const std::string_view name = code.substr(begin, end - begin);
  return name.empty() || IsDigit(name[0]) || IsKeyword(name) ? std::string_view() : name;
}

}  // namespace sibyl::cards
