// SPDX-License-Identifier: Apache-2.0
// Definitions in C, C++ and CUDA.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "base/work.h"
#include "cards/named_definition.h"
#include "cards/source_text.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kMostHead = 400;  // bytes before and after the name that are read
constexpr int kMostNesting = 8;
constexpr std::uint32_t kNoPartner = ~std::uint32_t{0};

// The closing bracket of each opening one, and the other way round.
std::vector<std::uint32_t> PartnersOf(std::string_view code) {
  std::vector<std::uint32_t> partners(code.size(), kNoPartner);
  std::vector<std::uint32_t> open;
  for (std::size_t i = 0; i < code.size(); ++i) {
    const char c = code[i];
    if (c == '(' || c == '{' || c == '[') open.push_back(static_cast<std::uint32_t>(i));
    const char opening = c == ')' ? '(' : c == '}' ? '{' : c == ']' ? '[' : '\0';
    if (opening == '\0' || open.empty()) continue;
    if (code[open.back()] != opening) {
      // An alternative of the preprocessor left one open; braces win.
      if (c != '}') continue;
      while (!open.empty() && code[open.back()] != '{') open.pop_back();
      if (open.empty()) continue;
    }
    partners[i] = open.back();
    partners[open.back()] = static_cast<std::uint32_t>(i);
    open.pop_back();
  }
  return partners;
}

bool IsMacroName(std::string_view name) {
  return name.size() > 2 && std::none_of(name.begin(), name.end(), IsLower);
}

