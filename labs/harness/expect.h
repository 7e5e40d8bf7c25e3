// SPDX-License-Identifier: Apache-2.0
// The few lines of a test framework that the labs' own tests need. GoogleTest would be the largest
// part of their compile time, and the labs build where nothing but a CUDA toolkit is installed.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace sibyl::lab {

class Expectations {
 public:
  void True(bool holds, const std::string& rule) {
    ++checked_;
    if (holds) return;
    ++failed_;
    std::fprintf(stderr, "does not hold: %s\n", rule.c_str());
  }
  void Near(double got, double wanted, double tolerance, const std::string& rule) {
    True(std::abs(got - wanted) <= tolerance,
         rule + " (got " + std::to_string(got) + ", wanted " + std::to_string(wanted) + ")");
  }
  void Same(const std::string& got, const std::string& wanted, const std::string& rule) {
    True(got == wanted, rule + "\n  got    " + got + "\n  wanted " + wanted);
  }
  /// The exit code of the test.
  int Finish() const {
    std::printf("%d of %d rules hold\n", checked_ - failed_, checked_);
    return failed_ == 0 ? 0 : 1;
  }

 private:
  int checked_ = 0;
  int failed_ = 0;
};

}  // namespace sibyl::lab
