// SPDX-License-Identifier: Apache-2.0
// How cards are shown to people.
#pragma once

#include "engine/text/render.h"

namespace sibyl::engine {

/// The answer of `search --cards`.
Rendered RenderCards(const Outcome& outcome, const RenderOptions& options);

}  // namespace sibyl::engine
