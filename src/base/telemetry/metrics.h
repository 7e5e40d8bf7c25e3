// SPDX-License-Identifier: Apache-2.0
// Counters, gauges and histograms, and their Prometheus text format (0.0.4).
// Every family is a row of base/telemetry/families.h, and docs/operate.md lists
// them.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"

namespace sibyl {

enum class MetricKind : std::uint8_t { kCounter, kGauge, kHistogram };

struct MetricFamily {
  std::string_view name;
  std::string_view help;  ///< One sentence without a full stop.
  MetricKind kind = MetricKind::kCounter;
  std::array<std::string_view, 2> labels = {};  ///< Their names; an empty one is unused.
};

/// Upper bounds of the buckets of every histogram, in seconds.
inline constexpr std::array<double, 16> kSecondsBounds = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 120, 600};

/// Thread-safe. A family is borrowed for as long as this lives.
class Metrics {
 public:
  using Labels = std::vector<std::string>;  ///< Values, in the order of the family's names.

  /// What rooms count that have nobody to pass them a Metrics.
  static Metrics& OfProcess();

  /// `labels` come from a small set of values, never from a client or a source:
  /// each is a time series. After 500 of a family, others are counted as "other".
  void Add(const MetricFamily& family, const Labels& labels = {}, double amount = 1)
      SIBYL_EXCLUDES(mutex_);
  void Set(const MetricFamily& family, const Labels& labels, double value) SIBYL_EXCLUDES(mutex_);
  void Observe(const MetricFamily& family, const Labels& labels, std::chrono::nanoseconds took)
      SIBYL_EXCLUDES(mutex_);

  /// Families in the order of their names; those that nothing was counted for
  /// are absent.
  std::string Format() const SIBYL_EXCLUDES(mutex_);

 private:
  struct Sample {
    double value = 0;  ///< Of a histogram, the sum.
    std::uint64_t count = 0;
    std::array<std::uint64_t, kSecondsBounds.size()> within{};  ///< Cumulative.
  };
  struct Series {
    const MetricFamily* family = nullptr;
    std::map<Labels, Sample> samples;
  };
  Sample& Find(const MetricFamily& family, const Labels& labels) SIBYL_REQUIRES(mutex_);
  static std::string FormatSample(const MetricFamily& family, const Labels& labels,
                                  const Sample& sample);

  mutable Mutex mutex_;
  std::map<std::string_view, Series> series_ SIBYL_GUARDED_BY(mutex_);
};

/// Measures until it is destroyed, and observes that in the process's metrics.
class MetricTimer {
 public:
  MetricTimer(const MetricFamily& family, Metrics::Labels labels)
      : family_(family), labels_(std::move(labels)), began_(std::chrono::steady_clock::now()) {}
  MetricTimer(const MetricTimer&) = delete;
  MetricTimer& operator=(const MetricTimer&) = delete;
  ~MetricTimer() {
    Metrics::OfProcess().Observe(family_, labels_, std::chrono::steady_clock::now() - began_);
  }

 private:
  const MetricFamily& family_;
  Metrics::Labels labels_;
  std::chrono::steady_clock::time_point began_;
};

}  // namespace sibyl
