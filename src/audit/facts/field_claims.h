// SPDX-License-Identifier: Apache-2.0
// Claims about the field that the form of a sentence or the columns of a table make clear: "the L4
// is sm_89", "sm_89 needs CUDA 11.8", "CUDA 12.4 needs driver 550.54.14".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "audit/facts/field_mentions.h"
#include "statement/statement.h"

namespace sibyl::audit {

enum class FieldRelation : std::uint8_t {
  kIs,          ///< The L4 is sm_89; Hopper is compute capability 9.0; the A100 is Ampere.
  kFirst,       ///< Support for sm_89 was added in CUDA 11.8.
  kNeeds,       ///< sm_89 needs CUDA 11.8.
  kMinimum,     ///< A column "minimum toolkit", which may be that of a project.
  kLast,        ///< CUDA 12.9 is the last toolkit for Volta.
  kDropped,     ///< CUDA 13.0 dropped Volta.
  kDriver,      ///< CUDA 12.4 needs driver 550.54.14.
  kShips,       ///< CUDA 12.4 came with driver 550.54.14.
  kLastDriver,  ///< R580 is the last branch for Volta.
  kPtx,         ///< CUDA 12.4 has PTX ISA 8.4.
};

struct FieldClaim {
  FieldRelation relation = FieldRelation::kIs;
  MentionGroup subject;  ///< Products, generations, architectures; of kDriver and kPtx a toolkit.
  MentionGroup value;    ///< What is claimed of each of them.
  /// A form that is true or false and cannot mean something else; otherwise the claim can only be
  /// supported.
  bool is_clear = false;
  bool is_target = false;              ///< "sm_80 for the A10": what to compile for.
  std::string_view subject_text = {};  ///< That the subject's offsets refer to, if it is a cell.
};

/// Of a sentence.
std::vector<FieldClaim> ReadFieldClaims(std::string_view text);

/// Of a cell: what its column says of its row. `row` has all cells of the row.
std::vector<FieldClaim> ReadCellClaims(const statement::Statement& cell,
                                       const std::vector<const statement::Statement*>& row);

}  // namespace sibyl::audit
