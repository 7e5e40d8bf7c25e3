// SPDX-License-Identifier: Apache-2.0
#include "net/visitor.h"

#include <fmt/format.h>

#include <utility>

#include "base/without_doing.h"

namespace sibyl::net {
namespace {

namespace chrono = std::chrono;

// A day, as in the standard; sooner for a site that was unavailable.
constexpr chrono::hours kGoodFor{24};
constexpr chrono::minutes kBadFor{5};
constexpr int kRobotsRedirects = 5;
constexpr chrono::milliseconds kVisitorGlance{50};

bool IsUnreachable(int status) { return status >= 500 || status == 429; }

}  // namespace

Result<Visitor::Site> Visitor::AskRobots(const Url& url, const std::stop_token& stop) {
  std::string text;
  Request request{.url = url};
  request.url.path = "/robots.txt";
  request.url.query.reset();
  request.limits.redirects = kRobotsRedirects;
  request.retry.tries = 2;
  request.stop = stop;
  request.admit = [&](const Url& hop) { return pace_.Enter({.host = hop.host, .stop = stop}); };
  // A longer file is truncated, not refused: this error only ends the transfer.
  request.on_chunk = [&](std::string_view piece) -> Status {
    text += piece;
    if (text.size() <= kMaxRobotsBytes) return {};
    return Error{.kind = ErrorKind::kUsage, .message = "robots.txt exceeds the size limit"};
  };
  const Result<Response> response = client_.Send(request);
  const Time now = client_.clock().Now();
  if (text.size() > kMaxRobotsBytes || (response.ok() && response->Succeeded())) {
    return Site{.robots = Robots::Parse(text, kProductToken), .good_until = now + kGoodFor};
  }
  if (response.ok() && !IsUnreachable(response->status)) {
    return Site{.good_until = now + kGoodFor};  // there is none: everything is allowed
  }
  if (!response.ok() && (response.error().kind == ErrorKind::kCancelled ||
                         response.error().kind == ErrorKind::kUsage)) {
    return response.error();
  }
  Site site{.robots = Robots::DisallowAll(), .good_until = now + kBadFor};
  if (response.ok()) {
    site.trouble = fmt::format(
        "robots.txt of '{}' could not be read, so nothing there may be fetched: the server "
        "responded with {}",
        url.HostAndPort(), response->status);
  } else {
    // A server that cannot be reached has no page either: its robots.txt is not the point.
    const Error error =
        WithoutDoing(fmt::format("fetching '{}'", request.url.Text()), response.error());
    site.trouble = error.message;
    site.hint = error.hint;
  }
  return site;
}

Result<Visitor::Site> Visitor::SiteOf(const Url& url, const std::stop_token& stop) {
  const std::string origin = url.Origin();
  {
    const MutexLock lock(mutex_);
    Site& site = sites_[origin];
    while (site.is_asking) {
      if (stop.stop_requested()) {
        return Error{.kind = ErrorKind::kCancelled, .message = "waiting: cancelled"};
      }
      answered_.WaitFor(mutex_, kVisitorGlance);
    }
    if (client_.clock().Now() < site.good_until) return site;
    site.is_asking = true;
  }
  Result<Site> asked = AskRobots(url, stop);
  {
    const MutexLock lock(mutex_);
    // After a failure the next caller tries again.
    sites_[origin] = asked.ok() ? *asked : Site();
  }
  answered_.NotifyAll();
  return asked;
}

Result<std::unique_ptr<Pass>> Visitor::Admit(const Url& url, const std::stop_token& stop) {
  const Site site = SIBYL_TRY(SiteOf(url, stop));
  if (!site.trouble.empty()) {
    return Error{.kind = ErrorKind::kUnavailable, .message = site.trouble, .hint = site.hint};
  }
  if (!site.robots.Allows(url.Target())) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("robots.txt of '{}' does not allow programs to fetch '{}'",
                                        url.HostAndPort(), url.Target()),
                 .hint = "save the page with a browser and add the file as a source",
                 .cause = ErrorCause::kRobots};
  }
  return pace_.Enter({.host = url.host,
                      .interval = site.robots.crawl_delay().value_or(chrono::milliseconds(0)),
                      .stop = stop});
}

Result<Response> Visitor::Visit(Request request) {
  const std::stop_token stop = request.stop;
  request.admit = [this, stop, own = std::move(request.admit)](
                      const Url& url) -> Result<std::unique_ptr<Pass>> {
    if (own) SIBYL_TRY(own(url));
    return Admit(url, stop);
  };
  return client_.Send(request);
}

}  // namespace sibyl::net
