// SPDX-License-Identifier: Apache-2.0
#include "engine/source/source_pages.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/strings.h"

namespace sibyl::engine {
namespace {

// "github.com/OWNER/NAME" with nothing after it. GitLab's nested groups cannot
// be distinguished from a page: use --kind.
bool IsRepositoryOfForge(std::string_view rest) {
  constexpr std::array<std::string_view, 6> kForges = {
      "github.com", "gitlab.com", "codeberg.org", "bitbucket.org", "git.sr.ht", "www.github.com"};
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string host = LowerCase(rest.substr(0, slash));
  if (std::find(kForges.begin(), kForges.end(), host) == kForges.end()) return false;
  std::string_view path = rest.substr(slash + 1);
  if (path.ends_with('/')) path.remove_suffix(1);
  return !path.empty() && std::count(path.begin(), path.end(), '/') == 1 &&
         path.find_first_of("?#") == std::string_view::npos;
}

}  // namespace

bool IsPageAddress(std::string_view origin) {
  std::string_view rest;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (StartsWithIgnoringCase(origin, scheme)) rest = origin.substr(scheme.size());
  }
  if (rest.empty()) return false;
  const std::string_view path = rest.substr(0, rest.find_first_of("?#"));
  return !path.ends_with(".git") && !path.ends_with(".git/") && !IsRepositoryOfForge(rest);
}

Result<std::unique_ptr<expansion::Web>> ReachWeb(const oracle::Context& context,
                                                 evidence::Surroundings& around,
                                                 const expansion::WebOptions& options) {
  std::unique_ptr<expansion::Web> web = SIBYL_TRY(expansion::Web::Open(context, options));
  const std::stop_token stop =
      context.catch_interrupt ? context.catch_interrupt() : std::stop_token();
  around.fetch_page = web->PageFetcher(stop);
  if (stop.stop_possible()) around.cancelled = [stop] { return stop.stop_requested(); };
  return web;
}

Json PagesAsJson(const std::vector<evidence::PageOutcome>& pages) {
  Json list = Json::array();
  for (const evidence::PageOutcome& page : pages) {
    Json json = {{"url", page.url}, {"fate", evidence::PageFateName(page.fate)}};
    if (page.record) {
      json["title"] = page.record->title;
      json["path"] = page.record->path;
      json["fetched"] = page.record->fetched;
      if (!page.record->final_url.empty()) json["final_url"] = page.record->final_url;
    }
    if (page.words > 0) json["words"] = page.words;
    if (page.left_out_bytes > 0) json["left_out_bytes"] = page.left_out_bytes;
    if (!page.code.empty()) json["code"] = page.code;
    if (!page.reason.empty()) json["reason"] = page.reason;
    if (!page.changes.empty()) json["changes"] = page.changes;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace sibyl::engine
