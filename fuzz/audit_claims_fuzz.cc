// SPDX-License-Identifier: Apache-2.0
// The claims that are read out of any Markdown are inside their statements: values, versions, facts
// of the field, members, names in CMake code.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "audit/facts/field_claims.h"
#include "audit/facts/format_judge.h"
#include "audit/owners/cmake_code.h"
#include "audit/owners/member_claim.h"
#include "audit/owners/name_group.h"
#include "audit/values/value_claims.h"
#include "audit/values/version_claims.h"
#include "statement/statement.h"

namespace {

using namespace sibyl;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void Check(const audit::MentionGroup& group, std::string_view text) {
  Require(!group.all.empty() && group.begin() < group.end() && group.end() <= text.size());
}

void CheckStatement(const statement::Statement& one) {
  const std::string_view text = one.text;
  for (const audit::ValueClaim& claim : audit::ReadValueClaims(one)) {
    Require(!claim.name.empty() && !claim.value.empty() && claim.offset < text.size());
  }
  for (const audit::VersionClaim& claim : audit::ReadVersionClaims(one)) {
    Require(!claim.version.empty() && text.substr(claim.offset).starts_with(claim.version));
  }
  for (const audit::FieldClaim& claim : audit::ReadFieldClaims(text)) {
    Check(claim.subject, text);
    Check(claim.value, text);
  }
  for (const audit::JudgedFact& fact : audit::JudgeFormats(text)) {
    Require(fact.offset < text.size() && !fact.judgement.text.empty());
  }
  for (const audit::CMakeName& name : audit::FindCMakeNames(text)) {
    Require(text.substr(name.offset).starts_with(name.name));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = statement::ReadStatements(text);
  if (!statements.ok()) return 0;
  const statement::OwnNames own = statement::CollectOwnNames(*statements);
  const audit::MemberClaims members(*statements, own);
  for (std::size_t i = 0; i < statements->all.size(); ++i) {
    const statement::Statement& one = statements->all[i];
    CheckStatement(one);
    for (const audit::MemberClaim& claim : members.Of(i)) {
      Require(!claim.owner.empty() && !claim.member.empty() && claim.offset < one.text.size());
    }
  }
  for (const audit::NameGroup& group : audit::FindNameGroups(*statements)) {
    Require(!group.names.empty());
  }
  return 0;
}
