// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/render.h"

namespace sibyl::interface {

Rendered RenderText(const engine::Outcome& outcome, const RenderOptions&) {
  return {.results = outcome.data.value("text", "")};
}

}  // namespace sibyl::interface
