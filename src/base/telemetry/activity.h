// SPDX-License-Identifier: Apache-2.0
// What a thread works on, for the lines of its log and for its requests. It is not
// passed as an argument, since rooms that know nothing of runs would have to pass it
// on; nothing that an operation returns depends on it.
#pragma once

#include <optional>
#include <string>

#include "base/telemetry/trace.h"

namespace sibyl {

struct Activity {
  std::string run;     ///< Its number in the ledger.
  std::string part;    ///< The page that is written.
  std::string worker;  ///< "host:process"
  std::optional<Trace> trace;
};

/// Of this thread. A thread that is started for parts of an activity takes it over
/// with an ActivityScope.
const Activity& CurrentActivity();

/// The thread's activity until this is destroyed.
class ActivityScope {
 public:
  explicit ActivityScope(Activity activity);
  ActivityScope(const ActivityScope&) = delete;
  ActivityScope& operator=(const ActivityScope&) = delete;
  ~ActivityScope();

 private:
  Activity before_;
};

}  // namespace sibyl
