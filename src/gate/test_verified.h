// SPDX-License-Identifier: Apache-2.0
// For tests: constructs a Verified without the gate. tests/layers_test.cc
// forbids it everywhere else.
#pragma once

#include <cstddef>
#include <utility>

#include "gate/verified.h"

namespace sibyl::gate {

class TestVerified {
 public:
  static Verified Of(draft::Draft draft, std::size_t citations = 1) {
    return Verified(std::move(draft), citations, {});
  }
};

}  // namespace sibyl::gate
