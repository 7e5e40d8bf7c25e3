// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "cards/definition.h"
#include "cards/definition_header.h"
#include "cards/source_text.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kMostDefinitions = 500;
constexpr std::size_t kMostParts = 200;  // parameters, members, calls
constexpr std::size_t kNoDefinition = static_cast<std::size_t>(-1);

class DefinitionReader {
 public:
  explicit DefinitionReader(std::string_view text)
      : code_(WithoutComments(text)), code_view_(code_) {}

  std::vector<Definition> Take() {
    for (std::size_t at = 0; at < code_view_.size() && found_.size() < kMostDefinitions;) {
      if (at == 0 || code_view_[at - 1] == '\n') {
        if (const std::size_t next = StartLine(at); next > at) {
          at = next;
          continue;
        }
      }
      Read(at);
      ++at;
    }
    while (!open_.empty()) Close(code_view_.size());
    return std::move(found_);
  }

 private:
  struct Open {
    std::size_t definition = kNoDefinition;  // kNoDefinition: a block of something else
    std::size_t innermost = kNoDefinition;   // the definition that it is in, or its own
    bool is_indented = false;                // of Python
    std::size_t indent = 0;
    std::size_t parentheses = 0;  // how deep it is in them
  };

  // Returns where to go on; `at` if the line is read byte by byte.
  std::size_t StartLine(std::size_t at) {
    std::size_t first = at;
    while (first < code_view_.size() && (code_view_[first] == ' ' || code_view_[first] == '\t')) {
      ++first;
    }
    if (first >= code_view_.size() || code_view_[first] == '\n') return at;
    const std::size_t end = std::min(code_view_.find('\n', first), code_view_.size());
    if (code_view_[first] == '#') {  // for the preprocessor
      boundary_ = end;
      return std::max(end, at + 1);
    }
    if (parentheses_ > 0) return at;
    const std::size_t indent = first - at;
    const bool closes = std::string_view(")]}").find(code_view_[first]) != std::string_view::npos;
    while (!closes && !open_.empty() && open_.back().is_indented && indent <= open_.back().indent) {
      Close(at);
    }
    if (auto header = ReadIndentedHeader(code_view_, first)) {
      OpenDefinition(std::move(header->definition), first);
      open_.back().is_indented = true;
      open_.back().indent = indent;
      boundary_ = header->end;
      return header->end;
    }
    return at;
  }

  void Read(std::size_t at) {
    switch (code_view_[at]) {
      case '(':
      case '[':
        if (code_view_[at] == '(') ReadCall(at);
        ++parentheses_;
        break;
      case ')':
      case ']':
        parentheses_ -= parentheses_ > 0 ? 1 : 0;
        break;
      case '{':
        OpenBrace(at);
        break;
      case '}':
        CloseBrace(at);
        break;
      case ',':
        if (IsIn(DefinitionKind::kEnumeration) && parentheses_ == 0) {
          AddEnumerator(at);
          boundary_ = at + 1;
        }
        break;
      case ';':
        if (parentheses_ == 0) {
          EndStatement(at);
          boundary_ = at + 1;
        }
        break;
      case '\n':
        if (!open_.empty() && open_.back().is_indented && parentheses_ == 0) {
          AddIndentedField(at);
          boundary_ = at + 1;
        }
        break;
      default:
        break;
    }
  }

  std::size_t InnermostIndex() const {
    return open_.empty() ? kNoDefinition : open_.back().innermost;
  }

  Definition* Innermost() {
    return InnermostIndex() == kNoDefinition ? nullptr : &found_[InnermostIndex()];
  }

  // Directly in it, not in a block within.
  bool IsIn(DefinitionKind kind) const {
    return !open_.empty() && open_.back().definition != kNoDefinition &&
           found_[open_.back().definition].kind == kind;
  }

  void AddMember(MemberKind kind, std::string_view name) {
    Definition* owner = Innermost();
    if (owner == nullptr || name.empty() || owner->members.size() >= kMostParts) return;
    if (owner->kind == DefinitionKind::kType || owner->kind == DefinitionKind::kEnumeration) {
      owner->members.push_back({.kind = kind, .name = std::string(name)});
    }
  }

