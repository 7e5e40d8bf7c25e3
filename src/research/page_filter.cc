// SPDX-License-Identifier: Apache-2.0
#include "research/page_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "research/authority.h"

namespace sibyl::research {
namespace {

constexpr std::string_view kBlanks = " \t\r\n,;()[]\"`*";

// Words without the punctuation around them.
std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = line.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) return words;
    line.remove_prefix(start);
    const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
    std::string_view word = line.substr(0, end);
    while (!word.empty() && (word.back() == '.' || word.back() == ':' || word.back() == '!')) {
      word.remove_suffix(1);
    }
    if (!word.empty()) words.push_back(word);
    line.remove_prefix(end);
  }
}

bool HasWord(const std::vector<std::string_view>& words, std::string_view wanted) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return EqualsIgnoringCase(word, wanted); });
}

bool HasWordLike(const std::vector<std::string_view>& words, std::string_view prefix) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return StartsWithIgnoringCase(word, prefix); });
}

constexpr std::string_view kSite = "site:";

void AddOnce(std::vector<std::string>& list, std::string entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(std::move(entry));
}

}  // namespace

bool FitsHost(const net::Url& url, std::string_view pattern) {
  const std::size_t slash = pattern.find('/');
  const std::string host = LowerCase(pattern.substr(0, slash));
  const std::string_view bare = host.starts_with("*.") ? std::string_view(host).substr(2) : host;
  const bool is_below = url.host.size() > bare.size() && url.host.ends_with(bare) &&
                        url.host[url.host.size() - bare.size() - 1] == '.';
  if (url.host != bare && !is_below && url.HostAndPort() != host) return false;
  if (slash == std::string_view::npos) return true;
  const std::string_view folder = pattern.substr(slash);
  return StartsWithIgnoringCase(url.path, folder);
}

std::string PageFilter::WhyNot(const net::Url& url) const {
  if (!hosts.empty() && std::none_of(hosts.begin(), hosts.end(), [&](const std::string& host) {
        return FitsHost(url, host);
      })) {
    return "not from " + Join(hosts, ", ");
  }
  if (!is_official) return {};
  const Standing standing = Judge(url);
  if (standing.authority != Authority::kOfficial) return "not official";
  if (!makers.empty() && std::find(makers.begin(), makers.end(), standing.maker) == makers.end()) {
    return "not by " + Join(makers, ", ");
  }
  if (is_repository && !is_documentation && !standing.is_repository) return "not a repository";
  if (is_documentation && !is_repository && standing.is_repository) return "not documentation";
  return {};
}

void AddRestriction(std::string_view line, PageFilter& filter) {
  const std::vector<std::string_view> words = WordsOf(line);
  bool says_something = false;
  for (const std::string_view word : words) {
    if (!StartsWithIgnoringCase(word, kSite) || word.size() == kSite.size()) continue;
    AddOnce(filter.hosts, std::string(word.substr(kSite.size())));
    says_something = true;
  }
  // "official" alone has no effect; it is a rule only with an exclusive word
  // such as "only", and only for places to search.
  const bool shuts_out = HasWord(words, "only") || HasWord(words, "exclusively") ||
                         (HasWord(words, "no") && HasWordLike(words, "third-party"));
  const bool of_repositories = HasWordLike(words, "repo") || HasWord(words, "github");
  const bool of_documentation = HasWord(words, "docs") || HasWordLike(words, "documentation");
  const bool of_anything = HasWordLike(words, "source") || HasWordLike(words, "site") ||
                           HasWordLike(words, "page") || HasWord(words, "patterns");
  if (shuts_out && HasWordLike(words, "official") &&
      (of_repositories || of_documentation || of_anything)) {
    says_something = true;
    filter.is_official = true;
    filter.is_repository = filter.is_repository || of_repositories;
    filter.is_documentation = filter.is_documentation || of_documentation;
    for (const std::string_view word : words) {
      const std::string_view maker = MakerNamed(word);
      if (!maker.empty()) AddOnce(filter.makers, std::string(maker));
    }
  }
  if (says_something) AddOnce(filter.words, std::string(Trim(line)));
}

PageFilter PageFilterOf(const plan::Plan& plan, const plan::Part& part) {
  PageFilter filter;
  for (const plan::Note& note : plan.notes) AddRestriction(note.label + ": " + note.text, filter);
  for (const plan::Note& note : part.notes) AddRestriction(note.label + ": " + note.text, filter);
  for (const plan::Step& step : part.steps) {
    for (const plan::Item& item : step.items) {
      AddRestriction(item.text, filter);
      for (const plan::Text& detail : item.details) AddRestriction(detail.text, filter);
    }
  }
  return filter;
}

std::string WithoutSites(std::string_view query) {
  std::vector<std::string> kept;
  std::size_t at = 0;
  while (at < query.size()) {
    const std::size_t start = query.find_first_not_of(" \t", at);
    if (start == std::string_view::npos) break;
    const std::size_t end = std::min(query.find_first_of(" \t", start), query.size());
    const std::string_view word = query.substr(start, end - start);
    if (!StartsWithIgnoringCase(word, kSite)) kept.emplace_back(word);
    at = end;
  }
  return Join(kept, " ");
}

}  // namespace sibyl::research
