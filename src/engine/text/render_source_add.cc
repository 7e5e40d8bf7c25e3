// SPDX-License-Identifier: Apache-2.0
#include "engine/text/render_source.h"

namespace sibyl::engine {

Rendered RenderSourceAdd(const Outcome& outcome, const RenderOptions& options) {
  return {.results = DescribePin(outcome.data["source"]) + '\n' + DescribePages(outcome.data),
          .talk = RenderTalk(outcome, options)};
}

}  // namespace sibyl::engine
