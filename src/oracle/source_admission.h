// SPDX-License-Identifier: Apache-2.0
// Decides, for the evidence room, whether a source may be read or fetched, and
// how git reaches it.
#pragma once

#include <string>

#include "base/result.h"
#include "evidence/sync.h"
#include "oracle/context.h"

namespace sibyl::oracle {

/// What a person types is agreed to; what a file says must have been.
enum class Consent { kRequired, kGivenNow };

/// For Surroundings::admit. The result is a copy of what it needs.
evidence::Admitter MakeAdmitter(const Context& context, Consent consent = Consent::kRequired);

/// For Surroundings::follow_redirect: asks the server of `url` where its repository
/// is now. Each hop is judged when its socket is opened; none but the first host may
/// be at a private address, and that only if the person agreed to it.
Result<evidence::Admission> FollowGitRedirect(const Context& context, const std::string& url);

}  // namespace sibyl::oracle
