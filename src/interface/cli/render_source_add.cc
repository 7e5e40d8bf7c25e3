// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/render_source.h"

namespace sibyl::interface {

Rendered RenderSourceAdd(const engine::Outcome& outcome, const RenderOptions& options) {
  return {.results = DescribePin(outcome.data["source"]) + '\n' + DescribePages(outcome.data),
          .talk = RenderTalk(outcome, options)};
}

}  // namespace sibyl::interface
