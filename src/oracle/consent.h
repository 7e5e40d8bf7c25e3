// SPDX-License-Identifier: Apache-2.0
// What the person agreed to, for each oracle. Kept in the user's state folder,
// bound to the canonical path of the oracle and to the exact setting, and signed
// with the user's key: a clone cannot bring its own consent, a copy at another
// path has none, and a setting that changed is asked about again.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "oracle/context.h"
#include "oracle/outside_settings.h"

namespace sibyl::oracle {

/// True when a person called: not an agent, and nobody over HTTP.
bool MayAgree(const Context& context);

/// The agreements about one oracle, as they were when they were read.
class Consents {
 public:
  /// None when there is no file yet, or when its signature does not hold.
  static Result<Consents> Read(const Context& context);

  /// Also true for what the person's environment names.
  bool Covers(const OutsideSetting& setting) const;

 private:
  std::set<std::string> agreed_;
};

/// The one decision: an error unless the person agreed to this setting. It says
/// what the setting would do, where it is, and how to agree.
Status RequireConsent(const Context& context, const OutsideSetting& setting);
Status RequireConsent(const Context& context, const std::vector<OutsideSetting>& settings);

/// Adds to what is agreed. kUsage when not a person called.
Status RecordConsent(const Context& context, const std::vector<OutsideSetting>& settings);

/// Forgets every agreement about this oracle. kUsage when not a person called.
Status RevokeConsent(const Context& context);

}  // namespace sibyl::oracle
