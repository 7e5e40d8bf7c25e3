// SPDX-License-Identifier: Apache-2.0
// A repository as the source of its own documents: its index, in the cache,
// built the first time and brought up to date when a file has changed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/witness.h"
#include "base/finding.h"
#include "base/result.h"
#include "index/manifest.h"
#include "oracle/context.h"
#include "references/repository.h"

namespace sibyl::engine {

struct OwnSource {
  std::unique_ptr<index::Index> index;  ///< At a fixed address: a Searcher borrows it.
  audit::WitnessSource named;
  std::filesystem::path folder;    ///< In the cache; of this work tree only.
  std::string content;             ///< Identifies the indexed code.
  std::optional<Finding> rebuilt;  ///< The index was damaged.
};

/// Of the work tree, or of the commit that `repository` was opened at.
/// kUnavailable without a cache folder.
Result<OwnSource> OpenOwnSource(const oracle::Context& context,
                                const references::Repository& repository);

}  // namespace sibyl::engine
