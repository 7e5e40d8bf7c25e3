// SPDX-License-Identifier: Apache-2.0
// Makes pages before they are asked for, one at a time, in a separate thread of
// lower priority.
#pragma once

#include <deque>
#include <functional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "base/mutex.h"

namespace sibyl::interface {

/// Thread-safe.
class RoomKeeper {
 public:
  using Make = std::function<void(const std::string& path, std::stop_token stop)>;

  /// `make` is called in the thread of the keeper.
  explicit RoomKeeper(Make make) : make_(std::move(make)) {}
  RoomKeeper(const RoomKeeper&) = delete;
  RoomKeeper& operator=(const RoomKeeper&) = delete;
  /// Waits for the page that is being made.
  ~RoomKeeper();

  /// Makes the page after those that wait; once, however often it is asked for.
  void Add(const std::string& path) SIBYL_EXCLUDES(mutex_);
  /// The same, before those that wait: somebody is looking at it.
  void AddFirst(const std::string& path) SIBYL_EXCLUDES(mutex_);

 private:
  void Work();
  void Start() SIBYL_REQUIRES(mutex_);

  const Make make_;
  std::stop_source stop_;
  Mutex mutex_;
  Condition changed_;
  std::deque<std::string> paths_ SIBYL_GUARDED_BY(mutex_);
  std::set<std::string> waiting_ SIBYL_GUARDED_BY(mutex_);  // and the one that is being made
  std::thread thread_ SIBYL_GUARDED_BY(mutex_);             // started when there is work
};

/// Lets one thread make a page while others that want it wait. Thread-safe.
class RoomMaking {
 public:
  /// True: the caller makes it, and calls End. False: another made it meanwhile.
  bool Begin(const std::string& key) SIBYL_EXCLUDES(mutex_);
  void End(const std::string& key) SIBYL_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  Condition changed_;
  std::set<std::string> making_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::interface
