// SPDX-License-Identifier: Apache-2.0
// Splits the work of a CPU reference over the processors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace sibyl::lab {

/// Calls body(i) for every i in [0, count), in no order; body must be safe to call from any thread.
template <typename Body>
void ParallelFor(std::int64_t count, const Body& body) {
  const std::int64_t hardware = std::max(1u, std::thread::hardware_concurrency());
  const std::int64_t workers = std::min(hardware, count);
  std::vector<std::jthread> threads;
  for (std::int64_t worker = 0; worker < workers; ++worker) {
    threads.emplace_back([=, &body] {
      for (std::int64_t i = worker; i < count; i += workers) body(i);
    });
  }
}

}  // namespace sibyl::lab
