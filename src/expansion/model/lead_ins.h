// SPDX-License-Identifier: Apache-2.0
// Statements that lead in a list, a table, a quotation or code. They need no key of
// their own; what they lead in is never left without them, nor they without it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "draft/extract/passage_keys.h"
#include "draft/extract/terms.h"
#include "draft/model/manuscript.h"

namespace sibyl::expansion {

/// Borrows both.
class LeadIns {
 public:
  LeadIns(draft::Manuscript& manuscript, const draft::PassageKeys& keys)
      : manuscript_(manuscript), keys_(keys) {}

  /// Whether the statement leads in what follows it among those that are kept.
  bool LeadsIn(const draft::UnitPlace& place, const std::vector<std::size_t>& kept,
               std::size_t at) const;

  /// Why it cannot lead in what follows; empty if it can: what follows is cited, and
  /// its passages or `context` have the words of the statement, or it says nothing.
  std::string WhyNot(const draft::UnitPlace& place, const std::vector<std::size_t>& kept,
                     std::size_t at, draft::TermReader& reader, const std::string& context) const;

  /// Gives it the keys of what it leads in. False if it has keys already.
  bool Bind(const draft::UnitPlace& place, const std::vector<std::size_t>& kept,
            std::size_t at) const;

  /// Binds sentences without a key and without a colon that are directly before cited
  /// lines of another kind.
  void BindAll() const;

  /// After the repair: a lead-in of nothing, or of what another one led in, goes, or ends
  /// with a full stop if it has a citation of its own. What lost its lead-in, and a list
  /// that lost the paragraph before it, gets a line that names its source.
  void Settle() const;

 private:
  std::vector<std::size_t> LedIn(const draft::UnitPlace& place,
                                 const std::vector<std::size_t>& kept, std::size_t at) const;
  bool HasLost(const draft::UnitPlace& place, const std::vector<std::size_t>& kept,
               std::size_t at) const;
  void DropLeadIns() const;
  void NamePlaces() const;
  std::optional<std::size_t> LostBefore(const draft::UnitPlace& place) const;

  draft::Manuscript& manuscript_;
  const draft::PassageKeys& keys_;
};

/// "In cutlass `examples/a.cu`:": the line of the program before statements that cite this
/// place first. Of pages of the web and of what has no citation only "From the sources:".
std::string PlaceLine(std::string_view words, const std::vector<draft::CitedLines>& cited);

}  // namespace sibyl::expansion
