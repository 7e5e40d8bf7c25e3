// SPDX-License-Identifier: Apache-2.0
#include "expansion/web_research.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.h"
#include "evidence/pages/pages.h"
#include "expansion/web_memory.h"
#include "oracle/consent.h"
#include "oracle/oracle.h"
#include "research/authority.h"
#include "research/select.h"
#include "research/survey.h"

namespace sibyl::expansion {
namespace {

// Provider names are part of the cache key: another provider may have other
// results.
std::vector<std::string> ProviderNames(const research::WebConfig& config) {
  return config.providers.empty() ? std::vector<std::string>{"any"} : config.providers;
}

// Permanent reasons; not a spent budget or a lost connection.
bool IsWorthRemembering(const evidence::PageOutcome& page) {
  return page.fate == evidence::PageFate::kRefused && page.code != "unreachable" &&
         page.code != "cut";
}

/// The research of one run, part by part.
class Researcher {
 public:
  Researcher(const oracle::Context& context, const WebResearchRequest& request, Web& web,
             evidence::Surroundings around, OwnFolder own)
      : context_(context),
        request_(request),
        web_(web),
        around_(std::move(around)),
        memory_(WebMemory::Load(std::move(own), context.clock.Now())) {
    around_.fetch_page = web.PageFetcher(request.stop);
    around_.cancelled = [stop = request.stop] { return stop.stop_requested(); };
  }

  Result<WebResearch> Run() {
    for (const plan::Part* part : request_.parts) {
      Status done = ResearchPart(*part);
      // Saved even if the part fails.
      Status saved = memory_.Save();
      if (request_.stop.stop_requested()) return Interrupted(*part);
      if (!done.ok()) return std::move(done).error();
      SIBYL_TRY(std::move(saved));
    }
    research_.spent = web_.spent();
    SayWhatWasUsed();
    return std::move(research_);
  }

 private:
  Error Interrupted(const plan::Part& part) const {
    return {
        .kind = ErrorKind::kCancelled,
        .message = fmt::format("interrupted while searching the web for part {}; pages of the "
                               "parts before it are pinned, nothing has been written yet",
                               part.number),
        .hint =
            "run it again to resume; finished searches and pinned pages are not requested again"};
  }

  Status ResearchPart(const plan::Part& part) {
    const research::PageFilter filter = research::PageFilterOf(request_.plan, part);
    const std::vector<research::Query> queries =
        WebQueriesOf(request_.plan, part, static_cast<std::size_t>(web_.config().results) * 2);
    const std::vector<std::vector<std::vector<research::Found>>> answers = AskNew(queries, part);
    std::vector<std::string> urls = PagesNamed(part);
    std::set<std::string> seen;
    for (const std::string& url : urls) {
      seen.insert(research::CanonicalUrl(*net::ParseUrl(url)));
    }
    std::size_t excluded = 0;
    for (std::size_t i = 0; i < queries.size(); ++i) {
      research::PageFilter own = filter;
      for (const std::string& host : queries[i].hosts) own.hosts.push_back(host);
      std::vector<research::Candidate> merged = research::Merge(answers[i], own);
      excluded += static_cast<std::size_t>(
          std::count_if(merged.begin(), merged.end(),
                        [](const research::Candidate& one) { return !one.excluded.empty(); }));
      for (const research::Candidate& candidate : research::Select(
               std::move(merged), {.count = static_cast<std::size_t>(web_.config().results)})) {
        Take(candidate, part, seen, urls);
      }
    }
    ResearchedPart report{.number = part.number,
                          .queries = queries.size(),
                          .only = filter.words,
                          .excluded = excluded,
                          .pages = {}};
    SIBYL_TRY(FetchAll(urls, report.pages));
    research_.parts.push_back(std::move(report));
    return {};
  }

