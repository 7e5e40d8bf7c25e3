// SPDX-License-Identifier: Apache-2.0
#include "engine/reading/run_points.h"

#include <map>
#include <string>
#include <utility>

#include "base/markdown/heading_anchor.h"
#include "base/strings.h"

namespace sibyl::engine {
namespace {

// Anchors by the number of the heading: "11-detection" of "1.1". Code blocks may
// have lines that look like headings; these have no number.
std::map<std::string, std::string> AnchorsByNumber(std::string_view text) {
  std::map<std::string, std::string> anchors;
  HeadingAnchors names;
  bool is_code = false;
  for (const std::string_view line : SplitLines(text)) {
    if (line.starts_with("```")) is_code = !is_code;
    const std::size_t marks = std::min(line.find_first_not_of('#'), line.size());
    if (is_code || marks == 0 || marks > 6 || line.substr(marks).empty() || line[marks] != ' ') {
      continue;
    }
    std::string heading;
    for (const char c : Trim(line.substr(marks))) {
      if (c != '\\') heading += c;
    }
    const std::string number = heading.substr(0, heading.find_first_not_of("0123456789."));
    std::string anchor = names.Next(heading);
    if (!number.empty()) anchors.emplace(number, std::move(anchor));
  }
  return anchors;
}

}  // namespace

Json PointsDelivered(const draft::Draft& draft) {
  const std::map<std::string, std::string> anchors = AnchorsByNumber(draft.text);
  Json sections = Json::array();
  for (const draft::DraftSection& section : draft.sections) {
    Json points = Json::array();
    for (const draft::Coverage& point : section.points) {
      Json one = {{"point", point.point}, {"state", point.where ? "covered" : "open"}};
      if (point.where) {
        one["where"] = *point.where;
        const auto anchor = anchors.find(*point.where);
        if (anchor != anchors.end()) one["anchor"] = anchor->second;
      } else if (!point.nearest.empty()) {
        one["nearest"] = point.nearest;
      }
      points.push_back(std::move(one));
    }
    sections.push_back({{"title", section.title}, {"points", std::move(points)}});
  }
  return sections;
}

Json PointsPlanned(const plan::Part& part) {
  Json sections = Json::array();
  for (const plan::Section& section : part.sections) {
    Json points = Json::array();
    for (const plan::Text& point : section.points) {
      points.push_back({{"point", point.text}, {"state", "planned"}});
    }
    sections.push_back({{"title", section.title}, {"points", std::move(points)}});
  }
  return sections;
}

const plan::Part* PartOf(const plan::Plan& plan, std::string_view target) {
  for (const plan::Part& part : plan.parts) {
    if (part.target == target) return &part;
  }
  return nullptr;
}

}  // namespace sibyl::engine
