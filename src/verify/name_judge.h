// SPDX-License-Identifier: Apache-2.0
// Judges names, flags and paths against the pinned sources: there, or absent
// from a source that would have it, or not decidable here.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "verify/atom.h"
#include "verify/family.h"
#include "verify/verdict.h"
#include "verify/witness.h"

namespace sibyl::verify {

/// May be asked from many threads.
class NameJudge {
 public:
  explicit NameJudge(const Witness& witness) : witness_(witness), families_(witness) {}

  /// The judgement without its place. `own` are the names that the text makes.
  Judgement Judge(const Atom& atom, const Topic& topic, const OwnNames& own) const;

 private:
  Judgement JudgeNow(const Atom& atom, const Topic& topic, const OwnNames& own) const;
  Judgement JudgeIdentifier(const Atom& atom, const Topic& topic, const OwnNames& own) const;
  Judgement JudgeQualified(const Atom& atom, const OwnNames& own) const;
  Judgement JudgeDotted(std::string_view name, const std::vector<std::string>& parts) const;
  /// For a name whose parts are known, but not together.
  Judgement JudgeInModule(std::string_view name, const std::vector<std::string>& parts,
                          const Ruling& ruling) const;
  Judgement JudgeScoped(std::string_view name, const std::vector<std::string>& parts) const;
  std::optional<Judgement> OtherNamespace(const std::vector<std::string>& parts,
                                          std::size_t home) const;
  Judgement JudgeFlag(const Atom& atom) const;
  Judgement JudgePath(const Atom& atom, const Topic& topic) const;
  std::optional<std::size_t> HomeOfPath(std::string_view folder, std::optional<std::size_t> owner,
                                        const Topic& topic) const;
  Judgement AbsentPath(std::string_view path, std::size_t home) const;
  Judgement JudgePackage(const Atom& atom) const;

  Judgement Found(const Sighting& sighting, std::string reason) const;
  Judgement Absent(std::string_view name, std::size_t home, std::string reason) const;
  /// A name that exists, but is never read from the environment, while a longer
  /// one is: CUDA_ARCH_LIST for TORCH_CUDA_ARCH_LIST.
  std::optional<Judgement> WrongVariable(std::string_view name, AtomUse use) const;

  struct OptionTable {
    std::size_t source = 0;
    std::string path;
    std::string text;
    std::vector<std::string> options;
  };
  /// The document that lists the options of a program; empty if none is pinned.
  const OptionTable& OptionsOf(const std::string& tool) const;

  const Witness& witness_;
  Families families_;
  mutable Mutex mutex_;
  mutable std::map<std::string, OptionTable> options_ SIBYL_GUARDED_BY(mutex_);
  mutable std::unordered_map<std::string, Judgement> judged_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::verify
