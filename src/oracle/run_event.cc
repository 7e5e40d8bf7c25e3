// SPDX-License-Identifier: Apache-2.0
#include "oracle/run_event.h"

namespace sibyl::oracle {

std::string_view RunMomentName(RunMoment moment) {
  switch (moment) {
    case RunMoment::kBegun:
      return "begun";
    case RunMoment::kStarted:
      return "started";
    case RunMoment::kStep:
      return "step";
    case RunMoment::kRetried:
      return "retried";
    case RunMoment::kDelivered:
      return "delivered";
    case RunMoment::kFailed:
      return "failed";
    case RunMoment::kReleased:
      return "released";
    case RunMoment::kPublishing:
      return "publishing";
    case RunMoment::kTick:
      return "tick";
  }
  return "tick";
}

}  // namespace sibyl::oracle
