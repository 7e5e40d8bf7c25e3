// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render.h"

namespace sibyl::engine {

Rendered RenderText(const Outcome& outcome, const RenderOptions&) {
  return {.results = outcome.data.value("text", "")};
}

}  // namespace sibyl::engine
