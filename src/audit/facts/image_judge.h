// SPDX-License-Identifier: Apache-2.0
// Checks container images: the one that a named Dockerfile or workflow starts from, and tags of a
// known form (field/tables/images.txt).
#pragma once

#include <optional>
#include <string_view>

#include "audit/witness.h"
#include "statement/atom.h"
#include "statement/statement.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// "nvidia/cuda:12.4.1-devel-ubuntu22.04" in its sentence; nothing if it is not decidable, and
/// without its place otherwise.
std::optional<statement::Judgement> JudgeImage(const statement::Statement& statement,
                                               const statement::Atom& image,
                                               const Witness& witness);

}  // namespace sibyl::audit
