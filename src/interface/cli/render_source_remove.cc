// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/render_source.h"

namespace sibyl::interface {

Rendered RenderSourceRemove(const engine::Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& name : outcome.data["removed"]) {
    rendered.talk +=
        "sibyl: removed " + Harmless(name.get<std::string>()) + "; its bytes stay in the store\n";
  }
  return rendered;
}

}  // namespace sibyl::interface
