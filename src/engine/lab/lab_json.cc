// SPDX-License-Identifier: Apache-2.0
#include "engine/lab/lab_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "evidence/citation.h"

namespace sibyl::engine {

Json MeasurementAsJson(const lab::Measurement& measurement, std::string_view run_id) {
  const auto number = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json json = {{"lab", measurement.lab},
               {"variant", measurement.variant},
               {"params", lab::ParamsText(measurement)}};
  if (!measurement.skip.empty()) json["skip"] = measurement.skip;
  if (!measurement.failure.empty()) json["failure"] = measurement.failure;
  if (!measurement.is_measured()) return json;
  json["metric"] = measurement.metric;
  json["value"] = measurement.value;
  json["unit"] = measurement.unit;
  json["floor"] = number(measurement.floor);
  json["x_floor"] = number(measurement.x_floor);
  json["bound"] = measurement.floor ? Json(lab::BoundName(measurement)) : Json(nullptr);
  json["of_bound"] = lab::BoundText(measurement);
  json["samples"] = measurement.samples;
  json["noise"] = measurement.noise;
  json["max_rel_err"] = number(measurement.max_rel_err);
  json["device"] = measurement.device;
  json["driver"] = measurement.driver;
  json["toolkit"] = measurement.toolkit;
  for (const auto& [name, version] : measurement.libraries) json["libraries"][name] = version;
  if (const std::string reasons = lab::ReducedBy(measurement); !reasons.empty()) {
    json["clocks_reduced_by"] = reasons;
    json["sm_mhz"] = number(measurement.sm_mhz);
  }
  if (!run_id.empty()) {
    json["citation"] = evidence::FormatCitation(
        evidence::LabCitation{.run = std::string(run_id), .metric = lab::MetricKey(measurement)});
  }
  return json;
}

Json RunAsJson(const oracle::KeptRun& kept) {
  Json json = {{"run", kept.id.empty() ? Json(nullptr) : Json(kept.id)},
               {"command", kept.run.command},
               {"time", kept.run.time},
               {"measured_here", kept.is_measured_here},
               {"measurements", Json::array()}};
  for (const lab::Measurement& measurement : kept.run.measurements) {
    json["measurements"].push_back(MeasurementAsJson(measurement, kept.id));
  }
  return json;
}

namespace {

// Lines about what was skipped do not name it.
std::string DeviceOf(const std::vector<lab::Measurement>& measurements) {
  for (const lab::Measurement& measurement : measurements) {
    if (!measurement.device.empty()) return measurement.device;
  }
  return {};
}

// The labs of a run, in the order of their lines.
Json LabsOf(const std::vector<lab::Measurement>& measurements) {
  std::vector<std::string> labs;
  for (const lab::Measurement& measurement : measurements) {
    if (std::find(labs.begin(), labs.end(), measurement.lab) == labs.end()) {
      labs.push_back(measurement.lab);
    }
  }
  return labs;
}

}  // namespace

Json RunsAsJson(const std::vector<oracle::RunFile>& runs) {
  Json list = Json::array();
  for (const oracle::RunFile& run : runs) {
    if (!run.kept.ok()) {
      list.push_back({{"run", run.id}, {"error", run.kept.error().message}});
      continue;
    }
    const auto& measurements = run.kept->run.measurements;
    list.push_back({{"run", run.id},
                    {"command", run.kept->run.command},
                    {"time", run.kept->run.time},
                    {"measured_here", run.kept->is_measured_here},
                    {"labs", LabsOf(measurements)},
                    {"device", DeviceOf(measurements)},
                    {"measurements", measurements.size()}});
  }
  return list;
}

}  // namespace sibyl::engine
