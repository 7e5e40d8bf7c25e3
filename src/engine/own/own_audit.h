// SPDX-License-Identifier: Apache-2.0
// Judges documents with their repository as the only source: its code is the
// evidence, its documents are not.
#pragma once

#include <filesystem>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "code/code_check.h"
#include "engine/arguments.h"
#include "engine/audited_files.h"
#include "oracle/context.h"

namespace sibyl::engine {

/// Judges the documents of each repository that they are in. A repository that
/// cannot be indexed is a finding.
Result<std::vector<Finding>> AuditOwnDocuments(const oracle::Context& context,
                                               const Arguments& arguments,
                                               const code::CodeChecker& code,
                                               std::vector<AuditedFile>& files);

}  // namespace sibyl::engine
