// SPDX-License-Identifier: Apache-2.0
// Checks defaults and constants against their definitions. The owner that the sentence, its
// paragraph or the heading names decides between several definitions; without one, different
// definitions leave it undecided.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/family.h"
#include "audit/number_judge.h"
#include "audit/owners/owner.h"
#include "audit/values/definitions.h"
#include "audit/values/value_claims.h"
#include "audit/witness.h"
#include "base/mutex.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

class DefaultJudge {
 public:
  /// Both must outlive it.
  DefaultJudge(const Witness& witness, const Owners& owners) : witness_(witness), owners_(owners) {}

  /// For the statement of this number.
  std::vector<JudgedNumber> Judge(const statement::Statements& statements, std::size_t number,
                                  const Topic& topic) const;

 private:
  /// What may own the parameter; nearer ones first.
  using OwnerLevels = std::vector<std::vector<std::string>>;
  static OwnerLevels OwnersOf(const statement::Statements& statements, std::size_t number,
                              const ValueClaim& claim, const std::vector<ValueClaim>& claims);

  struct Candidates {
    std::vector<Definition> all;
    bool is_owned = false;
    bool is_named = false;  ///< The text names their source.
    bool is_complete = true;
  };
  Candidates FindCandidates(const ValueClaim& claim, const OwnerLevels& owners,
                            const Topic& topic) const;
  std::vector<const OwnerDefinition*> DefinitionsFor(const std::string& owner,
                                                     const Topic& topic) const;
  void KeepFileOfOthers(const ValueClaim& claim, const std::vector<std::string>& beside,
                        Candidates& found) const;
  static std::vector<std::string> SettingsBeside(const statement::Statements& statements,
                                                 std::size_t number, const ValueClaim& claim);
  /// Of the parameter in the definitions of one owner.
  std::vector<Definition> FindOwned(const ValueClaim& claim, const std::string& owner,
                                    const Topic& topic) const;
  /// Only of owners that the sentence or the heading names.
  Candidates FindLoose(const ValueClaim& claim, const OwnerLevels& owners,
                       const Topic& topic) const;
  std::optional<JudgedNumber> JudgeOne(const statement::Statements& statements, std::size_t number,
                                       ValueClaim& claim, const std::vector<ValueClaim>& claims,
                                       const Topic& topic) const;
  /// Claims by the words around a value, about settings of what the text names.
  std::vector<ValueClaim> FindMatched(const statement::Statements& statements, std::size_t number,
                                      const Topic& topic) const;
  /// `name=value` in code font, by what the text around says about the same owner.
  std::vector<JudgedNumber> JudgeAssigned(const statement::Statements& statements,
                                          std::size_t number, const Topic& topic) const;
  struct Assigned {
    std::string owner;  ///< Empty: nothing that is named before has the parameter.
    statement::Judgement judgement;
  };
  Assigned JudgeAssignment(const statement::Statements& statements, std::size_t number,
                           const ValueClaim& claim, const Topic& topic) const;
  std::vector<std::string> SettingsOf(const std::string& owner, const Topic& topic) const;
  statement::Judgement JudgeClaim(const ValueClaim& claim, const Candidates& candidates,
                                  const OwnerLevels& owners) const;
  statement::Judgement Decide(const ValueClaim& claim, const Candidates& candidates) const;

  /// FindDefinitions and HomesOf, each name once for all documents.
  Definitions DefinitionsOf(const std::string& name) const SIBYL_EXCLUDES(mutex_);
  std::vector<Witness::File> FilesOf(const std::string& owner) const SIBYL_EXCLUDES(mutex_);

  const Witness& witness_;
  const Owners& owners_;
  mutable Mutex mutex_;
  mutable std::map<std::string, Definitions> definitions_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, std::vector<Witness::File>> homes_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::audit
