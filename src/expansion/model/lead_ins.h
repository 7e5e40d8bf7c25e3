// SPDX-License-Identifier: Apache-2.0
// Statements that lead in a list, a table, a quotation or code. They need no key of
// their own; what they lead in is never left without them, nor they without it.
#pragma once

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
  /// its passages or `context` have the words of the statement.
  std::string WhyNot(const draft::UnitPlace& place, const std::vector<std::size_t>& kept,
                     std::size_t at, draft::TermReader& reader, const std::string& context) const;

  /// Gives it the keys of what it leads in. False if it has keys already.
  bool Bind(const draft::UnitPlace& place, const std::vector<std::size_t>& kept,
            std::size_t at) const;

  /// Binds sentences without a key and without a colon that are directly before cited
  /// lines of another kind.
  void BindAll() const;

  /// After the repair: a lead-in of nothing goes, or ends with a full stop if it has a
  /// citation of its own.
  void Settle() const;

  /// Whether a line must be put in the place of the statement if it goes: it leads in
  /// something that is not at the beginning of its point, where two lists would become
  /// one.
  bool NeedsLine(const draft::UnitPlace& place) const;

  /// Refuses a statement, and puts a neutral line in its place if one is needed.
  void Refuse(const draft::UnitPlace& place, draft::Refusal why) const;

 private:
  std::vector<std::size_t> LedIn(const draft::UnitPlace& place,
                                 const std::vector<std::size_t>& kept, std::size_t at) const;

  draft::Manuscript& manuscript_;
  const draft::PassageKeys& keys_;
};

/// The line that is put in the place of a refused lead-in.
inline constexpr std::string_view kNeutralLeadIn = "From the sources:";

}  // namespace sibyl::expansion
