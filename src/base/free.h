// SPDX-License-Identifier: Apache-2.0
// Lets a unique_ptr own a C handle:
//   using Repository = std::unique_ptr<git_repository, Free<git_repository_free>>;
#pragma once

namespace sibyl {

template <auto Function>
struct Free {
  template <typename T>
  void operator()(T* handle) const {
    Function(handle);
  }
};

}  // namespace sibyl
