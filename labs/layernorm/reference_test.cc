// SPDX-License-Identifier: Apache-2.0
#include "layernorm/reference.h"

#include <cmath>

#include "harness/expect.h"
#include "harness/random.h"

int main() {
  using namespace sibyl::lab::layernorm;
  sibyl::lab::Expectations expect;
  std::vector<double> x, dy, gamma;
  for (std::uint64_t i = 0; i < 16; ++i) {
    x.push_back(5 + sibyl::lab::Normal(1, i));
    dy.push_back(sibyl::lab::Normal(2, i));
    gamma.push_back(sibyl::lab::Normal(3, i));
  }
  const Normalised row = ReferenceRow(x, 1e-5);
  double sum = 0;
  double squares = 0;
  for (const double h : row.h) {
    sum += h;
    squares += h * h;
  }
  expect.Near(sum, 0, 1e-12, "normalised rows have mean zero");
  expect.Near(squares / 16, 1, 1e-4, "normalised rows have variance one");
  // The gradient against a difference quotient of sum(dy * (gamma * h)).
  const auto value = [&] {
    const Normalised at = ReferenceRow(x, 1e-5);
    double total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) total += dy[i] * gamma[i] * at.h[i];
    return total;
  };
  const std::vector<double> dx = ReferenceGradient(row, dy, gamma);
  for (std::size_t i = 0; i < x.size(); ++i) {
    constexpr double kStep = 1e-5;
    x[i] += kStep;
    const double above = value();
    x[i] -= 2 * kStep;
    const double below = value();
    x[i] += kStep;
    expect.Near(dx[i], (above - below) / (2 * kStep), 1e-7, "dx is the derivative");
  }
  return expect.Finish();
}
