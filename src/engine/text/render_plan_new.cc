// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/text/render.h"

namespace sibyl::engine {

// The path alone on stdout: `$EDITOR "$(sibyl plan new …)"` works.
Rendered RenderPlanNew(const Outcome& outcome, const RenderOptions&) {
  const std::string file = outcome.data.value("file", "");
  return {.results = file + '\n',
          .talk = fmt::format("sibyl: wrote a starter plan; edit it, then 'sibyl plan check {}'\n",
                              Harmless(file))};
}

}  // namespace sibyl::engine
