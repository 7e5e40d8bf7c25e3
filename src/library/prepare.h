// SPDX-License-Identifier: Apache-2.0
// Decides, in memory, all that a publication will do. Touches nothing: whatever
// can be refused is refused here.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "library/delivery.h"
#include "library/intent.h"

namespace sibyl::library {

struct Prepared {
  Intent intent;
  std::vector<std::string> staged;  ///< By the number that Step::staged names.
};

/// The id that a publication of this content has at this time.
std::string PublicationId(const Deliveries& deliveries, Time time);

Result<Prepared> Prepare(const Deliveries& deliveries, const PublishOptions& options);

}  // namespace sibyl::library
