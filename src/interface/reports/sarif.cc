// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/sarif.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>

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

Json ReplacementAsSarif(const Json& replacement) {
  return {{"deletedRegion",
           {{"startLine", replacement["line"]},
            {"startColumn", replacement["column"]},
            {"endLine", replacement["end_line"]},
            {"endColumn", replacement["end_column"]}}},
          {"insertedContent", {{"text", replacement["text"]}}}};
}

// The fixes of each finding, by its number. Of several findings at one line, each gets its own, in
// their order.
std::multimap<std::size_t, Json> FixesByFinding(const std::vector<Finding>& findings,
                                                const Json& fixes) {
  std::map<std::tuple<std::string, std::string, std::size_t>, std::vector<std::size_t>> numbers;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Place& place = findings[i].place;
    numbers[{place.file, findings[i].code, place.line}].push_back(i);
  }
  std::multimap<std::size_t, Json> found;
  for (const Json& fix : fixes) {
    const std::string file = fix["file"].get<std::string>();
    const auto own =
        numbers.find({file, fix["code"].get<std::string>(), fix["line"].get<std::size_t>()});
    if (own == numbers.end()) continue;
    Json replacements = Json::array();
    for (const Json& each : fix["replacements"]) replacements.push_back(ReplacementAsSarif(each));
    std::vector<std::size_t>& left = own->second;
    found.emplace(
        left.front(),
        Json{{"description", {{"text", "suggested fix"}}},
             {"artifactChanges", Json::array({{{"artifactLocation", {{"uri", PathAsUri(file)}}},
                                               {"replacements", std::move(replacements)}}})}});
    if (left.size() > 1) left.erase(left.begin());
  }
  return found;
}

}  // namespace

Json FindingsAsSarif(const std::vector<Finding>& findings, std::span<const Rule> rules,
                     const Json& fixes) {
  const std::multimap<std::size_t, Json> fixes_of = FixesByFinding(findings, fixes);
  Json used_rules = Json::array();
  std::map<std::string, std::size_t> rule_index;
  Fingerprints fingerprints;
  Json results = Json::array();
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    const auto [rule, is_new] = rule_index.emplace(finding.code, used_rules.size());
    if (is_new) used_rules.push_back(RuleAsJson(finding.code, rules));
    results.push_back({{"ruleId", finding.code},
                       {"ruleIndex", rule->second},
                       {"level", SeverityName(finding.severity)},
                       {"message", {{"text", MessageWithHint(finding)}}},
                       {"locations", Json::array({LocationAsJson(finding)})},
                       {"partialFingerprints",
                        {{"primaryLocationLineHash", SarifFingerprint(finding, fingerprints)}}}});
    const auto [begin, end] = fixes_of.equal_range(i);
    for (auto fix = begin; fix != end; ++fix) results.back()["fixes"].push_back(fix->second);
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
