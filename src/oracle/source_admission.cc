// SPDX-License-Identifier: Apache-2.0
#include "oracle/source_admission.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "git/origin.h"
#include "net/client.h"
#include "oracle/consent.h"
#include "oracle/outside_settings.h"

namespace sibyl::oracle {
namespace {

using evidence::Admission;
using evidence::SourceKind;
using evidence::SourceSpec;

// git connects to the addresses that were checked here, whatever the name
// resolves to later, and follows no redirects.
Admission AdmissionOf(const net::Url& url, const net::JudgedHost& judged) {
  Admission admission{.url = url.Text(), .git_settings = {"http.followRedirects=false"}};
  if (judged.is_literal || judged.addresses.empty()) return admission;
  std::vector<std::string> addresses;
  for (const net::HostAddress& address : judged.addresses) {
    addresses.push_back(address.size == 4 ? address.Text() : "[" + address.Text() + "]");
  }
  admission.git_settings.push_back(fmt::format("http.curloptResolve={}:{}:{}", url.host,
                                               url.PortNumber(), Join(addresses, ",")));
  return admission;
}

Result<Admission> AdmitHttp(const Context& context, const SourceSpec& spec, Consent consent) {
  const net::Url url = SIBYL_TRY(net::ParseUrl(spec.origin));
  const net::JudgedHost judged = SIBYL_TRY(JudgeUrl(context, url));
  if (consent == Consent::kRequired) {
    SIBYL_TRY(RequireConsent(context, OutsideSettingsOfUrl(spec, url, judged)));
  }
  return AdmissionOf(url, judged);
}

Result<Admission> Admit(const Context& context, const SourceSpec& spec, Consent consent) {
  if (spec.kind == SourceKind::kGit && IsTransportHelper(spec.origin)) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("source '{}' names a git transport helper: {}", spec.name,
                                        spec.origin),
                 .hint = "use https, http, ssh, git or a path"};
  }
  if (spec.kind == SourceKind::kGit && IsHttpOrigin(spec.origin)) {
    return AdmitHttp(context, spec, consent);
  }
  if (consent == Consent::kRequired) {
    const std::vector<OutsideSetting> settings = SIBYL_TRY(OutsideSettingsOf(context, spec));
    SIBYL_TRY(RequireConsent(context, settings));
  }
  return Admission();
}

}  // namespace

evidence::Admitter MakeAdmitter(const Context& context, Consent consent) {
  return [context, consent](const SourceSpec& spec) { return Admit(context, spec, consent); };
}

Result<Admission> FollowGitRedirect(const Context& context, const std::string& url) {
  constexpr std::string_view kService = "/info/refs?service=git-upload-pack";
  const net::Url first = SIBYL_TRY(net::ParseUrl(url));
  std::string_view base = url;
  while (base.ends_with('/')) base.remove_suffix(1);
  // The first host was admitted a moment ago; the others have to be public.
  net::Client client(
      {.clock = context.clock, .network = context.network, .allow = {first.HostAndPort()}});
  net::Url service = SIBYL_TRY(net::ParseUrl(std::string(base) + std::string(kService)));
  const net::Request request{.url = std::move(service), .headers = {{"Git-Protocol", "version=2"}}};
  const net::Response response = SIBYL_TRY(client.Send(request));
  std::string found = response.url.Text();
  if (!found.ends_with(kService)) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("fetching {}: it redirects to {}, which is not a git "
                                        "repository",
                                        url, found)};
  }
  found.resize(found.size() - kService.size());
  const net::Url last = SIBYL_TRY(net::ParseUrl(found));
  const net::JudgedHost judged = SIBYL_TRY(JudgeUrl(context, last));
  if (last.HostAndPort() != first.HostAndPort() && !judged.why_not_public.empty()) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("fetching {}: it redirects to {}, which is not a public "
                                        "address ({})",
                                        url, found, judged.why_not_public)};
  }
  return AdmissionOf(last, judged);
}

}  // namespace sibyl::oracle
