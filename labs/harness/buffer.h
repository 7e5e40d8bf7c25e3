// SPDX-License-Identifier: Apache-2.0
// Device memory that frees itself, and the copies labs need.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "harness/device.h"

namespace sibyl::lab {

template <typename T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t count) : count_(count) {
    Check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)),
          "allocating device memory");
  }
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) { Upload(host); }
  ~Buffer() {
    if (data_ != nullptr) cudaFree(data_);
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }

  void Upload(const std::vector<T>& host) {
    Check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice),
          "copying to the device");
  }
  std::vector<T> Download() const { return Download(0, count_); }
  std::vector<T> Download(std::size_t first, std::size_t count) const {
    std::vector<T> host(count);
    Check(cudaMemcpy(host.data(), data_ + first, count * sizeof(T), cudaMemcpyDeviceToHost),
          "copying from the device");
    return host;
  }
  /// Every byte 0xff: NaN in each floating-point format labs use, and -1 as an integer.
  void Poison() { Check(cudaMemset(data_, 0xff, count_ * sizeof(T)), "poisoning an output"); }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace sibyl::lab
