// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "oracle/consent.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/outside_settings.h"

namespace sibyl::engine {
namespace {

std::string LineOf(const oracle::OutsideSetting& setting) {
  std::string place = setting.place.file;
  if (setting.place.line > 0) place += fmt::format(":{}", setting.place.line);
  return fmt::format("{}: {}", place, setting.effect);
}

Json SettingAsJson(const oracle::OutsideSetting& setting, bool is_agreed) {
  return {{"file", setting.place.file},
          {"line", setting.place.line > 0 ? Json(setting.place.line) : Json(nullptr)},
          {"setting", setting.name},
          {"effect", setting.effect},
          {"agreed", is_agreed},
          {"refused", setting.is_refused},
          {"from_environment", setting.is_from_environment}};
}

// Whether the person agrees to all of them now.
bool Agrees(const oracle::Context& context, const Arguments& arguments,
            const std::vector<oracle::OutsideSetting>& open) {
  if (open.empty() || arguments.Has("list")) return false;
  if (arguments.Has("yes")) return true;
  if (!context.confirm) return false;
  std::vector<std::string> lines;
  lines.reserve(open.size());
  for (const oracle::OutsideSetting& setting : open) lines.push_back(LineOf(setting));
  return context.confirm(lines, fmt::format("agree to {}?", open.size() == 1 ? "this" : "these"));
}

Result<Outcome> RunTrust(const oracle::Context& context, const Arguments& arguments) {
  if (!oracle::MayAgree(context)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "agents and servers cannot agree to an oracle's settings",
                 .hint = "run 'sibyl trust' in a terminal"};
  }
  const bool is_revoked = arguments.Has("revoke");
  if (is_revoked && (arguments.Has("yes") || arguments.Has("list"))) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--revoke cannot be combined with --yes or --list"};
  }
  if (is_revoked) SIBYL_TRY(oracle::RevokeConsent(context));
  const std::vector<oracle::OutsideSetting> settings = SIBYL_TRY(oracle::OutsideSettings(context));
  oracle::Consents consents = SIBYL_TRY(oracle::Consents::Read(context));
  std::vector<oracle::OutsideSetting> open;
  std::copy_if(settings.begin(), settings.end(), std::back_inserter(open),
               [&](const oracle::OutsideSetting& setting) {
                 return !setting.is_refused && !consents.Covers(setting);
               });
  const bool agrees = !is_revoked && Agrees(context, arguments, open);
  if (agrees) {
    SIBYL_TRY(oracle::RecordConsent(context, open));
    consents = SIBYL_TRY(oracle::Consents::Read(context));
  }
  const std::filesystem::path folder = SIBYL_TRY(oracle::RequireOracle(context));
  Outcome outcome{.data = {{"oracle", folder.string()},
                           {"settings", Json::array()},
                           {"agreed_now", agrees ? open.size() : 0},
                           {"revoked", is_revoked}}};
  for (const oracle::OutsideSetting& setting : settings) {
    const bool is_agreed = consents.Covers(setting);
    outcome.data["settings"].push_back(SettingAsJson(setting, is_agreed));
    outcome.holds = outcome.holds && (is_agreed || setting.is_refused);
  }
  if (is_revoked) outcome.holds = true;
  return outcome;
}

constexpr Parameter kTrustParameters[] = {
    {.name = "yes",
     .short_name = 'y',
     .help = "agree to everything listed, without asking",
     .kind = ParameterKind::kFlag},
    {.name = "list",
     .short_name = 'l',
     .help = "only list; exit status 1 when something is not agreed to",
     .kind = ParameterKind::kFlag},
    {.name = "revoke",
     .help = "revoke every agreement for this oracle",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kTrust = {
    .name = "trust",
    .summary = "agree to settings that reach outside the oracle",
    .description =
        R"(Oracles are cloned and shared, so someone else may have written the `sibyl.toml` and `sibyl.lock` of
this one. Settings that reach outside the oracle take effect only after you agree to them here:
folders and files outside it, git repositories on this machine or over ssh, addresses that are not
public, search servers, proxies, certificates and programs in `[web]`, and the server in `[model]`,
which receives your key. A public repository or page over https needs no agreement.

Lists those settings, one per line with its file and line, and asks whether you agree. An agreement
covers this oracle at this path, and exactly these settings; if one changes, you are asked again. It
is stored in `$XDG_STATE_HOME/sibyl/trust`, outside the oracle. Whatever you add with `sibyl source
add`, or set in your environment (`SIBYL_MODEL_URL`, `SIBYL_WEB_ALLOW`, `SEARXNG_URL`,
`SIBYL_SEARCH_COMMAND`), counts as agreed. Agents and servers cannot agree.

A setting that is never allowed is listed as refused, with the reason: a link that leads out of the
oracle, the folders `.git` and `.sibyl`, a git address that starts a program.

Exit status 1 means that something is not agreed to. Host names are resolved to see whether their
addresses are public; with `--offline` they are not resolved, and only their form is checked.

  sibyl trust
  sibyl trust --list
  sibyl trust --yes)",
    .parameters = kTrustParameters,
    .effects = {.reads = true, .writes = true, .network = NetworkUse::kAlways},
    .tool = {.is_refused = true},
    .run = RunTrust,
    .render = RenderTrust,
};

}  // namespace sibyl::engine
