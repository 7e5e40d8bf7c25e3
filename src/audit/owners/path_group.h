// SPDX-License-Identifier: Apache-2.0
// File names without a folder that a text puts beside files of one folder: "`FindNCCL.cmake` and
// `FindCUDNN.cmake` in `cmake/Modules`". One that the folder does not have does not exist.
#pragma once

#include <cstddef>
#include <optional>

#include "audit/witness.h"
#include "statement/atom.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// For a path that no other rule decides. The judgement has no place, code, kind and text.
std::optional<statement::Judgement> JudgeBesideFiles(const statement::Statements& statements,
                                                     std::size_t number,
                                                     const statement::Atom& atom,
                                                     const Witness& witness);

}  // namespace sibyl::audit
