// SPDX-License-Identifier: Apache-2.0
#include "engine/source_json.h"

#include "engine/oracle.h"
#include "engine/source_pages.h"

namespace sibyl::engine {

Json ChangeAsJson(const evidence::SourceChange& change) {
  Json json = {{"source", PinAsJson(change.pin)},
               {"moved", change.Moved()},
               {"before", change.before ? PinAsJson(*change.before) : Json(nullptr)},
               {"changes", nullptr}};
  if (!change.pages.empty()) json["pages"] = PagesAsJson(change.pages);
  if (change.changes) {
    json["changes"] = {{"added", change.changes->added},
                       {"removed", change.changes->removed},
                       {"changed", change.changes->changed},
                       {"examples", change.changes->examples}};
  }
  return json;
}

Json SkipsAsJson(const evidence::ScanReport& report) {
  Json json = Json::object();
  for (std::size_t i = 1; i < report.counts.size(); ++i) {
    if (report.counts[i] == 0) continue;
    json[std::string(evidence::SkipReasonName(static_cast<evidence::SkipReason>(i)))] =
        report.counts[i];
  }
  return json;
}

}  // namespace sibyl::engine
