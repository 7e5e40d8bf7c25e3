// SPDX-License-Identifier: Apache-2.0
// Judges names and paths against the pinned sources: there, or absent
// from a source that would have it, or not decidable here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "audit/family.h"
#include "audit/owners/member_judge.h"
#include "audit/witness.h"
#include "base/mutex.h"
#include "statement/atom.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// Thread-safe.
class NameJudge {
 public:
  explicit NameJudge(const Witness& witness)
      : witness_(witness), families_(witness), members_(witness, families_) {}

  const MemberJudge& members() const { return members_; }

  /// The judgement without its place. `own` are the names that the text
  /// defines.
  statement::Judgement Judge(const statement::Atom& atom, const Topic& topic,
                             const statement::OwnNames& own) const;

 private:
  statement::Judgement JudgeNow(const statement::Atom& atom, const Topic& topic,
                                const statement::OwnNames& own) const;
  statement::Judgement JudgeIdentifier(const statement::Atom& atom, const Topic& topic,
                                       const statement::OwnNames& own) const;
  statement::Judgement JudgeQualified(const statement::Atom& atom, const Topic& topic,
                                      const statement::OwnNames& own) const;
  statement::Judgement JudgeDotted(std::string_view name,
                                   const std::vector<std::string>& parts) const;
  /// For a name whose parts occur, but not together.
  statement::Judgement JudgeInModule(std::string_view name, const std::vector<std::string>& parts,
                                     const Ruling& ruling) const;
  statement::Judgement JudgeScoped(std::string_view name,
                                   const std::vector<std::string>& parts) const;
  std::optional<statement::Judgement> OtherNamespace(const std::vector<std::string>& parts,
                                                     std::size_t home) const;
  statement::Judgement JudgePath(const statement::Atom& atom, const Topic& topic) const;
  std::optional<std::size_t> HomeOfPath(std::string_view folder, std::optional<std::size_t> owner,
                                        const Topic& topic) const;
  std::optional<std::size_t> HomeOfFolder(std::string_view folder, std::string_view name,
                                          const Topic& topic) const;
  std::optional<Witness::Folder> FolderBelow(std::string_view path) const;
  std::optional<statement::Judgement> JudgeHeader(std::string_view name) const;
  /// "CUDA_VISIBLE_DEVICE" where the sources have only the plural.
  std::optional<statement::Judgement> WrongNumber(std::string_view name, const Topic& topic) const;
  statement::Judgement AbsentPath(std::string_view path, std::size_t home) const;
  statement::Judgement JudgePackage(const statement::Atom& atom) const;

  statement::Judgement Found(const Sighting& sighting, std::string reason) const;
  statement::Judgement Absent(std::string_view name, std::size_t home, std::string reason) const;
  statement::Judgement AbsentIn(std::string_view prefix, std::string_view name,
                                const Ruling& ruling) const;
  /// A name that exists, but is never read from the environment, while a longer
  /// one is: CUDA_ARCH_LIST for TORCH_CUDA_ARCH_LIST.
  std::optional<statement::Judgement> WrongVariable(std::string_view name,
                                                    statement::AtomUse use) const;

  const Witness& witness_;
  Families families_;
  MemberJudge members_;
  mutable Mutex mutex_;
  mutable std::unordered_map<std::string, statement::Judgement> judged_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::audit
