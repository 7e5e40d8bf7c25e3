// SPDX-License-Identifier: Apache-2.0
// sibyl.facts: the facts that an oracle's pages cite, with their values and
// where the artifacts lay. It stands beside sibyl.lock and is committed with
// it, so that a page can be checked where the artifact is not: an image of ten
// gigabytes is in no repository. docs/formats/facts.md has the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

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
  /// A pinned folder or file that it lay in; empty for the oracle itself.
  std::string source;
  /// From the folder of `source` or of the oracle; absolute for what is in neither.
  std::string path;

  bool operator==(const RecordedFact&) const = default;
};

class FactBook {
 public:
  /// An empty text is an empty book. Refuses, with the line, what a person or a
  /// merge made of it.
  static Result<FactBook> Parse(std::string_view text);

  /// Sorted by citation. Parse(Format()) is the book.
  std::string Format() const;

  /// Replaces what was said of that citation.
  void Put(const evidence::FactCitation& citation, RecordedFact fact);

  /// Or nullptr.
  const RecordedFact* Find(const evidence::FactCitation& citation) const;

  /// Any fact of the artifact, for where it lay; or nullptr.
  const RecordedFact* FindArtifact(std::string_view sha256) const;

  std::size_t size() const { return facts_.size(); }
  bool operator==(const FactBook&) const = default;

 private:
  std::map<std::string, RecordedFact, std::less<>> facts_;  // by the citation's text
};

/// A fact in words that a statement can be held to: the artifact's name, kind
/// and size, and the value with its unit: "libk.so: elf, 4096 bytes\n
/// cuda cubin.sm_90.count: 3 cubins\n".
std::string FactInWords(const evidence::FactCitation& citation, const RecordedFact& fact);

}  // namespace sibyl::inspect
