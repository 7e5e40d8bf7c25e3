// SPDX-License-Identifier: Apache-2.0
// Objects that served as a delta's base, kept for the next delta: neighbours in
// a pack share their bases. One cache per reader, hence no lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <unordered_map>
#include <utility>

#include "git/object.h"
#include "git/object_database.h"

namespace sibyl::git {

class DeltaCache {
 public:
  struct Base {
    ObjectPlace place;
    ObjectType type = ObjectType::kNone;
    ByteBuffer bytes;
  };

  explicit DeltaCache(std::size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Lasts until the next Put.
  const Base* Find(const ObjectPlace& place) {
    const auto found = by_place_.find(place);
    if (found == by_place_.end()) return nullptr;
    bases_.splice(bases_.begin(), bases_, found->second);
    return &*found->second;
  }

  /// Keeps at least the newest, whatever its size. The buffer of an evicted
  /// base is reused by TakeBuffer.
  const Base* Put(Base base) {
    used_bytes_ += base.bytes.capacity();
    bases_.push_front(std::move(base));
    by_place_[bases_.front().place] = bases_.begin();
    while (used_bytes_ > max_bytes_ && bases_.size() > 1) {
      Base& oldest = bases_.back();
      used_bytes_ -= oldest.bytes.capacity();
      by_place_.erase(oldest.place);
      spare_ = std::move(oldest.bytes);
      bases_.pop_back();
    }
    return &bases_.front();
  }

  ByteBuffer TakeBuffer() { return std::exchange(spare_, ByteBuffer()); }

 private:
  struct HashPlace {
    std::size_t operator()(const ObjectPlace& place) const {
      return (place.offset ^ static_cast<std::uint64_t>(place.pack) << 48) * 0x9e3779b97f4a7c15;
    }
  };

  std::size_t max_bytes_;
  std::size_t used_bytes_ = 0;
  std::list<Base> bases_;  // the most recently used first
  std::unordered_map<ObjectPlace, std::list<Base>::iterator, HashPlace> by_place_;
  ByteBuffer spare_;
};

}  // namespace sibyl::git
