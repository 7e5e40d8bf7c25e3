// SPDX-License-Identifier: Apache-2.0
#include "research/select.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/strings.h"

namespace sibyl::research {
namespace {

// The usual constant of reciprocal rank fusion: a page that two lists have at
// place ten comes before one that a single list has at place one.
constexpr double kRankOffset = 60.0;

bool IsTracking(std::string_view parameter) {
  const std::string_view name = parameter.substr(0, parameter.find('='));
  constexpr std::string_view kNames[] = {"gclid",  "fbclid", "msclkid", "ref",   "ref_src",
                                         "source", "mc_cid", "mc_eid",  "igshid"};
  return StartsWithIgnoringCase(name, "utm_") ||
         std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view known) { return EqualsIgnoringCase(known, name); });
}

std::string KeptQuery(std::string_view query) {
  std::vector<std::string> kept;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end);
    if (!parameter.empty() && !IsTracking(parameter)) kept.emplace_back(parameter);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  return Join(kept, "&");
}

}  // namespace

std::string CanonicalUrl(const net::Url& url) {
  std::string_view host = url.host;
  if (host.starts_with("www.")) host.remove_prefix(4);
  std::string_view path = url.path;
  for (const std::string_view index : {"/index.html", "/index.htm"}) {
    if (path.ends_with(index)) path.remove_suffix(index.size() - 1);
  }
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  std::string text = "https://" + std::string(host);
  if (url.port) text += ":" + std::to_string(*url.port);
  text += path;
  const std::string query = KeptQuery(url.query.value_or(""));
  if (!query.empty()) text += "?" + query;
  return text;
}

std::vector<Candidate> Merge(const std::vector<std::vector<Found>>& lists,
                             const PageFilter& filter) {
  std::vector<Candidate> merged;
  std::map<std::string, std::size_t> places;
  for (const std::vector<Found>& list : lists) {
    for (const Found& found : list) {
      const auto [place, is_new] = places.emplace(CanonicalUrl(found.url), merged.size());
      if (is_new) {
        merged.push_back(
            {.found = found, .standing = Judge(found.url), .excluded = filter.WhyNot(found.url)});
      }
      Candidate& candidate = merged[place->second];
      candidate.score += 1.0 / (kRankOffset + static_cast<double>(found.rank));
      if (candidate.found.snippet.empty()) candidate.found.snippet = found.snippet;
      if (candidate.found.title.empty()) candidate.found.title = found.title;
      std::vector<std::string>& providers = candidate.providers;
      if (std::find(providers.begin(), providers.end(), found.provider) == providers.end()) {
        providers.push_back(found.provider);
      }
    }
  }
  std::stable_sort(merged.begin(), merged.end(),
                   [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
  return merged;
}

std::vector<Candidate> Select(std::vector<Candidate> candidates, const SelectOptions& options) {
  std::erase_if(candidates, [](const Candidate& candidate) { return !candidate.excluded.empty(); });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     if (a.standing.authority != b.standing.authority) {
                       return a.standing.authority < b.standing.authority;
                     }
                     return a.score > b.score;
                   });
  std::vector<Candidate> chosen;
  std::map<std::string, std::size_t> of_host;
  for (Candidate& candidate : candidates) {
    if (chosen.size() >= options.count) break;
    const bool is_official = candidate.standing.authority == Authority::kOfficial;
    if (of_host[candidate.found.url.host]++ >= options.per_host && !is_official) continue;
    chosen.push_back(std::move(candidate));
  }
  return chosen;
}

}  // namespace sibyl::research
