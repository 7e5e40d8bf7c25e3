// SPDX-License-Identifier: Apache-2.0
// The sources declared in sibyl.toml. docs/formats/sources.md describes the
// file.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "evidence/source.h"

namespace sibyl::evidence {

struct SourceConfig {
  std::vector<SourceSpec> sources;  ///< In the order of the file.
  std::vector<Finding> findings;    ///< Unknown keys and the like; nothing that stops us.

  /// Linear search: for a name or two, not in a loop over names.
  const SourceSpec* Find(std::string_view name) const;
};

/// Reads the [[source]] tables; the other tables of the file belong to others.
/// `file` is the name in complaints.
Result<SourceConfig> ParseSourceConfig(std::string_view text, const std::string& file);

/// The file with a [[source]] table added at its end; all other bytes stay.
/// Refuses a name that is in use.
Result<std::string> AppendSource(std::string_view text, const SourceSpec& spec);

/// The file without the [[source]] table of that name. Comments stay. Refuses
/// if the result would not parse as the same sources without that one (a source
/// written as an inline table): then a person has to edit the file.
Result<std::string> RemoveSource(std::string_view text, std::string_view name);

}  // namespace sibyl::evidence
