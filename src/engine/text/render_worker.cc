// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {

Rendered RenderWorker(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  rendered.results =
      fmt::format("{} written, {} failed, {} released\n", Number(outcome.data, "written"),
                  Number(outcome.data, "failed"), Number(outcome.data, "released"));
  return rendered;
}

}  // namespace sibyl::engine
