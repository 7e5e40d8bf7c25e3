// SPDX-License-Identifier: Apache-2.0
// What the user agreed to, for each oracle. Kept in the user's state folder,
// bound to the canonical path of the oracle and to the exact setting, and
// signed with the user's key: a clone cannot include its own consent, a copy at
// another path has none, and a changed setting needs a new agreement.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "oracle/context.h"
#include "oracle/outside_settings.h"

namespace sibyl::oracle {

/// True if a person called: not an agent, and not over HTTP.
bool MayAgree(const Context& context);

/// The agreements about one oracle, as they were when they were read.
class Consents {
 public:
  /// Empty if there is no file yet, or its signature is invalid.
  static Result<Consents> Read(const Context& context);

  /// Also true for settings in the user's environment.
  bool Covers(const OutsideSetting& setting) const;

 private:
  std::set<std::string> agreed_;
};

/// The single decision point: an error unless the user agreed to this setting.
/// It says what the setting would do, where it is, and how to agree.
Status RequireConsent(const Context& context, const OutsideSetting& setting);
Status RequireConsent(const Context& context, const std::vector<OutsideSetting>& settings);

/// Records agreements. kUsage unless a person called.
Status RecordConsent(const Context& context, const std::vector<OutsideSetting>& settings);

/// Revokes every agreement for this oracle. kUsage unless a person called.
Status RevokeConsent(const Context& context);

}  // namespace sibyl::oracle
