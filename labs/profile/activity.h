// SPDX-License-Identifier: Apache-2.0
// Kernel times by CUPTI's activity records, with the library found at run time.
#pragma once

#include <string>
#include <vector>

namespace sibyl::lab::profile {

/// One process has one; CUPTI's callbacks have no argument to tell several apart.
class Activity {
 public:
  /// Opens the library; an empty path tries the usual names.
  explicit Activity(const std::string& path = "");
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  /// Empty, or why kernels cannot be recorded.
  const std::string& missing() const { return missing_; }
  void Start();
  /// Nanoseconds of every kernel since Start, in the order of their beginning. The device must be
  /// idle.
  std::vector<double> Stop();

 private:
  void* file_ = nullptr;
  std::string missing_;
};

}  // namespace sibyl::lab::profile
