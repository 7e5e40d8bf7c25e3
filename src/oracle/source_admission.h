// SPDX-License-Identifier: Apache-2.0
// Decides, for the evidence room, whether a source may be read or fetched, and
// how git reaches it.
#pragma once

#include <string>

#include "base/result.h"
#include "evidence/sync.h"
#include "oracle/context.h"

namespace sibyl::oracle {

/// An argument typed by a person counts as agreed; a setting in a file needs an
/// agreement.
enum class Consent { kRequired, kGivenNow };

/// For Surroundings::admit. The result is a copy of what it needs.
evidence::Admitter MakeAdmitter(const Context& context, Consent consent = Consent::kRequired);

/// For Surroundings::follow_redirect: resolves the redirects of `url`. Each hop
/// is checked when its socket is opened; only the first host may be at a
/// private address, and only if the user agreed to it.
Result<evidence::Admission> FollowGitRedirect(const Context& context, const std::string& url);

}  // namespace sibyl::oracle
