// SPDX-License-Identifier: Apache-2.0
#include "base/telemetry/activity.h"

#include <utility>

namespace sibyl {
namespace {

Activity& OfThisThread() {
  thread_local Activity activity;
  return activity;
}

}  // namespace

const Activity& CurrentActivity() { return OfThisThread(); }

ActivityScope::ActivityScope(Activity activity)
    : before_(std::exchange(OfThisThread(), std::move(activity))) {}

ActivityScope::~ActivityScope() { OfThisThread() = std::move(before_); }

}  // namespace sibyl
