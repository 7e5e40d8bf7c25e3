// SPDX-License-Identifier: Apache-2.0
// Names that a text puts side by side: in a paragraph, in the items of a list,
// in the first column of a table. If most of them are members of one owner that
// the text names there, or from one file, the others should be too.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "audit/family.h"
#include "audit/owners/member_judge.h"
#include "audit/topic.h"
#include "audit/witness.h"
#include "statement/atom.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

struct NameGroup {
  struct Name {
    std::size_t statement = 0;  ///< Into Statements::all.
    std::size_t offset = 0;     ///< In its text.
    std::string name;
  };
  std::vector<std::string> owners;  ///< Names that may be the owner of the others.
  std::vector<Name> names;
  bool is_list = false;  ///< A list or a table, not a paragraph.
};

std::vector<NameGroup> FindNameGroups(const statement::Statements& statements);

/// The judgements of names that do not fit their group, by statement and offset.
using GroupJudgements = std::map<std::pair<std::size_t, std::size_t>, statement::Judgement>;
/// What names are compared with.
struct GroupSources {
  const Witness& witness;
  const MemberJudge& members;
  const TopicReader& topics;
  const statement::OwnNames& own;
};

/// Adds those of one group; of a name that is in several, the first judgement is kept.
void JudgeGroup(const NameGroup& group, const GroupSources& sources, GroupJudgements& judgements);

}  // namespace sibyl::audit
