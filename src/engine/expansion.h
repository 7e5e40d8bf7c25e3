// SPDX-License-Identifier: Apache-2.0
// The main job: from a plan to a published, verified, committed expansion. One
// job for each part, then one that publishes; all of it journalled, so that a
// run that was killed goes on where it was.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/context.h"
#include "engine/model_access.h"
#include "engine/outcome.h"
#include "engine/web_research.h"
#include "library/library.h"
#include "runner/runner.h"

namespace sibyl::engine {

struct ExpandRequest {
  std::string plan;          ///< As it was named.
  std::vector<int> numbers;  ///< Only these parts; empty: all.
  std::size_t jobs = 1;
  std::optional<std::chrono::milliseconds> max_time;
  std::optional<std::chrono::milliseconds> max_part_time;
  std::optional<ModelRequest> model;     ///< A model writes, within these ceilings.
  std::optional<std::size_t> max_lines;  ///< Of a file, whatever the plan says.
  WebPermission web;                     ///< Whether it may look there, and how much.
  library::ExistingFile existing = library::ExistingFile::kRefuse;
  library::Committing committing = library::Committing::kCommit;
  runner::Existing journalled = runner::Existing::kResume;
  library::Disk* disk = nullptr;  ///< Null is the real one. Borrowed.
};

/// Runs to the end, or says why not: kCancelled when it was interrupted.
Result<Outcome> Expand(const Context& context, const ExpandRequest& request);

/// What Expand would do. Writes nothing but indexes.
Result<Outcome> PreviewExpansion(const Context& context, const ExpandRequest& request);

}  // namespace sibyl::engine
