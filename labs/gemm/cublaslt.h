// SPDX-License-Identifier: Apache-2.0
// cuBLASLt, found at run time: labs must start where it is not installed.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "gemm/gemm.h"

namespace sibyl::lab::gemm {

class CublasLt {
 public:
  CublasLt();
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  /// Empty, or why it cannot be used.
  const std::string& missing() const { return missing_; }

  /// Asks for up to four algorithms; empty, or why there is none. choices() is then their number.
  std::string Prepare(Type type, const Shape& shape);
  int choices() const;
  void Run(int choice, const Operands& operands, cudaStream_t stream);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string missing_;
};

}  // namespace sibyl::lab::gemm
