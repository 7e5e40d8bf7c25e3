// SPDX-License-Identifier: Apache-2.0
// Do the cited lines connect words as the statement does? A name, a number or a
// word with an opposite should occur in the lines near the words of its clause.
// If another one fits there better, that is a doubt, never a refusal: code and
// prose order words too freely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// What would fit better than what the statement says, from 0 (nothing) to 1.
struct BetterFits {
  double opposite = 0;               ///< The opposite of a word, where the lines have both.
  double other_number = 0;           ///< Another number of the lines.
  std::vector<std::string> opposed;  ///< Words of which the lines have only the opposite.
  /// The same, of a word without doubt, beside the same words; empty if there is none.
  std::string contradicted;
};

/// Borrows both.
class Proximity {
 public:
  Proximity(const ReadStatement& read, const EvidenceText& evidence)
      : read_(read), evidence_(evidence) {}

  BetterFits Compare() const;

  /// How well the best number of the lines fits where the statement has the
  /// number at this token; 0 to 1.
  double BestNumberAt(std::size_t token) const;

 private:
  using Positions = std::vector<std::uint32_t>;

  // A word of the same clause; the nearer, the more it counts.
  struct Neighbour {
    std::size_t token = 0;
    double weight = 1;
  };

  std::vector<Neighbour> NeighboursOf(std::size_t token) const;
  double Fit(const Positions& positions, const std::vector<Neighbour>& near) const;
  void CompareOpposites(BetterFits& fits) const;
  void CompareNumbers(BetterFits& fits) const;
  bool IsRightBefore(const Positions& positions, std::size_t token) const;
  bool Says(Pole pole) const;
  bool IsNegated(std::size_t token) const;
  bool IsSpan(std::size_t token) const;
  bool IsException(std::size_t token) const;
  bool IsBound(std::size_t token) const;
  bool IsOnlyInNames(const Positions& positions) const;
  bool IsSigned(std::size_t token) const;
  bool IsInSamePlace(std::size_t token, const Positions& opposite) const;
  bool IsCrossed(std::size_t token, const Positions& opposite) const;
  bool IsOfSameSide(std::size_t token, const Positions& opposite) const;

  const ReadStatement& read_;
  const EvidenceText& evidence_;
};

}  // namespace sibyl::support
