// SPDX-License-Identifier: Apache-2.0
// The names that a text's own code defines: part of statement/atom.h.
#include <array>

#include "base/ascii.h"
#include "base/strings.h"
#include "index/words/words.h"
#include "statement/atom.h"
#include "statement/atom_context.h"

namespace sibyl::statement {
namespace {

std::string_view FirstName(std::string_view text) {
  text = Trim(text);
  std::size_t end = 0;
  while (end < text.size() && (IsNameByte(text[end]) || text[end] == '.' || text[end] == ':'))
    ++end;
  while (end > 0 && (text[end - 1] == '.' || text[end - 1] == ':')) --end;
  return text.substr(0, end);
}

// Text that only looks like an import may have nothing on one side.
void AddAlias(std::string_view alias, std::string_view name, OwnNames& own) {
  if (alias.empty() || name.empty()) return;
  const auto [at, is_new] = own.aliases.emplace(alias, name);
  // Two blocks import different things under one name: then it is not known which is meant.
  if (!is_new && at->second != name) own.names.emplace(alias);
}

// "import a.b as c", "from a import b as c, d", "namespace c = a;".
void ReadImport(std::string_view line, OwnNames& own) {
  line = Trim(line);
  if (line.starts_with("namespace ") && line.find('=') != line.npos) {
    AddAlias(FirstName(line.substr(10)), FirstName(line.substr(line.find('=') + 1)), own);
    return;
  }
  std::string from;
  if (line.starts_with("from ")) {
    const std::size_t import = line.find(" import ");
    if (import == line.npos) return;
    from = std::string(Trim(line.substr(5, import - 5))) + ".";
    line = line.substr(import + 8);
  } else if (line.starts_with("import ")) {
    line = line.substr(7);
  } else {
    return;
  }
  while (!line.empty()) {
    const std::size_t comma = line.find(',');
    const std::string_view item = Trim(line.substr(0, comma));
    const std::string_view name = FirstName(item);
    const std::size_t as = item.find(" as ");
    if (!name.empty() && as != item.npos) {
      AddAlias(FirstName(item.substr(as + 4)), from + std::string(name), own);
    } else if (!name.empty() && !from.empty()) {
      AddAlias(name, from + std::string(name), own);
    }
    if (comma == line.npos) return;
    line = line.substr(comma + 1);
  }
}

// "float f(": a type, and a declared name with parentheses.
bool IsDeclared(std::string_view before, std::string_view after) {
  if (!after.starts_with("(")) return false;
  const std::string_view words = Trim(before);
  if (words.empty() || words.size() == before.size()) return false;
  constexpr std::array<std::string_view, 8> kNoTypes = {"return", "else",  "=",        "(",
                                                        ",",      "throw", "co_await", "await"};
  for (const std::string_view word : kNoTypes) {
    if (words.ends_with(word)) return false;
  }
  return IsNameByte(words.back()) || words.back() == '*' || words.back() == '&' ||
         words.back() == '>';
}

void ReadBlock(const Statement& block, OwnNames& own) {
  const std::string_view text = block.text;
  const CodeLanguage language = LanguageOf(block);
  for (const std::string_view line : SplitLines(text)) ReadImport(line, own);
  for (std::size_t at = 0; at < text.size();) {
    if (!IsNameByte(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    const AtomUse use = UseOf(text, at, end, language);
    const Around line = LineAround(text, at, end);
    const bool is_c = language == CodeLanguage::kCpp || language == CodeLanguage::kNone;
    if (use == AtomUse::kDefinition || (is_c && IsDeclared(line.before, line.after))) {
      own.names.emplace(text.substr(at, end - at));
    }
    at = end;
  }
}

}  // namespace

OwnNames CollectOwnNames(const Statements& statements) {
  OwnNames own;
  for (const Statement& statement : statements.all) {
    if (statement.kind == StatementKind::kCode) ReadBlock(statement, own);
  }
  return own;
}

}  // namespace sibyl::statement
