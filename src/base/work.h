// SPDX-License-Identifier: Apache-2.0
// Counts steps of parsers and lookups on this thread. A test doubles the input
// and compares the counts: without a clock, so it cannot fail on a busy
// machine, and without an option that would have to be passed everywhere.
//
// Counted are inner loops that could become quadratic: bytes around a name,
// compared candidates, looked-up names. Count new loops of that kind too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sibyl {

class Work {
 public:
  static void Add(std::size_t steps) { Steps() += steps; }
  /// The steps of this thread since it started.
  static std::uint64_t Done() { return Steps(); }

 private:
  static std::uint64_t& Steps() {
    thread_local std::uint64_t steps = 0;
    return steps;
  }
};

}  // namespace sibyl