  // A repository should be pinned as such, not as the forge's pages.
  void Take(const research::Candidate& candidate, const plan::Part& part,
            std::set<std::string>& seen, std::vector<std::string>& urls) {
    const net::Url& url = candidate.found.url;
    if (!seen.insert(research::CanonicalUrl(url)).second) return;
    if (!candidate.standing.is_repository) {
      urls.push_back(url.Text());
      return;
    }
    const std::string repository = research::RepositoryOf(url);
    if (!repositories_.insert(LowerCase(url.host + "/" + repository)).second) return;
    research_.findings.push_back(
        {.severity = Severity::kNote,
         .code = "web/repository",
         .message = fmt::format("found a repository on the web: {}{}", repository,
                                candidate.standing.maker.empty() ? "" : ", official"),
         .hint = fmt::format("sibyl source add https://{}/{}", url.host, repository),
         .place = {.file = request_.file, .line = part.line}});
  }

  static std::vector<std::string> PagesNamed(const plan::Part& part) {
    std::vector<std::string> urls;
    for (const plan::Text& named : part.urls) {
      const Result<net::Url> url = net::ParseUrl(named.text);
      if (url.ok() && research::RepositoryOf(*url).empty()) urls.push_back(url->Text());
    }
    return urls;
  }

  // The answers to all queries, in order; only queries that are not cached are
  // sent. Providers are opened on demand: a repeated run needs no key.
  std::vector<std::vector<std::vector<research::Found>>> AskNew(
      const std::vector<research::Query>& queries, const plan::Part& part) {
    std::vector<std::vector<std::vector<research::Found>>> answers(queries.size());
    std::vector<research::Query> unknown;
    std::vector<std::size_t> places;
    const std::vector<std::string> names = ProviderNames(web_.config());
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (const auto* known = memory_.Find(QuestionKey(queries[i], names))) {
        answers[i] = *known;
      } else {
        unknown.push_back(queries[i]);
        places.push_back(i);
      }
    }
    if (unknown.empty() || !FindProviders(part)) return answers;
    if (context_.progress) {
      context_.progress(fmt::format("part {}: searching the web, {}", part.number,
                                    Count(unknown.size(), "query", "queries")));
    }
    research::Survey survey = research::AskAll(unknown, *providers_, {.stop = request_.stop});
    NoteTroubles(survey, part);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      if (survey.answers[i].lists.empty()) continue;
      answers[places[i]] = survey.answers[i].lists;
      memory_.Remember(QuestionKey(unknown[i], names), unknown[i].text,
                       std::move(survey.answers[i].lists));
    }
    return answers;
  }

  bool FindProviders(const plan::Part& part) {
    if (providers_) return !providers_->empty();
    auto providers = web_.Providers();
    if (!providers.ok()) {
      Warn(part, providers.error().message, providers.error().hint);
      providers_.emplace();
      return false;
    }
    providers_ = std::move(providers).value();
    return true;
  }

  void SayWhatWasUsed() {
    std::size_t queries = 0;
    std::size_t taken = 0;
    std::size_t refused = 0;
    for (const ResearchedPart& part : research_.parts) {
      queries += part.queries;
      for (const ResearchedPage& page : part.pages) {
        ++(page.fate == evidence::PageFate::kRefused ? refused : taken);
      }
    }
    research_.findings.push_back(
        {.severity = Severity::kNote,
         .code = "web/used",
         .message = fmt::format("web: {}, {} used, {} refused; {}, {:.1f} MB",
                                Count(queries, "query", "queries"), Count(taken, "page"), refused,
                                Count(research_.spent.requests, "request"),
                                static_cast<double>(research_.spent.bytes) / 1e6),
         .hint = {},
         .place = {.file = request_.file}});
  }

  void NoteTroubles(const research::Survey& survey, const plan::Part& part) {
    std::set<std::string> said;
    for (const research::Trouble& trouble : survey.troubles) {
      if (said.insert(trouble.error.message).second) {
        Warn(part, trouble.error.message, trouble.error.hint);
      }
    }
  }

  void Warn(const plan::Part& part, std::string message, std::string hint) {
    research_.findings.push_back({.severity = Severity::kWarning,
                                  .code = "web/provider",
                                  .message = std::move(message),
                                  .hint = std::move(hint),
                                  .place = {.file = request_.file, .line = part.line}});
  }

