// SPDX-License-Identifier: Apache-2.0
// The source that the names of a section are from. A page about a project often does not name it;
// its names and paths tell which it is, if one source has nearly all of them and no other has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

#include "audit/witness.h"
#include "statement/statement.h"

namespace sibyl::audit {

/// Of one text; not thread-safe.
class SectionHomes {
 public:
  /// Both must outlive it.
  SectionHomes(const Witness& witness, const statement::Statements& statements)
      : witness_(witness), statements_(statements) {}

  /// Into Witness::sources(); nothing if the names do not tell.
  std::optional<std::size_t> Of(std::uint32_t heading) const;

 private:
  std::optional<std::size_t> Find(std::uint32_t heading) const;

  const Witness& witness_;
  const statement::Statements& statements_;
  mutable std::map<std::uint32_t, std::optional<std::size_t>> known_;
};

}  // namespace sibyl::audit
