// SPDX-License-Identifier: Apache-2.0
// How much of the pinned sources an answer was looked for in.
#pragma once

#include "base/json.h"
#include "oracle/source_index.h"

namespace sibyl::engine {

/// Of `ask`, `search` and `card`: {"pinned": 17, "searched": 0, "absent": 16}, where absent ones
/// are not on this machine.
inline Json SearchedSources(const oracle::SourceIndexes& indexes) {
  return {
      {"pinned", indexes.pinned}, {"searched", indexes.sources.size()}, {"absent", indexes.absent}};
}

}  // namespace sibyl::engine
