// SPDX-License-Identifier: Apache-2.0
// Removes user names and passwords of addresses from text in answers. Bytes of
// a source are quoted unchanged.
#pragma once

#include "base/finding.h"
#include "base/json.h"
#include "base/result.h"

namespace sibyl {

/// Message, hint and the line that is shown.
void HideUserinfo(Error& error);
void HideUserinfo(Finding& finding);

/// In every text of the value; names of members stay.
void HideUserinfo(Json& json);

}  // namespace sibyl
