// SPDX-License-Identifier: Apache-2.0
// Pages that were made, kept until a file of the oracle changes.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace sibyl::interface {

/// A response, ready to be sent. Either `body` or `compressed` is kept: browsers
/// take the latter, and others are few.
struct KeptResponse {
  std::string type;
  std::string body;
  std::string compressed;      ///< gzip; empty if that is not smaller.
  std::size_t body_bytes = 0;  ///< Not compressed.
  std::string tag;             ///< "\"0123…\""; empty: browsers must not keep it.

  std::size_t size() const { return body.size() + compressed.size(); }
  /// Not compressed.
  std::string Body() const;
};

/// Of a body: its tag, and compressed.
KeptResponse KeepResponse(std::string type, std::string body);

/// Thread-safe. The names, sizes and times of the oracle's files are looked at
/// again after `kFresh`; if one changed, everything is forgotten. What is older
/// than `kLongest` is still sent, and made again meanwhile; what is older than
/// `kTooOld` is not sent.
class RoomCache {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kFresh{500};
  /// Sources can be restored, and artifacts can change, without a change of the
  /// oracle.
  static constexpr std::chrono::seconds kLongest{120};
  static constexpr std::chrono::seconds kTooOld{240};

  struct Found {
    std::shared_ptr<const KeptResponse> response = {};  ///< Null if it is not there.
    bool is_old = false;                                ///< It should be made again.
    Time made = {};
    bool has_changed = false;  ///< Everything was forgotten now; said to one caller.
  };

  RoomCache(std::filesystem::path oracle, std::size_t most_bytes)
      : oracle_(std::move(oracle)), most_bytes_(most_bytes) {}

  /// Whether Find would return it without looking at a file.
  bool IsReady(std::string_view key, Time now) const SIBYL_EXCLUDES(mutex_);
  /// Looks at the files if that was not done lately.
  Found Find(std::string_view key, Time now) SIBYL_EXCLUDES(mutex_);
  /// `state` is that of before the page was made: see State().
  void Put(const std::string& key, std::shared_ptr<const KeptResponse> response,
           std::uint64_t state, Time now) SIBYL_EXCLUDES(mutex_);
  /// A number for the files as they are.
  std::uint64_t State() const SIBYL_EXCLUDES(mutex_);

  std::size_t bytes() const SIBYL_EXCLUDES(mutex_);

 private:
  struct Kept {
    std::shared_ptr<const KeptResponse> response;
    Time made;
    std::list<std::string>::iterator use;
  };
  void Forget() SIBYL_REQUIRES(mutex_);
  std::uint64_t LookAtFiles() const;

  const std::filesystem::path oracle_;
  const std::size_t most_bytes_;
  mutable Mutex mutex_;
  std::map<std::string, Kept, std::less<>> kept_ SIBYL_GUARDED_BY(mutex_);
  std::list<std::string> uses_ SIBYL_GUARDED_BY(mutex_);  // the latest first
  std::size_t bytes_ SIBYL_GUARDED_BY(mutex_) = 0;
  std::uint64_t state_ SIBYL_GUARDED_BY(mutex_) = 0;
  Time looked_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::interface
