// SPDX-License-Identifier: Apache-2.0
// Runs numbered work on a few threads. Each worker takes the next number when
// it is done with one, so uneven work spreads by itself.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace sibyl::inspect {

/// Calls make_worker() once per thread and worker(i) for every i below `count`,
/// `grain` neighbours at a time; returns when all are done. Workers write to
/// places of their own.
template <typename MakeWorker>
void ForEachInParallel(std::size_t count, unsigned threads, std::size_t grain,
                       const MakeWorker& make_worker) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    auto worker = make_worker();
    for (;;) {
      const std::size_t first = next.fetch_add(grain);
      if (first >= count) return;
      const std::size_t last = std::min(count, first + grain);
      for (std::size_t i = first; i < last; ++i) worker(i);
    }
  };
  const std::size_t pieces = (count + grain - 1) / grain;
  const std::size_t helpers =
      std::min<std::size_t>(threads > 0 ? threads - 1 : 0, pieces > 0 ? pieces - 1 : 0);
  std::vector<std::jthread> others;
  for (std::size_t i = 0; i < helpers; ++i) others.emplace_back(run);
  run();
}

}  // namespace sibyl::inspect
