// SPDX-License-Identifier: Apache-2.0
// How many steps readers and look-ups took on this thread. A test does something
// and the same with twice as much, and compares: no clock, so it cannot fail on a
// busy machine, and no option that everybody would have to pass on.
//
// What is counted are inner loops that once looked at everything for each thing:
// bytes around a name, candidates that are compared, names that are looked up. A
// new loop of that kind is counted too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sibyl {

class Work {
 public:
  static void Add(std::size_t steps) { Steps() += steps; }
  /// Of this thread, since it began.
  static std::uint64_t Done() { return Steps(); }

 private:
  static std::uint64_t& Steps() {
    thread_local std::uint64_t steps = 0;
    return steps;
  }
};

}  // namespace sibyl
