// SPDX-License-Identifier: Apache-2.0
#include "engine/web_search.h"

#include <fmt/format.h>

#include <utility>

#include "engine/web_json.h"
#include "evidence/pages/pages.h"
#include "expansion/web.h"
#include "expansion/web_research.h"
#include "oracle/oracle.h"
#include "research/select.h"
#include "research/survey.h"

namespace sibyl::engine {
namespace {

Json CandidateAsJson(const research::Candidate& candidate) {
  Json json = {{"url", candidate.found.url.Text()},
               {"title", candidate.found.title},
               {"snippet", candidate.found.snippet},
               {"authority", research::AuthorityName(candidate.standing.authority)},
               {"providers", candidate.providers}};
  if (!candidate.standing.maker.empty()) json["maker"] = candidate.standing.maker;
  if (!candidate.found.published.empty()) json["published"] = candidate.found.published;
  return json;
}

Json PageAsJson(const evidence::PageOutcome& page) {
  Json json = {
      {"url", page.url}, {"fate", evidence::PageFateName(page.fate)}, {"words", page.words}};
  if (!page.reason.empty()) json["reason"] = page.reason;
  return json;
}

// Repositories are named, not fetched: source add has them whole.
Status FetchPages(const oracle::Context& context, const std::vector<research::Candidate>& chosen,
                  expansion::Web& web, Outcome& outcome) {
  evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  around.fetch_page = web.PageFetcher();
  std::vector<std::string> urls;
  for (const research::Candidate& candidate : chosen) {
    if (!candidate.standing.is_repository) urls.push_back(candidate.found.url.Text());
  }
  outcome.data["pages"] = Json::array();
  outcome.data["source"] = expansion::kWebSource;
  if (urls.empty()) return {};
  const evidence::PagesChange change =
      SIBYL_TRY(evidence::AddPages(urls, {.source = std::string(expansion::kWebSource)}, around));
  for (const evidence::PageOutcome& page : change.pages) {
    outcome.data["pages"].push_back(PageAsJson(page));
  }
  return {};
}

}  // namespace

Result<Outcome> SearchWeb(const oracle::Context& context, const Arguments& arguments) {
  const std::unique_ptr<expansion::Web> web =
      SIBYL_TRY(expansion::Web::Open(context, WebOptionsOf(arguments)));
  const auto providers = SIBYL_TRY(web->Providers());
  const std::string_view text = arguments.Text("query");
  research::PageFilter filter;
  research::AddRestriction(text, filter);
  const auto limit = static_cast<std::size_t>(arguments.Integer("limit").value_or(10));
  const research::Query query{.text = research::WithoutSites(text),
                              .limit = std::max<std::size_t>(limit, 20),
                              .hosts = filter.hosts};
  const research::Survey survey = research::AskAll({query}, providers, {});
  Outcome outcome{.data = {{"query", text}, {"web", Json::array()}}};
  for (const research::Trouble& trouble : survey.troubles) {
    // No provider answered: a failure, not an empty list.
    if (survey.answers[0].lists.empty()) return trouble.error;
    outcome.findings.push_back({.severity = Severity::kWarning,
                                .code = "web/provider",
                                .message = trouble.error.message,
                                .hint = trouble.error.hint,
                                .place = {}});
  }
  const std::vector<research::Candidate> chosen = research::Select(
      research::Merge(survey.answers[0].lists, filter), {.count = limit, .per_host = limit});
  for (const research::Candidate& candidate : chosen) {
    outcome.data["web"].push_back(CandidateAsJson(candidate));
  }
  if (arguments.Has("fetch")) SIBYL_TRY(FetchPages(context, chosen, *web, outcome));
  outcome.data["spent"] = SpentAsJson(web->spent());
  outcome.holds = !chosen.empty();
  for (const Finding& finding : web->config().findings) outcome.findings.push_back(finding);
  return outcome;
}

}  // namespace sibyl::engine
