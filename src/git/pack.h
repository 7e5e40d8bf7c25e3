// SPDX-License-Identifier: Apache-2.0
// One git pack (.idx version 2 and .pack), over bytes owned by the caller.
//
// Our own reader instead of libgit2's, which takes a lock and a zlib stream per
// object; this one reads from any number of threads without either, at several
// times the speed (bench/evidence_read_bench.cc). Every number in the files is
// checked before use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "git/object.h"

namespace sibyl::git {

/// The sorted ids of a pack and where each object starts.
class PackIndex {
 public:
  /// `bytes` must outlive the index. Checks the form, not the trailing sha1.
  static Result<PackIndex> Parse(std::string_view bytes);

  std::size_t count() const { return count_; }
  ObjectId id(std::size_t position) const;
  std::optional<std::uint64_t> offset(std::size_t position) const;

  std::optional<std::size_t> Find(const ObjectId& id) const;

  /// Positions [first, last) of the ids between two bounds: for abbreviations.
  std::size_t LowerBound(const ObjectId& id) const;

 private:
  explicit PackIndex(std::string_view bytes) : bytes_view_(bytes) {}
  std::uint32_t Number(std::size_t at) const;
  std::size_t Fanout(std::size_t byte) const { return Number(8 + 4 * byte); }

  std::string_view bytes_view_;  // the caller's
  std::size_t count_ = 0;
  std::size_t wide_count_ = 0;  // offsets past 2 GiB
};

/// How an object is stored: whole, or as a delta against another.
struct PackEntry {
  enum class Storage { kWhole, kOffsetDelta, kIdDelta };

  Storage storage = Storage::kWhole;
  ObjectType type = ObjectType::kNone;  ///< Of a whole object.
  std::uint64_t size = 0;               ///< Inflated: of the object, or of its delta.
  std::uint64_t base_offset = 0;        ///< kOffsetDelta; always before this one.
  ObjectId base_id;                     ///< kIdDelta.
  std::string_view compressed;          ///< From its first byte to the pack's trailer.
};

class PackData {
 public:
  /// `bytes` must outlive it. Checks the header only.
  static Result<PackData> Parse(std::string_view bytes);

  /// nullopt if no entry can start there.
  std::optional<PackEntry> Entry(std::uint64_t offset) const;

 private:
  explicit PackData(std::string_view bytes) : bytes_view_(bytes) {}

  std::string_view bytes_view_;  // the caller's
};

}  // namespace sibyl::git
