// SPDX-License-Identifier: Apache-2.0
// How many steps the readers of a page took on this thread. A test reads a page
// and one twice as long and compares: no clock, so it cannot fail on a busy
// machine, and no option that everybody would have to pass on.
//
// What is counted are the inner loops that once looked at a whole paragraph for
// every word of it: bytes around a name, candidates that are compared, runs that
// are searched. A new loop of that kind is counted too.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sibyl::verify {

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

}  // namespace sibyl::verify
