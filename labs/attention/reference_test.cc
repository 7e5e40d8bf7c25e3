// SPDX-License-Identifier: Apache-2.0
#include "attention/reference.h"

#include <cmath>

#include "harness/expect.h"

int main() {
  using sibyl::lab::attention::ReferenceRow;
  sibyl::lab::Expectations expect;
  const std::vector<double> values = {1, 2, 5, 6};
  const auto even =
      ReferenceRow(std::vector<double>{0, 0}, std::vector<double>{1, 2, 3, 4}, values);
  expect.Near(even[0], 3, 1e-12, "a query of zeros takes the mean");
  const auto sharp =
      ReferenceRow(std::vector<double>{1000, 0}, std::vector<double>{0, 0, 1, 0}, values);
  expect.Near(sharp[1], 6, 1e-12, "a far larger score takes all");
  const auto odds = ReferenceRow(std::vector<double>{std::sqrt(2.0) * std::log(3.0), 0},
                                 std::vector<double>{0, 0, 1, 0}, values);
  expect.Near(odds[0], 4, 1e-12, "odds of three to one");
  return expect.Finish();
}
