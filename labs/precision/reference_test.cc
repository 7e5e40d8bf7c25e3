// SPDX-License-Identifier: Apache-2.0
#include "precision/reference.h"

#include <cmath>

#include "harness/expect.h"
#include "harness/narrow.h"

int main() {
  using namespace sibyl::lab::precision;
  using sibyl::lab::Bf16ToFloat;
  using sibyl::lab::FloatToBf16;
  sibyl::lab::Expectations expect;
  const Definition& half = DefinitionOf(Format::kHalf);
  expect.Near(Rounded(half, 1 + 0x1p-11), 1, 0, "a tie goes to the even neighbour below");
  expect.Near(Rounded(half, 1 + 3 * 0x1p-11), 1 + 0x1p-9, 0, "or above");
  expect.True(std::isinf(Rounded(half, 65520)), "65520 overflows half");
  expect.Near(Rounded(half, 65519.99), 65504, 0, "65519.99 does not");
  expect.Near(Rounded(half, 0x1p-25), 0, 0, "half the smallest number goes to zero");
  expect.Near(Rounded(DefinitionOf(Format::kTf32), 1 + 0x1p-11), 1 + 0x1p-10, 0,
              "tf32's ties go away from zero");
  expect.Near(Rounded(DefinitionOf(Format::kE4m3), 1000), 448, 0, "e4m3 stops at 448");
  expect.Near(Smallest(DefinitionOf(Format::kE5m2)), 0x1p-16, 0, "e5m2 begins at 2^-16");
  // Two independent statements of bf16 agree.
  const Definition& brain = DefinitionOf(Format::kBf16);
  bool same = true;
  for (const float input : AwkwardInputs(brain)) {
    same = same && Rounded(brain, input) == Bf16ToFloat(FloatToBf16(input));
  }
  expect.True(same, "bf16 by arithmetic is bf16 by bits");
  return expect.Finish();
}