  Status FetchAll(const std::vector<std::string>& urls, std::vector<ResearchedPage>& pages) {
    std::vector<std::string> wanted;
    for (const std::string& url : urls) {
      const std::string_view reason = memory_.WhyRefused(url);
      if (reason.empty()) {
        wanted.push_back(url);
      } else {
        pages.push_back({.url = url, .reason = std::string(reason)});
      }
    }
    if (wanted.empty()) return {};
    const evidence::PagesChange change =
        SIBYL_TRY(evidence::AddPages(wanted, {.source = std::string(kWebSource)}, around_));
    for (const evidence::PageOutcome& page : change.pages) {
      pages.push_back({.url = page.url, .fate = page.fate, .reason = page.reason});
      if (IsWorthRemembering(page)) memory_.Refuse(page.url, page.reason);
    }
    return {};
  }

  const oracle::Context& context_;
  const WebResearchRequest& request_;
  Web& web_;
  evidence::Surroundings around_;
  WebMemory memory_;
  std::optional<std::vector<std::unique_ptr<research::Provider>>> providers_;
  std::set<std::string> repositories_;
  WebResearch research_;
};

}  // namespace

std::vector<research::Query> WebQueriesOf(const plan::Plan& plan, const plan::Part& part,
                                          std::size_t limit) {
  std::vector<research::Query> queries;
  const auto add = [&](std::string_view text) {
    research::PageFilter filter;
    research::AddRestriction(text, filter);
    research::Query query{
        .text = research::WithoutSites(text), .limit = limit, .hosts = std::move(filter.hosts)};
    if (query.text.empty()) return;
    const bool is_known = std::any_of(
        queries.begin(), queries.end(),
        [&](const research::Query& other) { return EqualsIgnoringCase(other.text, query.text); });
    if (!is_known) queries.push_back(std::move(query));
  };
  for (const plan::Text& query : part.queries) add(query.text);
  if (!queries.empty()) return queries;
  const std::string& topic = plan.topic.empty() ? plan.title : plan.topic;
  for (const plan::Section& section : part.sections) add(section.title + " " + topic);
  if (queries.empty() && !part.title.empty()) add(part.title + " " + topic);
  return queries;
}

Result<bool> IsWebAllowed(const oracle::Context& context, const WebPermission& permission) {
  if (context.network == Network::kForbidden) return false;
  if (permission.use == WebPermission::Use::kAllowed) return true;
  return SIBYL_TRY(ReadWebConfig(context)).expand;
}

Status CheckWebConsent(const oracle::Context& context, const WebPermission& permission) {
  if (permission.use == WebPermission::Use::kAllowed) return {};
  const research::WebConfig config = SIBYL_TRY(ReadWebConfig(context));
  for (const oracle::OutsideSetting& setting : oracle::OutsideSettingsOf(config)) {
    if (setting.name == "web expand") SIBYL_TRY(oracle::RequireConsent(context, setting));
  }
  return {};
}

Result<WebResearch> ResearchOnWeb(const oracle::Context& context,
                                  const WebResearchRequest& request) {
  evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const std::unique_ptr<Web> web = SIBYL_TRY(Web::Open(context, request.options));
  OwnFolder own = SIBYL_TRY(oracle::OpenOwnFolder(context));
  WebResearch research =
      SIBYL_TRY(Researcher(context, request, *web, std::move(around), std::move(own)).Run());
  for (const Finding& finding : web->config().findings) research.findings.push_back(finding);
  return research;
}

Result<WebPreview> PreviewWebResearch(const oracle::Context& context,
                                      const WebResearchRequest& request) {
  const research::WebConfig config = SIBYL_TRY(ReadWebConfig(context));
  const WebMemory memory =
      WebMemory::Load(SIBYL_TRY(oracle::FindOwnFolder(context)), context.clock.Now());
  const std::vector<std::string> names = ProviderNames(config);
  WebPreview preview;
  for (const plan::Part* part : request.parts) {
    for (const research::Query& query :
         WebQueriesOf(request.plan, *part, static_cast<std::size_t>(config.results) * 2)) {
      const bool is_known = memory.Find(QuestionKey(query, names)) != nullptr;
      preview.queries.push_back({.part = part->number, .text = query.text, .is_known = is_known});
      if (!is_known) preview.most_pages += static_cast<std::size_t>(config.results);
    }
  }
  return preview;
}

}  // namespace sibyl::expansion
