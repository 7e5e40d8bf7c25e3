// SPDX-License-Identifier: Apache-2.0
// Times work on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "harness/device.h"
#include "harness/statistics.h"

namespace sibyl::lab {

/// Enqueues one run of what is timed on the stream, using the given set of inputs and outputs. It
/// must not synchronise; with graphs it is captured, not run.
using Launch = std::function<void(cudaStream_t stream, int set)>;

struct TimingOptions {
  /// Sets of buffers to turn through, so that no run finds its inputs in the L2 cache. One is right
  /// when a run touches several times the cache anyway.
  int sets = 1;
  /// Replaying a graph leaves about a microsecond between kernels, enqueuing them one by one three
  /// to five, which the host pays: short kernels would be measured against the host.
  bool graph = true;
  /// Sampling goes on until the noise is at most this, within the limits below.
  double wanted_noise = 0.004;
  int least_samples = 15;
  int most_samples = 300;
  double most_seconds = 0.6;
  /// A sample holds as many runs as fill this time, so that the events' own half microsecond
  /// vanishes.
  double sample_ms = 2;
};

struct Timing {
  Summary ms;  ///< Of one run.
  Clocks clocks;
};

Timing TimeOnDevice(const Launch& launch, const TimingOptions& options, const ClockReader& clocks);

/// The fastest copy in device memory of one gigabyte, in GB/s, counting bytes read and bytes
/// written.
double MeasureCopyCeiling(const ClockReader& clocks);

}  // namespace sibyl::lab
