// SPDX-License-Identifier: Apache-2.0
#include "interface/sarif.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "base/hash.h"
#include "base/line_excerpt.h"
#include "base/numbers.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "interface/interface.h"

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

/// SARIF counts characters, our places count bytes.
std::size_t CharacterColumn(const Finding& finding) {
  const Place& place = finding.place;
  for (const FindingDetail& detail : finding.details) {
    if (detail.name != kCharacterColumn) continue;
    const std::optional<std::size_t> known = ParseNumber<std::size_t>(detail.value);
    if (known && *known > 0) return *known;
  }
  const std::size_t left_out = ExcerptBegin(place.column);
  std::size_t column = 1 + left_out;
  std::string_view before = std::string_view(place.text).substr(0, place.column - 1 - left_out);
  for (; !before.empty(); ++column) before.remove_prefix(DecodeUtf8(before).bytes);
  return column;
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

/// Identifies a finding by the content of its line, not by its number: a line
/// added above must not make every alert below new.
std::string Fingerprint(const Finding& finding, std::map<std::string, int>& seen) {
  std::string key = finding.code + '\n' + finding.place.file + '\n' +
                    (finding.place.text.empty() ? finding.message : finding.place.text);
  const std::string hash = Sha256(key).substr(0, 16);
  return fmt::format("{}:{}", hash, ++seen[hash]);
}

}  // namespace

Json FindingsAsSarif(const std::vector<Finding>& findings, std::span<const Rule> rules) {
  Json used_rules = Json::array();
  std::map<std::string, std::size_t> rule_index;
  std::map<std::string, int> seen;
  Json results = Json::array();
  for (const Finding& finding : findings) {
    const auto [rule, is_new] = rule_index.emplace(finding.code, used_rules.size());
    if (is_new) used_rules.push_back(RuleAsJson(finding.code, rules));
    const std::string message =
        finding.hint.empty() ? finding.message : finding.message + "; " + finding.hint;
    results.push_back(
        {{"ruleId", finding.code},
         {"ruleIndex", rule->second},
         {"level", SeverityName(finding.severity)},
         {"message", {{"text", message}}},
         {"locations", Json::array({LocationAsJson(finding)})},
         {"partialFingerprints", {{"primaryLocationLineHash", Fingerprint(finding, seen)}}}});
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
