// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/sarif.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/percent.h"
#include "interface/interface.h"
#include "interface/reports/fingerprint.h"

namespace sibyl::interface {
namespace {

/// A path as a relative URI reference, or a file: URI when it is absolute.
std::string PathAsUri(std::string_view path) {
  return (path.starts_with('/') ? "file://" : "") + EncodeUriPath(path);
}

Json RuleAsJson(std::string_view code, std::span<const Rule> rules) {
  std::string_view meaning = code;
  for (const Rule& rule : rules) {
    if (rule.code == code) meaning = rule.meaning;
  }
  return {{"id", code},
          {"shortDescription", {{"text", meaning}}},
          {"fullDescription", {{"text", meaning}}},
          {"help", {{"text", meaning}}}};
}

Json LocationAsJson(const Finding& finding) {
  const Place& place = finding.place;
  Json physical = {{"artifactLocation", {{"uri", PathAsUri(place.file)}}}};
  // GitHub requires a region; findings about the whole file are on its first
  // line.
  Json region = {{"startLine", place.line > 0 ? place.line : 1}};
  if (place.column > 0) region["startColumn"] = CharacterColumn(finding);
  if (!place.text.empty()) region["snippet"] = {{"text", place.text}};
  physical["region"] = std::move(region);
  return {{"physicalLocation", std::move(physical)}};
}

std::string SarifFingerprint(const Finding& finding, Fingerprints& fingerprints) {
  const Fingerprints::Fingerprint next = fingerprints.Next(finding);
  return fmt::format("{}:{}", next.hash.substr(0, 16), next.occurrence);
}

}  // namespace

Json FindingsAsSarif(const std::vector<Finding>& findings, std::span<const Rule> rules) {
  Json used_rules = Json::array();
  std::map<std::string, std::size_t> rule_index;
  Fingerprints fingerprints;
  Json results = Json::array();
  for (const Finding& finding : findings) {
    const auto [rule, is_new] = rule_index.emplace(finding.code, used_rules.size());
    if (is_new) used_rules.push_back(RuleAsJson(finding.code, rules));
    results.push_back({{"ruleId", finding.code},
                       {"ruleIndex", rule->second},
                       {"level", SeverityName(finding.severity)},
                       {"message", {{"text", MessageWithHint(finding)}}},
                       {"locations", Json::array({LocationAsJson(finding)})},
                       {"partialFingerprints",
                        {{"primaryLocationLineHash", SarifFingerprint(finding, fingerprints)}}}});
  }
  const Json driver = {
      {"name", "sibyl"}, {"semanticVersion", Release()}, {"rules", std::move(used_rules)}};
  Json run = {{"tool", {{"driver", driver}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(run)})}};
}

}  // namespace sibyl::interface
