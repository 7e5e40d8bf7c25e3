// SPDX-License-Identifier: Apache-2.0
// The cases of any text are few and have labels, and any statement can be
// compared with them. The input is cut at its first zero byte: statement, then
// lines.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "statement/statement.h"
#include "support/alternatives/cases.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl;  // NOLINT: a program
  constexpr std::size_t kMostCases = 100;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string_view text = input.substr(0, input.find('\0'));
  const std::string_view lines = text.size() == size ? input : input.substr(text.size() + 1);
  const std::vector<support::SwitchCase> cases = support::ReadCases(lines);
  Require(cases.size() <= kMostCases);
  for (const support::SwitchCase& each : cases) Require(!each.labels.empty());
  const auto statements = statement::ReadStatements(text);
  if (!statements.ok()) return 0;
  support::Tokenizer tokenizer;
  const support::EvidenceText evidence(lines, {}, tokenizer);
  for (const statement::Statement& statement : statements->all) {
    const support::ReadStatement read = support::Read(statement, evidence, tokenizer);
    const support::BranchFit fit = support::CompareCases(read, cases);
    Require(!fit.wrong || !cases.empty());
  }
  return 0;
}