bool IsNoReturnType(std::string_view word) {
  constexpr std::array<std::string_view, 14> kWords = {
      "return", "new",     "else",  "throw",  "case",    "delete",    "sizeof",
      "void",   "typedef", "using", "public", "private", "protected", "goto"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class CDefinitionReader {
 public:
  CDefinitionReader(std::string_view text, std::string_view name)
      : name_(name), code_(WithoutComments(text, Syntax::kC)), partners_(PartnersOf(code_)) {}

  std::vector<Definition> Run() {
    const std::string_view code = code_;
    std::size_t line = 1;
    std::size_t counted = 0;
    for (std::optional<std::size_t> at = FindWholeWord(code, name_);
         at && found_.size() < kMaxNamedDefinitions;
         at = FindWholeWord(code, name_, *at + name_.size())) {
      line += static_cast<std::size_t>(
          std::count(code.begin() + static_cast<std::ptrdiff_t>(counted),
                     code.begin() + static_cast<std::ptrdiff_t>(*at), '\n'));
      counted = *at;
      const std::size_t before = found_.size();
      ReadAt(*at);
      if (found_.size() > before) found_.back().line = line;
    }
    return std::move(found_);
  }

 private:
  // The text since the last boundary before `at`.
  std::string_view Before(std::size_t at) const {
    const std::size_t first = at > kMostHead ? at - kMostHead : 0;
    std::size_t begin = at;
    while (begin > first && code_[begin - 1] != ';' && code_[begin - 1] != '{' &&
           code_[begin - 1] != '}') {
      --begin;
    }
    Work::Add(at - begin);
    return std::string_view(code_).substr(begin, at - begin);
  }

  std::size_t SkipBlanks(std::size_t at) const {
    while (at < code_.size() && IsBlank(code_[at])) ++at;
    return at;
  }

  void ReadAt(std::size_t at) {
    const std::string_view before = Before(at);
    const std::size_t after = SkipBlanks(at + name_.size());
    if (after >= code_.size()) return;
    const std::string_view key = RecordKey(before);
    if (!key.empty() && ReadRecordHead(at, after, key)) return;
    if (Trim(before).empty() && at > before.size() && code_[at - before.size() - 1] == '}') {
      if (ReadTypedefAfterBody(at - before.size() - 1, after)) return;
    }
    if (ReadAlias(before, after)) return;
    if (code_[after] == '(') ReadFunction(before, after);
  }

  // "struct", "class", "union" or "enum", if the name after `before` is what it
  // defines: only names, macros and attributes are between them.
  static std::string_view RecordKey(std::string_view before) {
    for (const std::string_view key : {"enum", "struct", "class", "union"}) {
      const std::size_t at = before.rfind(key);
      if (at == before.npos) continue;
      const bool starts = at == 0 || !IsNameByte(before[at - 1]);
      const std::string_view between = before.substr(at + key.size());
      if (!starts || between.empty() || IsNameByte(between.front())) continue;
      if (between.find_first_of("<>=,&*") == between.npos) return key;
    }
    return {};
  }

  // The colon before the bases: neither of a scope nor in template arguments.
  static std::size_t BaseColon(std::string_view head) {
    int depth = 0;
    for (std::size_t i = 0; i < head.size(); ++i) {
      if (head[i] == '<') ++depth;
      if (head[i] == '>') --depth;
      if (head[i] != ':' || depth > 0) continue;
      if (i + 1 < head.size() && head[i + 1] == ':') {
        ++i;
      } else {
        return i;
      }
    }
    return head.npos;
  }

  bool ReadRecordHead(std::size_t at, std::size_t after, std::string_view key) {
    std::size_t open = after;
    const std::size_t last = std::min(code_.size(), after + kMostHead);
    while (open < last && code_[open] != '{' && code_[open] != ';' && code_[open] != '(' &&
           code_[open] != '=' && code_[open] != ')') {
      ++open;
    }
    Work::Add(open - after);
    if (open >= last || code_[open] != '{' || partners_[open] == kNoPartner) return false;
    const std::string_view head = std::string_view(code_).substr(after, open - after);
    Definition definition = {.begin = at, .end = partners_[open] + std::size_t{1}};
    const bool is_enum = key == "enum";
    definition.kind = is_enum ? DefinitionKind::kEnumeration : DefinitionKind::kType;
    const std::size_t colon = BaseColon(head);
    if (!is_enum && colon != head.npos) ReadBases(head.substr(colon + 1), definition);
    ReadBody(open, definition);
    return true;
  }

  // "typedef struct { … } Name;"
  bool ReadTypedefAfterBody(std::size_t close, std::size_t after) {
    if (code_[after] != ';' && code_[after] != ',') return false;
    const std::uint32_t open = partners_[close];
    if (open == kNoPartner) return false;
    const std::string_view before = Before(open);
    if (before.find("typedef") == before.npos) return false;
    Definition definition = {.begin = open, .end = close + 1};
    const bool is_enum = FindWholeWord(before, "enum").has_value();
    definition.kind = is_enum ? DefinitionKind::kEnumeration : DefinitionKind::kType;
    ReadBody(open, definition);
    return true;
  }

  bool ReadAlias(std::string_view before, std::size_t after) {
    const std::string_view words = Trim(before);
    std::string target;
    if (words == "using" && code_[after] == '=') {
      const std::size_t end = std::min(code_.find(';', after), code_.size());
      std::string_view value =
          std::string_view(code_).substr(after + 1, std::min(end - after - 1, kMostHead));
      value = value.substr(0, value.find('<'));
      target = LastName(value);
    } else if (words.starts_with("typedef") && code_[after] == ';') {
      target = LastName(words.substr(7));
    }
    if (target.empty() || target == name_) return false;
    found_.push_back({.kind = DefinitionKind::kAlias,
                      .bases = {target},
                      .begin = after - name_.size(),
                      .end = after});
    return true;
  }

  void ReadFunction(std::string_view before, std::size_t open) {
    if (partners_[open] == kNoPartner) return;
    const std::string_view words = Trim(before);
    if (words.empty()) return;  // a call, or a constructor
    const char last = words.back();
    if (!IsNameByte(last) && last != '*' && last != '&' && last != '>') return;
    if (words.find_first_of("=(") != words.npos && words.find("__") == words.npos) return;
    const std::string_view type = LastName(words);
    if (IsNameByte(last) && IsNoReturnType(type) && type != "void") return;
    const std::size_t close = partners_[open];
    const std::size_t after = SkipBlanks(close + 1);
    if (after < code_.size() && code_[after] != ';' && code_[after] != '{' && code_[after] != ':' &&
        code_[after] != '-' && !IsNameStart(code_[after])) {
      return;
    }
    Definition definition = {.kind = DefinitionKind::kFunction, .begin = open, .end = close + 1};
    ReadParameters(std::string_view(code_).substr(open + 1, close - open - 1), definition);
    found_.push_back(std::move(definition));
  }

  static void ReadParameters(std::string_view list, Definition& definition) {
    if (list.size() > kMaxDefinitionBytes) return;
    for (std::string_view parameter : SplitList(list)) {
      if (parameter.find("...") != parameter.npos) definition.has_open_parameters = true;
      parameter = parameter.substr(0, parameter.find('='));
      // "void (*callback)(int)"
      const std::size_t pointer = parameter.find("(*");
      if (pointer != parameter.npos) {
        parameter = parameter.substr(0, parameter.find(')', pointer));
      }
      parameter = parameter.substr(0, parameter.find('['));
      const std::string_view name = LastName(parameter);
      if (!name.empty() && name != "void") {
        definition.members.push_back({.kind = MemberKind::kParameter, .name = std::string(name)});
      }
    }
  }

  static void ReadBases(std::string_view list, Definition& definition) {
    for (std::string_view base : SplitList(list)) {
      base = Trim(base.substr(0, base.find('<')));
      const std::size_t space = base.rfind(' ');
      if (space != base.npos) base = base.substr(space + 1);
      if (!base.empty()) definition.bases.emplace_back(base);
    }
  }

  void ReadBody(std::size_t open, Definition& definition) {
    const std::size_t close = partners_[open];
    if (close - open > kMaxDefinitionBytes) {
      definition.has_open_members = true;
    } else if (definition.kind == DefinitionKind::kEnumeration) {
      ReadEnumerators(open, close, definition);
    } else {
      ReadFields(open, close, 0, definition);
    }
    found_.push_back(std::move(definition));
  }

  void ReadEnumerators(std::size_t open, std::size_t close, Definition& definition) const {
    for (const std::string_view piece :
         SplitList(std::string_view(code_).substr(open + 1, close - open - 1))) {
      const std::string_view entry = Trim(piece);
      std::size_t end = 0;
      while (end < entry.size() && IsNameByte(entry[end])) ++end;
      if (end == 0) continue;
      if (end < entry.size() && entry[end] == '(') definition.has_open_members = true;
      definition.members.push_back(
          {.kind = MemberKind::kEnumerator, .name = std::string(entry.substr(0, end))});
    }
  }

  // One declaration after the other; nested bodies of unions and enums count as
  // the record's own.
  void ReadFields(std::size_t open, std::size_t close, int nesting, Definition& definition) const {
    std::string declaration;
    for (std::size_t i = open + 1; i < close; ++i) {
      const char c = code_[i];
      if (c == '{' && partners_[i] != kNoPartner && partners_[i] <= close) {
        const bool is_enum = FindWholeWord(declaration, "enum").has_value();
        const bool is_record = FindWholeWord(declaration, "struct").has_value() ||
                               FindWholeWord(declaration, "union").has_value() ||
                               FindWholeWord(declaration, "class").has_value();
        const bool is_type = declaration.find('(') == std::string::npos && nesting < kMostNesting;
        if (is_enum && is_type) ReadEnumerators(i, partners_[i], definition);
        if (is_record && is_type) ReadFields(i, partners_[i], nesting + 1, definition);
        i = partners_[i];
        // A function's body ends its declaration; a type may declare a field.
        if (declaration.find('(') == std::string::npos) continue;
        AddDeclaration(declaration, definition);
        declaration.clear();
      } else if (c == ';') {
        AddDeclaration(declaration, definition);
        declaration.clear();
      } else if (c == ':' && IsAccess(declaration)) {
        declaration.clear();
      } else if (declaration.size() < kMostHead) {
        declaration += c;
      }
    }
    AddDeclaration(declaration, definition);
  }

  static bool IsAccess(std::string_view declaration) {
    const std::string_view word = Trim(declaration);
    return word == "public" || word == "private" || word == "protected";
  }

  static void AddDeclaration(std::string_view declaration, Definition& definition) {
    declaration = Trim(declaration);
    if (declaration.empty()) return;
    const std::size_t paren = declaration.find('(');
    if (paren != declaration.npos && paren < declaration.find('=')) {
      const std::string_view name = LastName(declaration.substr(0, paren));
      const bool is_alone = name.size() == Trim(declaration.substr(0, paren)).size();
      if (is_alone && IsMacroName(name)) definition.has_open_members = true;
      if (!name.empty()) {
        definition.members.push_back({.kind = MemberKind::kMethod, .name = std::string(name)});
      }
      if (declaration.find("(*") == paren) {  // a pointer to a function
        const std::string_view pointer =
            LastName(declaration.substr(paren, declaration.find(')', paren) - paren));
        if (!pointer.empty()) definition.members.push_back({.name = std::string(pointer)});
      }
      return;
    }
    for (std::string_view piece : SplitList(declaration)) {
      piece = piece.substr(0, piece.find_first_of("=[:"));
      const std::string_view name = LastName(piece);
      if (!name.empty()) definition.members.push_back({.name = std::string(name)});
    }
    const bool is_one_word = declaration.find_first_of(" \t\n") == declaration.npos;
    if (is_one_word && IsMacroName(declaration)) definition.has_open_members = true;
  }

  std::string_view name_;
  std::string code_;
  std::vector<std::uint32_t> partners_;
  std::vector<Definition> found_;
};

}  // namespace

std::vector<Definition> ReadCDefinitionsOf(std::string_view name, std::string_view text) {
  if (text.size() >= kNoPartner || !FindWholeWord(text, name)) return {};
  return CDefinitionReader(text, name).Run();
}

}  // namespace sibyl::cards
