// SPDX-License-Identifier: Apache-2.0
// Which settings of an oracle reach outside it. Oracles are cloned, so
// sibyl.toml and sibyl.lock are untrusted; the settings listed here take effect
// only after the user agrees (consent.h, `sibyl trust`). docs/decisions/0098
// explains the list.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/source.h"
#include "model/model_config.h"
#include "net/host.h"
#include "net/url.h"
#include "oracle/context.h"
#include "research/web_config.h"

namespace sibyl::oracle {

/// One setting that reaches outside. An agreement covers name, value and
/// target: if one of them changes, it is another setting.
struct OutsideSetting {
  std::string name;    ///< "source notes folder", "web proxy", "model url"
  std::string value;   ///< As the file has it.
  std::string target;  ///< Of a path: where it leads, with all links resolved.
  std::string effect;  ///< "source 'notes' reads the folder ../notes, outside of this oracle"
  Place place;
  /// Also set in the user's environment; no agreement is needed.
  bool is_from_environment = false;
  /// Never allowed, agreed or not; `effect` says why.
  bool is_refused = false;
};

/// For one source; nothing if it is inside the oracle, or is fetched over
/// http(s) from a public address. Resolves host names if the context allows the
/// network.
Result<std::vector<OutsideSetting>> OutsideSettingsOf(const Context& context,
                                                      const evidence::SourceSpec& spec);

/// The settings of a URL of git or of a page, if `judged` is not public.
std::vector<OutsideSetting> OutsideSettingsOfUrl(const evidence::SourceSpec& spec,
                                                 const net::Url& url,
                                                 const net::JudgedHost& judged);

/// The settings of the [web] table. The name is "web " and the key.
std::vector<OutsideSetting> OutsideSettingsOf(const research::WebConfig& config);

/// The settings of the [model] table.
std::vector<OutsideSetting> OutsideSettingsOf(const model::ModelConfig& config);

/// The settings of all pages in sibyl.toml and sibyl.lock, as if none were public: shows which
/// were agreed to, without resolving their hosts.
Result<std::vector<OutsideSetting>> PageSettings(const Context& context);

/// All settings of the oracle: sibyl.toml in its order, then those only in sibyl.lock.
Result<std::vector<OutsideSetting>> OutsideSettings(const Context& context);

/// JudgeHost with the context's network. A name that cannot be resolved is an
/// error, unless git uses a proxy from the environment, which resolves it.
Result<net::JudgedHost> JudgeUrl(const Context& context, const net::Url& url);

/// True for an http or https origin; git also supports ssh and others.
bool IsHttpOrigin(std::string_view origin);

/// True for "ext::sh -c …" and "fd::3": git would start a program for them.
bool IsTransportHelper(std::string_view origin);

/// True when SIBYL_WEB_ALLOW names the host, with or without its port.
bool IsHostInEnvironment(const net::Url& url);

}  // namespace sibyl::oracle
