// SPDX-License-Identifier: Apache-2.0
// The atoms of any Markdown are at their stated places, also in a text that defines
// names itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "statement/atom.h"

namespace {

using namespace sibyl::statement;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = ReadStatements(text);
  if (!statements.ok()) return 0;
  for (const Statement& statement : statements->all) {
    for (const Atom& atom : ExtractAtoms(statement)) {
      Require(!atom.text.empty());
      Require(atom.offset <= statement.text.size());
      Require(std::string_view(statement.text).substr(atom.offset).starts_with(atom.text));
      Require(!AtomKindName(atom.kind).empty());
    }
  }
  for (const auto& [alias, name] : CollectOwnNames(*statements).aliases) {
    Require(!alias.empty() && !name.empty());
  }
  return 0;
}
