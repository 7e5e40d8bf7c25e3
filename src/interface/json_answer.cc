// SPDX-License-Identifier: Apache-2.0
#include "interface/json_answer.h"

#include <utility>

namespace sibyl::interface {
namespace {

void AddPlace(const Place& place, Json& json) {
  json["file"] = place.file;
  json["line"] = place.line;
  if (place.column > 0) json["column"] = place.column;
}

}  // namespace

std::string_view ErrorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "usage";
    case ErrorKind::kNotFound:
      return "not_found";
    case ErrorKind::kCorrupt:
      return "corrupt";
    case ErrorKind::kUnavailable:
      return "unavailable";
    case ErrorKind::kCancelled:
      return "cancelled";
  }
  return "usage";
}

Json FindingAsJson(const Finding& finding) {
  Json json = {{"severity", SeverityName(finding.severity)},
               {"code", finding.code},
               {"message", finding.message},
               {"hint", finding.hint}};
  AddPlace(finding.place, json);
  for (const FindingDetail& detail : finding.details) json[std::string(detail.name)] = detail.value;
  return json;
}

Json AnswerAsJson(std::string_view operation, engine::Outcome outcome) {
  Json answer = {{"version", kJsonVersion}, {"operation", operation}, {"holds", outcome.holds}};
  for (auto& [name, value] : outcome.data.items()) answer[name] = std::move(value);
  Json findings = Json::array();
  for (const Finding& finding : outcome.findings) findings.push_back(FindingAsJson(finding));
  answer["findings"] = std::move(findings);
  return answer;
}

Json ErrorAsJson(std::string_view operation, const Error& error) {
  Json described = {
      {"kind", ErrorKindName(error.kind)}, {"message", error.message}, {"hint", error.hint}};
  if (error.place) AddPlace(*error.place, described);
  Json answer = {{"version", kJsonVersion}, {"operation", nullptr}};
  if (!operation.empty()) answer["operation"] = operation;
  answer["error"] = std::move(described);
  return answer;
}

}  // namespace sibyl::interface
