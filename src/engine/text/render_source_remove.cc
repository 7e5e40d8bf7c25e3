// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render_source.h"

namespace sibyl::engine {

Rendered RenderSourceRemove(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& name : outcome.data["removed"]) {
    rendered.talk +=
        "sibyl: removed " + Harmless(name.get<std::string>()) + "; its bytes stay in the store\n";
  }
  return rendered;
}

}  // namespace sibyl::engine
