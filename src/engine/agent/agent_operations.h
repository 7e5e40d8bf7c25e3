// SPDX-License-Identifier: Apache-2.0
// The rows by which an agent, or a person, writes the parts of a plan: claim
// one, draft its sections, submit it; correct a published page; and the rows for
// reading sources.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kPlanStatus;
extern const Operation kPartClaim;
extern const Operation kPartDraft;
extern const Operation kPartShow;
extern const Operation kPartSubmit;
extern const Operation kPartRelease;
extern const Operation kPlanFinalize;
extern const Operation kPageCorrect;
extern const Operation kSourceRead;
extern const Operation kSourceOutline;
extern const Operation kSourceSymbols;
extern const Operation kLabResults;

/// The parameter that all steps of a held part have.
inline constexpr Parameter kLeaseParameter = {.name = "lease",
                                              .value_name = "LEASE",
                                              .help = "the lease that claiming the part returned",
                                              .kind = ParameterKind::kPositional,
                                              .required = true};

inline constexpr Parameter kPlanParameter = {.name = "plan",
                                             .value_name = "PLAN",
                                             .help = "the plan, or its folder",
                                             .kind = ParameterKind::kPositional,
                                             .type = ValueType::kPath,
                                             .required = true};

inline constexpr Parameter kPlanOrPageParameter = {
    .name = "plan",
    .value_name = "PLAN",
    .help = "the plan, or its folder; or a published page to revise",
    .kind = ParameterKind::kPositional,
    .type = ValueType::kPath,
    .required = true};

}  // namespace sibyl::engine
