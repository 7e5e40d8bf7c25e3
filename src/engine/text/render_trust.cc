// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "engine/text/render.h"

namespace sibyl::engine {
namespace {

std::string LineOf(const Json& setting) {
  std::string place = Harmless(setting.value("file", ""));
  if (setting["line"].is_number()) place += fmt::format(":{}", setting["line"].get<std::size_t>());
  std::string_view state = setting.value("agreed", false) ? "agreed" : "not agreed";
  if (setting.value("from_environment", false)) state = "set in your environment";
  if (setting.value("refused", false)) state = "refused";
  return fmt::format("{}: {} ({})\n", place, Harmless(setting.value("effect", "")), state);
}

}  // namespace

Rendered RenderTrust(const Outcome& outcome, const RenderOptions& /*options*/) {
  Rendered rendered;
  std::size_t open = 0;
  for (const Json& setting : outcome.data["settings"]) {
    rendered.results += LineOf(setting);
    if (!setting.value("agreed", false) && !setting.value("refused", false)) ++open;
  }
  if (outcome.data["settings"].empty()) {
    rendered.talk = "sibyl: no setting reaches outside the oracle\n";
  } else if (outcome.data.value("revoked", false)) {
    rendered.talk = "sibyl: every agreement for this oracle is revoked\n";
  } else if (const auto now = outcome.data.value("agreed_now", std::size_t{0}); now > 0) {
    rendered.talk = fmt::format("sibyl: you agreed to {}\n", Count(now, "setting"));
  } else if (open > 0) {
    rendered.talk = fmt::format("sibyl: {} not agreed to; to agree: sibyl trust --yes\n",
                                Count(open, "setting"));
  }
  return rendered;
}

}  // namespace sibyl::engine
