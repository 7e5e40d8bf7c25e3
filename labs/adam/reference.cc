// SPDX-License-Identifier: Apache-2.0
#include "adam/reference.h"

#include <cmath>

namespace sibyl::lab::adam {

Element ReferenceStep(const Element& before, double gradient, const Settings& settings) {
  const double beta1 = settings.beta1;
  const double beta2 = settings.beta2;
  const double rate = settings.rate;
  Element after;
  after.first_moment = beta1 * before.first_moment + (1 - beta1) * gradient;
  after.second_moment = beta2 * before.second_moment + (1 - beta2) * gradient * gradient;
  const double mean = after.first_moment / (1 - std::pow(beta1, settings.step));
  const double square = after.second_moment / (1 - std::pow(beta2, settings.step));
  after.parameter = before.parameter * (1 - rate * settings.weight_decay) -
                    rate * mean / (std::sqrt(square) + settings.epsilon);
  return after;
}

}  // namespace sibyl::lab::adam
