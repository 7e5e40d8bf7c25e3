// SPDX-License-Identifier: Apache-2.0
// Only the gate can construct a Verified.
// expect: is private within this context|calling a private constructor
#include "gate/verified.h"

sibyl::gate::Verified Forge(sibyl::draft::Draft draft) {
  return sibyl::gate::Verified(std::move(draft), 7, {});
}
