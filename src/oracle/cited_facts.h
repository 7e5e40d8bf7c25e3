// SPDX-License-Identifier: Apache-2.0
// Facts of artifacts as pages cite them: made by inspecting, written down in
// sibyl.facts, and found again when the page is checked.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/root.h"
#include "base/result.h"
#include "evidence/citation.h"
#include "evidence/lock.h"
#include "evidence/sync.h"
#include "gate/receipt.h"
#include "inspect/artifact.h"
#include "inspect/fact_book.h"
#include "inspect/find_file.h"
#include "oracle/argument_file.h"
#include "oracle/inspected_files.h"
#include "oracle/made_here.h"

namespace sibyl::oracle {

/// A place to cite: "build/libk.so#cuda:cubin.sm_90.count".
struct FactTarget {
  std::string path;
  std::string inspector;
  std::string key;
};

/// nullopt for targets of another kind.
std::optional<FactTarget> ParseFactTarget(std::string_view target);

struct CitedFact {
  evidence::FactCitation citation;
  inspect::RecordedFact fact;
  /// The file that was inspected; nothing when only sibyl.facts has the fact.
  std::optional<std::filesystem::path> read_from;
};

/// Not thread-safe; results of inspecting and hashing are cached.
class CitedFacts {
 public:
  /// Reads sibyl.facts; an oracle without one is fine.
  static Result<CitedFacts> Open(const evidence::Lock& lock, const evidence::Surroundings& around,
                                 MadeHere made_here);

  /// Artifacts that were inspected before, and are then kept there; may be null.
  void ShareInspected(std::shared_ptr<InspectedFiles> inspected) {
    inspected_ = std::move(inspected);
  }

  /// Inspects the file, writes the fact to sibyl.facts, and remembers that this
  /// user inspected it, so that on this machine the page can be checked without
  /// the artifact. kUsage if the inspector has no such key, with the nearest.
  Result<CitedFact> Cite(const ArgumentFile& named, const FactTarget& target);

  /// Finds the artifact by its sha256, at the path in sibyl.facts, otherwise in a
  /// pinned toolkit, the oracle and the pinned folders and files, and inspects it again. If it
  /// is not found, a record of sibyl.facts is used only if this user inspected
  /// the artifact on this machine, since anyone can write the file. kNotFound
  /// if there is neither; kUsage if the artifact has no such fact; kCorrupt if
  /// artifact and record differ.
  Result<CitedFact> Resolve(const evidence::FactCitation& citation);

  /// What sibyl.facts has; a record alone supports nothing.
  const inspect::FactBook& book() const { return book_; }

 private:
  CitedFacts(const evidence::Lock& lock, const evidence::Surroundings& around, Root oracle,
             MadeHere made_here)
      : lock_(lock),
        around_(around),
        oracle_(std::move(oracle)),
        made_here_(std::move(made_here)) {}

  Result<inspect::FactBook> ReadBook() const;
  Status Record(const evidence::FactCitation& citation, const inspect::RecordedFact& fact);
  inspect::RecordedFact PlaceOf(const std::filesystem::path& file) const;
  std::optional<std::filesystem::path> PlaceNamedBy(const evidence::FactCitation& citation,
                                                    const inspect::RecordedFact& fact) const;
  std::vector<std::filesystem::path> PinnedPlaces() const;
  std::optional<std::filesystem::path> PlaceInToolkit(const inspect::RecordedFact& fact) const;
  const inspect::Artifact* ArtifactWith(const evidence::FactCitation& citation);
  std::shared_ptr<const inspect::Artifact> InspectIfSame(const std::filesystem::path& file,
                                                         const std::string& sha256) const;

  evidence::Lock lock_;
  evidence::Surroundings around_;
  Root oracle_;
  MadeHere made_here_;
  std::shared_ptr<InspectedFiles> inspected_;  // of all calls of a server
  inspect::FactBook book_;
  std::optional<inspect::HashedFiles> files_;
  std::map<std::string, std::shared_ptr<const inspect::Artifact>> artifacts_;
  std::map<std::string, std::filesystem::path> read_from_;
};

/// For the gate. The facts must outlive it.
gate::OtherResolver ResolverOfFacts(CitedFacts& facts);

}  // namespace sibyl::oracle
