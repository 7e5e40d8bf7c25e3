// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render_source.h"

namespace sibyl::engine {

Rendered RenderSourceSync(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& change : outcome.data["sources"]) {
    rendered.results += DescribePin(change["source"]) + '\n';
    if (change["before"].is_null()) {
      rendered.results += "  pinned for the first time\n";
    } else if (change.value("moved", false)) {
      rendered.results += "  " + DescribeChanges(change["changes"]) + '\n';
    } else {
      rendered.results += "  unchanged\n";
    }
    rendered.results += DescribePages(change);
  }
  return rendered;
}

}  // namespace sibyl::engine
