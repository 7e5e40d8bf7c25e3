// SPDX-License-Identifier: Apache-2.0
// A publication inside this room, after the proof has been looked at: the tests
// of preparing and carrying out need no gate.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "draft/draft.h"
#include "library/library.h"

namespace sibyl::library {

struct Delivery {
  std::size_t part = 0;
  draft::Draft draft;
  std::size_t citations = 0;
  std::string writer;
  ExistingFile existing = ExistingFile::kRefuse;
};

struct Deliveries {
  std::string plan;
  std::string plan_text;
  std::vector<Delivery> delivered;
  std::vector<FailedPart> failed;
};

/// Publish, for what the public function has taken out of its proof.
Result<Published> PublishDeliveries(const Deliveries& deliveries, const PublishOptions& options);

}  // namespace sibyl::library