  void OpenDefinition(Definition definition, std::size_t begin) {
    if (const Definition* owner = Innermost()) definition.owner = owner->name;
    if (definition.kind != DefinitionKind::kNamespace) {
      const bool is_function = definition.kind == DefinitionKind::kFunction;
      AddMember(is_function ? MemberKind::kMethod : MemberKind::kField, definition.name);
    }
    definition.begin = begin;
    definition.has_body = true;
    found_.push_back(std::move(definition));
    const std::size_t index = found_.size() - 1;
    open_.push_back({.definition = index, .innermost = index, .parentheses = parentheses_});
    parentheses_ = 0;
  }

  void Close(std::size_t end) {
    const Open open = open_.back();
    if (open.definition != kNoDefinition) found_[open.definition].end = end;
    parentheses_ = open.parentheses;
    open_.pop_back();
  }

  void OpenBrace(std::size_t at) {
    const std::string_view header = code_view_.substr(boundary_, at - boundary_);
    std::optional<Definition> definition =
        parentheses_ == 0 ? ReadHeader(header) : std::optional<Definition>();
    if (definition) {
      const std::size_t first = std::min(header.find_first_not_of(" \t\r\n"), header.size());
      OpenDefinition(std::move(*definition), boundary_ + first);
    } else {
      if (IsIn(DefinitionKind::kType))
        AddMember(MemberKind::kField, FieldName(header));  // int x{4};
      open_.push_back({.innermost = InnermostIndex(), .parentheses = parentheses_});
      parentheses_ = 0;
    }
    boundary_ = at + 1;
  }

  void CloseBrace(std::size_t at) {
    if (IsIn(DefinitionKind::kEnumeration)) AddEnumerator(at);
    while (!open_.empty() && open_.back().is_indented) Close(at);
    if (!open_.empty()) Close(at + 1);
    boundary_ = at + 1;
  }

  void AddEnumerator(std::size_t at) {
    const std::string_view entry = Trim(code_view_.substr(boundary_, at - boundary_));
    AddMember(MemberKind::kEnumerator, NameAtStart(entry));
  }

  // "int depth = 4;", "int f(int x);"
  void EndStatement(std::size_t at) {
    const bool is_in_function = IsIn(DefinitionKind::kFunction) ||
                                (!open_.empty() && open_.back().definition == kNoDefinition);
    if (is_in_function) return;
    const std::string_view statement = code_view_.substr(boundary_, at - boundary_);
    std::optional<Definition> function = ReadHeader(statement);
    const Definition* owner = Innermost();
    // "f(x);" is a call, unless it is a constructor.
    const bool is_call = function && Trim(statement).starts_with(function->name) &&
                         (owner == nullptr || owner->name != function->name);
    if (function && function->kind == DefinitionKind::kFunction && !is_call) {
      if (owner != nullptr) function->owner = owner->name;
      AddMember(MemberKind::kMethod, function->name);
      const std::size_t first = std::min(statement.find_first_not_of(" \t\r\n"), statement.size());
      function->begin = boundary_ + first;
      function->end = at;
      found_.push_back(std::move(*function));
      return;
    }
    if (IsIn(DefinitionKind::kType)) AddMember(MemberKind::kField, FieldName(statement));
  }

  // "depth: int = 4", "depth = 4" in a class of Python
  void AddIndentedField(std::size_t at) {
    if (!IsIn(DefinitionKind::kType)) return;
    const std::string_view line = Trim(code_view_.substr(boundary_, at - boundary_));
    const std::string_view name = NameAtStart(line);
    const std::string_view rest = Trim(line.substr(name.size()));
    if (!name.empty() && (rest.starts_with(':') || rest.starts_with('='))) {
      AddMember(MemberKind::kField, name);
    }
  }

  void ReadCall(std::size_t open) {
    Definition* function = Innermost();
    if (function == nullptr || function->kind != DefinitionKind::kFunction) return;
    const std::string_view name = NameOfCall(code_view_, open);
    if (name.empty() || function->calls.size() >= kMostParts) return;
    function->calls.emplace_back(name);
  }

  std::string code_;
  std::string_view code_view_;
  std::size_t boundary_ = 0;  // after the last statement
  std::size_t parentheses_ = 0;
  std::vector<Open> open_;
  std::vector<Definition> found_;
};

}  // namespace

std::vector<Definition> ReadDefinitions(std::string_view text) {
  return DefinitionReader(text).Take();
}

}  // namespace sibyl::cards
