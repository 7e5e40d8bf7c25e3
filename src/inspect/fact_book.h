// SPDX-License-Identifier: Apache-2.0
// sibyl.facts: the facts that an oracle's pages cite, with their values and where the artifacts
// were. It is next to sibyl.lock and committed with it, so that a page can be checked without
// the artifact: an image of ten gigabytes is not in any repository. docs/formats/facts.md has
// the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "evidence/citation.h"

namespace sibyl::inspect {

inline constexpr std::string_view kFactsFile = "sibyl.facts";
inline constexpr std::size_t kMaxFactsBytes = std::size_t{64} << 20;

struct RecordedFact {
  Json value;
  std::string kind;         ///< Of the artifact: "elf".
  std::uint64_t bytes = 0;  ///< Of the artifact.
  /// The pinned folder or file that contained it; empty for the oracle itself.
  std::string source;
  /// Relative to the folder of `source` or of the oracle; absolute if it was in neither.
  std::string path;

  bool operator==(const RecordedFact&) const = default;
};

class FactBook {
 public:
  /// An empty text is an empty book. Rejects malformed lines, with the line number.
  static Result<FactBook> Parse(std::string_view text);

  /// Sorted by citation. Parse(Format()) gives an equal book.
  std::string Format() const;

  /// Replaces the fact of that citation.
  void Put(const evidence::FactCitation& citation, RecordedFact fact);

  /// nullptr if it is not recorded.
  const RecordedFact* Find(const evidence::FactCitation& citation) const;

  /// Any fact of the artifact, to learn where it was; or nullptr.
  const RecordedFact* FindArtifact(std::string_view sha256) const;

  /// Sorted by citation; the facts are those of the book.
  std::vector<std::pair<evidence::FactCitation, const RecordedFact*>> All() const;

  std::size_t size() const { return facts_.size(); }
  bool operator==(const FactBook&) const = default;

 private:
  std::map<std::string, RecordedFact, std::less<>> facts_;  // by the citation's text
};

/// A fact as text that a statement can be compared with: the artifact's name, kind and size,
/// and the value with its unit. Two lines:
///   libk.so: elf, 4096 bytes
///   cuda cubin.sm_90.count: 3 cubins
std::string FactInWords(const evidence::FactCitation& citation, const RecordedFact& fact);

}  // namespace sibyl::inspect
