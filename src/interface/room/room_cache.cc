// SPDX-License-Identifier: Apache-2.0
#include "interface/room/room_cache.h"

#include <functional>
#include <system_error>
#include <utility>

#include "base/files/root.h"
#include "base/hash.h"
#include "evidence/pages/gzip.h"

namespace sibyl::interface {

KeptResponse KeepResponse(std::string type, std::string body) {
  constexpr std::size_t kTagDigits = 32;
  constexpr std::size_t kWorthIt = 512;
  KeptResponse kept{.type = std::move(type), .body = {}, .compressed = {}, .tag = {}};
  kept.body_bytes = body.size();
  kept.tag = '"' + Sha256(body).substr(0, kTagDigits) + '"';
  if (body.size() >= kWorthIt) kept.compressed = evidence::GzipMember(body);
  if (kept.compressed.size() >= body.size()) kept.compressed.clear();
  if (kept.compressed.empty()) kept.body = std::move(body);
  return kept;
}

std::string KeptResponse::Body() const {
  if (compressed.empty()) return body;
  Result<std::string> whole = evidence::GunzipMembers(compressed, body_bytes);
  return whole.ok() ? *std::move(whole) : std::string();
}

std::uint64_t RoomCache::LookAtFiles() const {
  const Result<Root> root = Root::Open(oracle_);
  if (!root.ok()) return 0;
  const auto enters = [](std::string_view path) {
    return !path.starts_with('.') && path.find("/.") == std::string_view::npos;
  };
  const Result<Walked> walked = root->Walk("", {.max_entries = 100'000, .enters = enters});
  if (!walked.ok()) return 0;
  std::uint64_t state = 1;
  const auto mix = [&state](std::uint64_t value) {
    state = (state ^ value) * 0x9E3779B97F4A7C15U;
    state ^= state >> 29U;
  };
  for (const RootEntry& entry : walked->entries) {
    std::error_code ignored;
    const std::filesystem::path path = oracle_ / entry.name;
    mix(std::hash<std::string>()(entry.name));
    mix(static_cast<std::uint64_t>(std::filesystem::file_size(path, ignored)));
    mix(static_cast<std::uint64_t>(
        std::filesystem::last_write_time(path, ignored).time_since_epoch().count()));
  }
  return state;
}

void RoomCache::Forget() {
  kept_.clear();
  uses_.clear();
  bytes_ = 0;
}

bool RoomCache::IsReady(std::string_view key, Time now) const {
  const MutexLock lock(mutex_);
  if (now - looked_ > kFresh) return false;
  const auto kept = kept_.find(key);
  return kept != kept_.end() && now - kept->second.made < kTooOld;
}

RoomCache::Found RoomCache::Find(std::string_view key, Time now) {
  bool must_look = false;
  {
    const MutexLock lock(mutex_);
    must_look = now - looked_ > kFresh;
    if (must_look) looked_ = now;  // the others do not look at the same time
  }
  const std::uint64_t state = must_look ? LookAtFiles() : 0;
  const MutexLock lock(mutex_);
  Found found;
  if (must_look && state != state_) {
    found.has_changed = state_ != 0;
    Forget();
    state_ = state;
  }
  const auto kept = kept_.find(key);
  if (kept == kept_.end() || now - kept->second.made >= kTooOld) return found;
  found.made = kept->second.made;
  found.is_old = now - kept->second.made >= kLongest;
  uses_.splice(uses_.begin(), uses_, kept->second.use);
  found.response = kept->second.response;
  return found;
}

std::uint64_t RoomCache::State() const {
  const MutexLock lock(mutex_);
  return state_;
}

std::size_t RoomCache::bytes() const {
  const MutexLock lock(mutex_);
  return bytes_;
}

void RoomCache::Put(const std::string& key, std::shared_ptr<const KeptResponse> response,
                    std::uint64_t state, Time now) {
  const MutexLock lock(mutex_);
  const std::size_t size = response->size() + key.size();
  if (state != state_ || size > most_bytes_ / 4) return;
  if (const auto old = kept_.find(key); old != kept_.end()) {
    bytes_ -= old->second.response->size() + key.size();
    uses_.erase(old->second.use);
    kept_.erase(old);
  }
  while (bytes_ + size > most_bytes_ && !uses_.empty()) {
    const auto last = kept_.find(uses_.back());
    bytes_ -= last->second.response->size() + last->first.size();
    kept_.erase(last);
    uses_.pop_back();
  }
  uses_.push_front(key);
  kept_.emplace(key, Kept{.response = std::move(response), .made = now, .use = uses_.begin()});
  bytes_ += size;
}

}  // namespace sibyl::interface
