// SPDX-License-Identifier: Apache-2.0
// Decides, in memory, all that a publication will do. Touches nothing: whatever
// can be refused is refused here.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "library/intent.h"
#include "library/library.h"

namespace sibyl::library {

struct Prepared {
  Intent intent;
  std::vector<std::string> staged;  ///< By the number that Step::staged names.
};

/// The id that a publication of this content has at this time.
std::string PublicationId(const Publication& publication, Time time);

Result<Prepared> Prepare(const Publication& publication, const PublishOptions& options);

}  // namespace sibyl::library
