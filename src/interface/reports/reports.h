// SPDX-License-Identifier: Apache-2.0
// The formats in which operations report findings to other programs: one row
// each. The option of the command line has the name of the row.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/operation.h"
#include "engine/outcome.h"

namespace sibyl::interface {

struct ReportFormat {
  std::string_view name;   ///< "sarif"
  std::string_view title;  ///< "SARIF"
  bool is_json = false;
  std::string (*write)(const engine::Operation& operation, const engine::Outcome& outcome);
};

std::span<const ReportFormat> ReportFormats();

/// The row of that name, or nullptr.
const ReportFormat* FindReportFormat(std::string_view name);

}  // namespace sibyl::interface
