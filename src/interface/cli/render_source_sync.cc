// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/render_source.h"

namespace sibyl::interface {

Rendered RenderSourceSync(const engine::Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  for (const Json& change : outcome.data["sources"]) {
    rendered.results += DescribePin(change["source"]) + '\n';
    rendered.results += change.value("moved", false)
                            ? "  " + DescribeChanges(change["changes"]) + '\n'
                            : std::string("  has not moved\n");
    rendered.results += DescribePages(change);
  }
  return rendered;
}

}  // namespace sibyl::interface
