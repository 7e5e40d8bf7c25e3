// SPDX-License-Identifier: Apache-2.0
// Does what an intent says, as often as it takes.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "library/disk.h"
#include "library/intent.h"
#include "library/prepare.h"

namespace sibyl::library {

/// ".sibyl/stage/<id>" holds the staged files, the message and, last of all to
/// be written, the intent.
std::filesystem::path StageOf(const std::filesystem::path& oracle, std::string_view id);
constexpr std::string_view kIntentFile = "publication.json";
constexpr std::string_view kMessageFile = "message";

/// From when this returns ok, the publication will be carried out.
Status Stage(const Prepared& prepared, const std::filesystem::path& oracle, Disk& disk);

/// Whether each step is either still to be done or done. An Error names the
/// file that somebody changed meanwhile; `has_begun` says whether a step was
/// done already.
struct Standing {
  bool has_begun = false;
  Status conflict;
};
Standing LookAt(const Intent& intent, const std::filesystem::path& oracle);

/// Every step that is not yet done, in their order.
Status CarryOut(const Intent& intent, const std::filesystem::path& oracle, Disk& disk);

}  // namespace sibyl::library
