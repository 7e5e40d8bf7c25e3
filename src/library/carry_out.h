// SPDX-License-Identifier: Apache-2.0
// Executes an intent; idempotent.
#pragma once

#include <string>

#include "base/files/own_folder.h"
#include "base/files/root.h"
#include "base/result.h"
#include "library/disk.h"
#include "library/intent.h"
#include "library/prepare.h"

namespace sibyl::library {

/// ".sibyl/stage/<id>", from the oracle, contains the staged files, the message
/// and, written last, the signed intent.
std::string StageOf(std::string_view id);
/// Within `.sibyl`.
constexpr std::string_view kStageFolder = "stage";
/// The purpose in the signature of an intent.
constexpr std::string_view kIntentPurpose = "publication";
constexpr std::string_view kIntentFile = "publication.json";
constexpr std::string_view kMessageFile = "message";

/// From when this returns ok, the publication will be carried out.
Status Stage(const Prepared& prepared, const OwnFolder& own, Disk& disk);

/// Whether each step is either still to be done or done. An Error names the
/// file that somebody changed meanwhile.
Status CheckSteps(const Intent& intent, const Root& oracle);

/// Every step that is not yet done, in their order.
Status CarryOut(const Intent& intent, const Root& oracle, Disk& disk);

}  // namespace sibyl::library
