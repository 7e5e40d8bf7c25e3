// SPDX-License-Identifier: Apache-2.0
// Common formatting of the operations on sources.
#pragma once

#include <string>

#include "base/json.h"
#include "engine/text/render.h"

namespace sibyl::engine {

/// "cutlass 4f2a91c (2026-08-20, main) from https://…"
std::string DescribePin(const Json& pin);

/// "3 files added, 2 removed, 17 changed", with a few of them below.
std::string DescribeChanges(const Json& changes);

/// The outcome of each page of a source, one line each; empty for other sources.
std::string DescribePages(const Json& change);

/// Findings for stderr. Those about sources that were not searched become one line if some are
/// not on this machine ("searched_sources" of the answer).
std::string RenderTalk(const Outcome& outcome, const RenderOptions& options);

}  // namespace sibyl::engine
