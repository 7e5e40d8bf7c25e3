// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>

#include "base/strings.h"
#include "engine/text/columns.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string ContentOf(const Json& content) {
  return fmt::format("{}, {}, {} ({})", Count(content["sources"].get<std::size_t>(), "source"),
                     Count(content["indexes"].get<std::size_t>(), "index", "indexes"),
                     Count(content["files"].get<std::size_t>(), "file"),
                     ShownBytes(content["bytes"].get<std::uint64_t>()));
}

}  // namespace

Rendered RenderStoreInit(const Outcome& outcome, const RenderOptions& /*options*/) {
  const std::string folder = Harmless(outcome.data["store"].get<std::string>());
  return {.talk =
              fmt::format("sibyl: {} is a store; to use it, set SIBYL_STORE={} on every machine\n",
                          folder, folder)};
}

Rendered RenderStoreCheck(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  rendered.results = fmt::format("{}: {}\n", Harmless(outcome.data["store"].get<std::string>()),
                                 ContentOf(outcome.data));
  return rendered;
}

Rendered RenderStoreGc(const Outcome& outcome, const RenderOptions& /*options*/) {
  const Json& removed = outcome.data["removed"];
  return {.results = fmt::format("{}: {} {} and {} ({}); kept {}\n",
                                 Harmless(outcome.data["store"].get<std::string>()),
                                 outcome.data["dry_run"].get<bool>() ? "would remove" : "removed",
                                 Count(removed["records"].get<std::size_t>(), "record"),
                                 Count(removed["files"].get<std::size_t>(), "file"),
                                 ShownBytes(removed["bytes"].get<std::uint64_t>()),
                                 ContentOf(outcome.data["kept"]))};
}

}  // namespace sibyl::engine
