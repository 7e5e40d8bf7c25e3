// SPDX-License-Identifier: Apache-2.0
// Reads objects out of an ObjectDatabase. One reader per thread.
#pragma once

#include <cstdint>
#include <vector>

#include "git/delta_cache.h"
#include "git/inflate.h"
#include "git/object.h"
#include "git/object_database.h"

namespace sibyl::git {

inline constexpr std::uint64_t kMaxTreeBytes = std::uint64_t{128} << 20;  ///< Of a tree or commit.

/// Bounds against packs made to hurt. Git itself writes chains of at most 4095.
struct ReaderLimits {
  std::size_t max_chain = 4096;
  std::uint64_t max_base_bytes = std::uint64_t{256} << 20;  ///< Of every link in a chain.
  std::size_t cache_bytes = std::size_t{32} << 20;
  /// Totals: a few bytes of delta can copy megabytes, in every link of a chain,
  /// for every object. Bytes that deltas made, for one object and for all.
  std::uint64_t max_chain_bytes = std::uint64_t{4} << 30;
  std::uint64_t max_total_bytes = std::uint64_t{512} << 30;
};

class ObjectReader {
 public:
  /// `database` must outlive the reader.
  explicit ObjectReader(const ObjectDatabase& database, const ReaderLimits& limits = {});

  /// An object of at most `max_bytes`; a longer one is kTooLarge and its bytes
  /// are never produced. The view lasts until the next read.
  ObjectView Read(const ObjectId& id, std::uint64_t max_bytes = std::uint64_t{1} << 30);

  /// Like Read, if the location is known.
  ObjectView ReadAt(ObjectPlace place, std::uint64_t max_bytes);

  /// For callers that only want text: if the first bytes show that the object is binary, the
  /// rest is not read and the result is kBinary. The result may still be binary.
  ObjectView ReadText(const ObjectId& id, std::uint64_t max_bytes);
  ObjectView ReadTextAt(ObjectPlace place, std::uint64_t max_bytes);

  /// Reads and compares the sha1 with the id: kCorrupt if they differ. The zlib
  /// checksum detects accidental damage; this detects
  /// objects that are not what their name says.
  ObjectView ReadVerified(const ObjectId& id, std::uint64_t max_bytes = std::uint64_t{1} << 30);

 private:
  struct Link {
    ObjectPlace place;
    PackEntry entry;
  };
  struct Bottom {
    ObjectPlace place;
    PackEntry entry;  // when it is not cached
    const DeltaCache::Base* cached = nullptr;
  };

  enum class Wanted { kAnything, kText };

  ObjectView ReadPlace(ObjectPlace place, std::uint64_t max_bytes, Wanted wanted);
  ObjectView ReadLoose(const ObjectId& id, std::uint64_t max_bytes);
  ObjectView ReadWhole(const PackEntry& entry, std::uint64_t max_bytes, Wanted wanted);
  ObjectView ReadChain(const Bottom& bottom, std::uint64_t max_bytes);
  /// Whether a chain that has produced `chain_bytes` may produce `more`; counts
  /// them.
  bool MayMake(std::uint64_t more, std::uint64_t& chain_bytes);
  const DeltaCache::Base* UnpackBottom(const Bottom& bottom);
  /// Follows the deltas to an undeltified or cached object; fills chain_.
  const char* FindBottom(ObjectPlace place, Bottom& bottom);
  std::optional<ObjectPlace> BaseOf(ObjectPlace place, const PackEntry& entry) const;

  const ObjectDatabase* database_;
  ReaderLimits limits_;
  Inflater inflater_;
  DeltaCache cache_;
  std::vector<Link> chain_;  // outermost first
  ByteBuffer result_;
  ByteBuffer first_delta_;
  ByteBuffer delta_;
  std::uint64_t made_bytes_ = 0;  // by deltas, since this reader was made
};

}  // namespace sibyl::git
