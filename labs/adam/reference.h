// SPDX-License-Identifier: Apache-2.0
// One Adam step of one number in float64.
#pragma once

#include "adam/adam.h"

namespace sibyl::lab::adam {

struct Element {
  double parameter = 0;
  double first_moment = 0;
  double second_moment = 0;
};

Element ReferenceStep(const Element& before, double gradient, const Settings& settings);

}  // namespace sibyl::lab::adam
