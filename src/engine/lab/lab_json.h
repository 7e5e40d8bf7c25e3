// SPDX-License-Identifier: Apache-2.0
// Lab runs and their measurements as JSON.
#pragma once

#include <string_view>
#include <vector>

#include "base/json.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {

/// With its citation if the run is kept.
Json MeasurementAsJson(const lab::Measurement& measurement, std::string_view run_id);

/// A whole run.
Json RunAsJson(const oracle::KeptRun& kept);

/// In short; a run that cannot be read is listed with its error.
Json RunsAsJson(const std::vector<oracle::RunFile>& runs);

}  // namespace sibyl::engine
