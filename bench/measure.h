// SPDX-License-Identifier: Apache-2.0
// Time and memory of work, and what to say about a series of them.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sibyl::bench {

double SecondsNow();

/// Work done in a process of its own, so that its memory can be told.
struct ProcessCost {
  double wall_s = 0;
  double cpu_s = 0;
  double peak_mb = 0;
};
ProcessCost RunInChild(const std::function<void()>& work);

/// A program with its output thrown away; -1 in wall_s if it cannot be run.
ProcessCost RunProgram(const std::vector<std::string>& command);

class Series {
 public:
  void Add(double value) { values_.push_back(value); }
  void Add(const Series& other) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  }
  bool is_empty() const { return values_.empty(); }
  double Quantile(double share) const;
  double Median() const { return Quantile(0.5); }

 private:
  std::vector<double> values_;
};

}  // namespace sibyl::bench
