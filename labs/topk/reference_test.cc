// SPDX-License-Identifier: Apache-2.0
#include "topk/reference.h"

#include <cmath>

#include "harness/expect.h"

int main() {
  using sibyl::lab::topk::ReferenceColumns;
  sibyl::lab::Expectations expect;
  const std::vector<float> row = {1, 5, std::nanf(""), 5, -INFINITY, -0.0F, 0.0F};
  const std::vector<std::int64_t> wanted = {2, 1, 3, 0, 6, 5, 4};
  expect.True(ReferenceColumns(row, 7) == wanted, "NaN, then the numbers, equal ones by column");
  expect.True(ReferenceColumns(row, 2) == std::vector<std::int64_t>({2, 1}), "k cuts the list");
  return expect.Finish();
}
