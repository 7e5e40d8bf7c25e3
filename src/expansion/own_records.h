// SPDX-License-Identifier: Apache-2.0
// The measurements and facts of an oracle, as evidence for points of plans.
#pragma once

#include <vector>

#include "draft/point/records.h"
#include "evidence/lock.h"
#include "evidence/sync.h"
#include "oracle/context.h"

namespace sibyl::expansion {

/// Measurements that this user made on this machine, and the facts of sibyl.facts; whether a
/// fact still holds is decided by the gate.
std::vector<draft::Record> ReadOwnRecords(const oracle::Context& context,
                                          const evidence::Lock& lock,
                                          const evidence::Surroundings& around);

}  // namespace sibyl::expansion
