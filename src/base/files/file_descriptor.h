// SPDX-License-Identifier: Apache-2.0
// An open file descriptor that closes itself. For .cc files that talk to the
// kernel; nothing above base should need it.
#pragma once

#include <unistd.h>

#include <utility>

namespace sibyl {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      Close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~FileDescriptor() { Close(); }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

  /// Closes now. Linux frees the number even when close() is interrupted, so
  /// it is never called twice.
  void Close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

}  // namespace sibyl
