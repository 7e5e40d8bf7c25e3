// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "interface/cli/render.h"

namespace sibyl::interface {

// The path alone on stdout: `$EDITOR "$(sibyl plan new …)"` works.
Rendered RenderPlanNew(const engine::Outcome& outcome, const RenderOptions&) {
  const std::string file = outcome.data.value("file", "");
  return {.results = file + '\n',
          .talk = fmt::format("sibyl: wrote a starter plan; edit it, then 'sibyl plan check {}'\n",
                              Harmless(file))};
}

}  // namespace sibyl::interface
