// SPDX-License-Identifier: Apache-2.0
#include "runner/progress.h"

#include "base/json.h"

namespace sibyl::runner {

std::string FormatProgress(const Progress& progress) {
  Json figures = Json::object();
  for (const Figure& figure : progress.figures) figures[figure.name] = figure.value;
  Json json = {{"step", progress.step}, {"figures", std::move(figures)}};
  if (!progress.findings.empty()) json["findings"] = progress.findings;
  return FormatJson(json, JsonLayout::kCompact);
}

Progress ParseProgress(std::string_view text) {
  Progress progress;
  const Result<Json> json = ParseJson(text);
  if (!json.ok() || !json->is_object()) return progress;
  if (json->contains("step") && json->at("step").is_string()) {
    progress.step = json->at("step").get<std::string>();
  }
  const auto findings = json->find("findings");
  if (findings != json->end() && findings->is_array()) {
    for (const Json& finding : *findings) {
      if (finding.is_string()) progress.findings.push_back(finding.get<std::string>());
    }
  }
  if (!json->contains("figures") || !json->at("figures").is_object()) return progress;
  for (const auto& [name, value] : json->at("figures").items()) {
    if (!value.is_number_integer()) continue;
    progress.figures.push_back({.name = name, .value = value.get<std::int64_t>()});
  }
  return progress;
}

}  // namespace sibyl::runner
