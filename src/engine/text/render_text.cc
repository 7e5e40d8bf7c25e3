// SPDX-License-Identifier: Apache-2.0
#include "base/terminal.h"
#include "engine/text/render.h"

namespace sibyl::engine {

std::string RenderOptions::Sibyl() const {
  if (oracle.empty()) return "sibyl";
  const bool is_plain = oracle.find_first_of(" \t\n'\"\\$`&|;<>()*?[]{}~#!") == oracle.npos;
  return is_plain ? "sibyl -C " + Harmless(oracle) : "sibyl -C '" + Harmless(oracle) + "'";
}

Rendered RenderText(const Outcome& outcome, const RenderOptions&) {
  return {.results = outcome.data.value("text", "")};
}

}  // namespace sibyl::engine
