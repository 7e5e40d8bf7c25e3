// SPDX-License-Identifier: Apache-2.0
// Stream-K: how persistent blocks divide the tiles of C. Rounds of whole tiles first go to all
// blocks alike; the tiles that do not fill a round are cut along K, so that all blocks end
// together.
#pragma once

#include <cstdint>

namespace sibyl::lab::gemm {

/// C in tiles, a tile in steps along K.
struct Division {
  int tiles_m;
  int tiles_n;
  int steps;
  int whole;  // Tiles that one block computes alone; the others are shared.
};

inline Division Divide(int tiles_m, int tiles_n, int steps, int blocks) {
  return {tiles_m, tiles_n, steps, tiles_m * tiles_n / blocks * blocks};
}

/// A part of a tile: some steps along K.
struct Work {
  int tile = 0;
  int first = 0;
  int last = 0;
};

/// The work of a block in order: its shares of shared tiles, then its whole tiles. Shares come in
/// descending order, so that the steps others wait for are done first.
struct Schedule {
  int begin, end;  // Of the shared tiles' steps, still to do.
  int next_whole;
  __device__ explicit Schedule(const Division& p) {
    const int shared_steps = (p.tiles_m * p.tiles_n - p.whole) * p.steps;
    begin = shared_steps * static_cast<int>(blockIdx.x) / static_cast<int>(gridDim.x);
    end = shared_steps * (static_cast<int>(blockIdx.x) + 1) / static_cast<int>(gridDim.x);
    next_whole = static_cast<int>(blockIdx.x);
  }
  __device__ bool Next(const Division& p, Work& work) {
    if (end > begin) {
      const int tile = (end - 1) / p.steps;
      const int start = tile * p.steps;
      work = {p.whole + tile, max(begin, start) - start, end - start};
      end = max(begin, start);
      return true;
    }
    if (next_whole >= p.whole) return false;
    work = {next_whole, 0, p.steps};
    next_whole += static_cast<int>(gridDim.x);
    return true;
  }
};

/// Walks over the steps of a block's work.
struct Cursor {
  Schedule schedule;
  Work work;
  __device__ explicit Cursor(const Division& p) : schedule(p) {}
  __device__ bool Next(const Division& p) {
    if (++work.first >= work.last) {
      if (!schedule.Next(p, work)) return false;
    }
    return true;
  }
};

}  // namespace sibyl::lab::gemm
