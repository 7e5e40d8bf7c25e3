// SPDX-License-Identifier: Apache-2.0
#include "engine/source/source_json.h"

#include "base/shown_text.h"
#include "engine/source/source_pages.h"
#include "oracle/oracle.h"

namespace sibyl::engine {

Json PinAsJson(const evidence::Pin& pin) {
  Json json = {{"name", pin.name},
               {"kind", evidence::SourceKindName(pin.kind)},
               {"origin", pin.origin},
               {"ref", pin.ref.empty() ? Json(nullptr) : Json(pin.ref)},
               {"commit", pin.commit ? Json(pin.commit->Hex()) : Json(nullptr)},
               {"tree", pin.tree ? Json(pin.tree->Hex()) : Json(nullptr)},
               {"date", pin.date},
               {"include", pin.filter.include},
               {"exclude", pin.filter.exclude},
               {"max_file_bytes", pin.filter.max_file_bytes}};
  if (pin.history > 0) json["history"] = pin.history;
  for (const evidence::PageRecord& page : pin.pages) {
    json["pages"].push_back({{"url", page.url},
                             {"path", page.path},
                             {"title", page.title},
                             {"text_sha256", page.text_sha256},
                             {"fetched", page.fetched}});
  }
  HideUserinfo(json);
  return json;
}

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
