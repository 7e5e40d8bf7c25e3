// SPDX-License-Identifier: Apache-2.0
// For tests: a relay in front of a server's Unix socket that cuts a connection
// in the middle of the N-th statement.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/mutex.h"

namespace sibyl::runner {

class Relay {
 public:
  enum class Cut {
    kRequest,  ///< Half of the statement arrives.
    kAnswer,   ///< The statement arrives, its answer does not.
  };

  explicit Relay(std::filesystem::path server);
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;
  ~Relay();

  /// The folder of its own socket, for a connection string.
  std::filesystem::path folder() const { return folder_.path(); }
  /// Cuts at the `at`-th statement from now, counted from one; 0: never.
  void Arm(Cut cut, int at);
  /// Statements that came since it was armed.
  int statements() const { return statements_; }
  bool has_cut() const { return has_cut_; }

 private:
  struct Pair;
  void Accept();
  void Forward(const std::shared_ptr<Pair>& pair);
  /// False: cut here.
  bool ForwardRequest(Pair& pair);

  TemporaryFolder folder_;
  std::filesystem::path server_;
  int listener_ = -1;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> statements_ = 0;
  std::atomic<int> cut_at_ = 0;
  std::atomic<bool> cuts_answer_ = false;
  std::atomic<bool> has_cut_ = false;
  Mutex mutex_;
  std::vector<std::jthread> threads_ SIBYL_GUARDED_BY(mutex_);
  std::jthread acceptor_;
};

}  // namespace sibyl::runner
