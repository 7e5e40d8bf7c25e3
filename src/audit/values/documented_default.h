// SPDX-License-Identifier: Apache-2.0
// Defaults that documentation gives in words near a name: "``limit``: how much is kept. Default:
// 512", "(default 0)" in the comment above an enumerator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/values/value_claims.h"
#include "audit/witness.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// Nothing if no line decides it. With owners, only lines near one of them count.
std::optional<statement::Judgement> CompareDocumented(const Witness& witness,
                                                      const ValueClaim& claim,
                                                      const std::vector<std::string>& owners);

}  // namespace sibyl::audit
