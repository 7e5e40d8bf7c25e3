// SPDX-License-Identifier: Apache-2.0
// Any statement against any lines gets a verdict with a reason, and the same
// again. The input is cut at its first zero byte: statement, then lines, then
// the name of their file.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cards/cards.h"
#include "cards/definition.h"
#include "cards/source_text.h"
#include "passages/enclosing.h"
#include "support/grounding.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

std::string_view Cut(std::string_view& text) {
  const std::size_t end = text.find('\0');
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const std::string_view text = Cut(rest);
  const std::string_view lines = Cut(rest);
  const std::string_view path = rest;
  for (const sibyl::cards::Card& card : sibyl::cards::ReadCards(lines)) {
    Require(!card.name.empty() && card.offset <= lines.size());
  }
  for (const auto& definition : sibyl::cards::ReadDefinitions(lines)) {
    Require(definition.begin <= definition.end && definition.end <= lines.size());
  }
  Require(sibyl::cards::WithoutComments(lines).size() == lines.size());
  const std::size_t begin = lines.find('\n') == std::string_view::npos ? 0 : lines.find('\n') + 1;
  const std::string context = sibyl::passages::EnclosingText(path, lines, begin, lines.size());
  const auto statements = sibyl::statement::ReadStatements(text);
  if (!statements.ok()) return 0;
  sibyl::support::Grounder grounder;
  const auto prepared = grounder.Prepare({.text = lines.substr(begin), .context = context});
  for (const sibyl::statement::Statement& statement : statements->all) {
    const auto grounding = grounder.Judge(statement, prepared);
    Require(!grounding.code.empty() && !grounding.message.empty());
    Require(grounder.Judge(statement, prepared).verdict == grounding.verdict);
    (void)sibyl::support::ExplainWords(grounding);
  }
  return 0;
}
