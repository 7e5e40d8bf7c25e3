// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "interface/cli/render.h"

namespace sibyl::interface {

// The citation, then the lines themselves, unchanged: only text to copy is on
// stdout.
Rendered RenderCite(const engine::Outcome& outcome, const RenderOptions& options) {
  const std::string text = outcome.data.value("text", "");
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines += options.terminal.is_terminal ? Harmless(text.substr(at, end - at))
                                          : text.substr(at, end - at);
    lines += '\n';
    at = end + 1;
  }
  return {.results = outcome.data.value("footnote", "") + "\n\n",
          .talk = {},
          .quoted = std::move(lines)};
}

}  // namespace sibyl::interface
