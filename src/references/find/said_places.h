// SPDX-License-Identifier: Apache-2.0
// What a document says about its citations as a whole. Part of find.cc.
#pragma once

#include <string>

#include "references/find/file_mention.h"
#include "statement/statement.h"

namespace sibyl::references {

/// "All paths are under `src/scan/`."; empty if no sentence says so.
std::string BaseFolder(const statement::Statements& statements);

/// "Line numbers refer to `src/scan.cc`.": the file of numbers that have none;
/// empty if no sentence says so, or if several files are named so.
std::string FileOfNumbers(const statement::Statements& statements, const IsKnownFile& is_known);

}  // namespace sibyl::references
