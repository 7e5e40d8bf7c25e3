// SPDX-License-Identifier: Apache-2.0
// What an answer says in words of ours, or of a plan or a setting, has no user name
// or password of an address in it. Bytes of a source are quoted as they are.
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
