// SPDX-License-Identifier: Apache-2.0
#include "engine/web_json.h"

#include <cstddef>
#include <utility>

namespace sibyl::engine {

expansion::WebOptions WebOptionsOf(const Arguments& arguments) {
  return {.max_requests = arguments.Integer("max-requests"),
          .max_mb = arguments.Integer("max-mb"),
          .max_minutes = arguments.Integer("max-minutes")};
}

Json SpentAsJson(const expansion::WebSpent& spent) {
  return {{"requests", spent.requests}, {"bytes", spent.bytes}};
}

Json ResearchAsJson(const expansion::WebResearch& research) {
  Json json = {{"parts", Json::array()}, {"spent", SpentAsJson(research.spent)}};
  for (const expansion::ResearchedPart& part : research.parts) {
    Json pages = Json::array();
    for (const expansion::ResearchedPage& page : part.pages) {
      Json item = {{"url", page.url}, {"fate", evidence::PageFateName(page.fate)}};
      if (!page.reason.empty()) item["reason"] = page.reason;
      pages.push_back(std::move(item));
    }
    json["parts"].push_back({{"part", part.number},
                             {"queries", part.queries},
                             {"only", part.only},
                             {"excluded", part.excluded},
                             {"pages", std::move(pages)}});
  }
  return json;
}

Json PreviewAsJson(const expansion::WebPreview& preview) {
  Json asks = Json::array();
  std::size_t known = 0;
  for (const expansion::PlannedQuery& query : preview.queries) {
    asks.push_back({{"part", query.part}, {"query", query.text}, {"asked_before", query.is_known}});
    if (query.is_known) ++known;
  }
  return {{"queries", preview.queries.size()},
          {"asked_before", known},
          {"most_pages", preview.most_pages},
          {"asks", std::move(asks)}};
}

}  // namespace sibyl::engine
