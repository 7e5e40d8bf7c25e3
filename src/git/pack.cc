// SPDX-License-Identifier: Apache-2.0
#include "git/pack.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sibyl::git {
namespace {

constexpr std::string_view kIndexMagic("\377tOc\0\0\0\2", 8);
constexpr std::size_t kFanoutEnd = 8 + 256 * 4;
constexpr std::size_t kTrailer = ObjectId::kBytes;
// The maximum ratio of deflate; a larger claim is an attempt to make us
// allocate memory.
constexpr std::uint64_t kMaxRatio = 1032;

Error DamagedPack(std::string what) {
  return Error{.kind = ErrorKind::kCorrupt, .message = "reading a pack: " + std::move(what)};
}

std::uint32_t BigEndian(const char* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return __builtin_bswap32(value);
}

/// Reads bytes from the front of a pack entry; past the end it returns nothing.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  std::optional<std::uint64_t> Byte() {
    if (rest_.empty()) return std::nullopt;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }

  std::string_view rest() const { return rest_; }
  void Skip(std::size_t count) { rest_.remove_prefix(count); }

 private:
  std::string_view rest_;
};

// The distance back to a delta's base, in git's odd "plus one" encoding.
std::optional<std::uint64_t> ReadDistance(Cursor& cursor) {
  std::optional<std::uint64_t> byte = cursor.Byte();
  if (!byte) return std::nullopt;
  std::uint64_t distance = *byte & 0x7f;
  while ((*byte & 0x80) != 0) {
    byte = cursor.Byte();
    if (!byte || distance >= std::uint64_t{1} << 55) return std::nullopt;
    distance = (distance + 1) << 7 | (*byte & 0x7f);
  }
  return distance;
}

}  // namespace

Result<PackIndex> PackIndex::Parse(std::string_view bytes) {
  if (!bytes.starts_with(kIndexMagic)) {
    return DamagedPack("the index is not version 2 ('git index-pack' creates a new one)");
  }
  if (bytes.size() < kFanoutEnd + 2 * kTrailer) return DamagedPack("the index is truncated");
  PackIndex index(bytes);
  for (std::size_t byte = 1; byte < 256; ++byte) {
    if (index.Fanout(byte) < index.Fanout(byte - 1))
      return DamagedPack("the index is out of order");
  }
  index.count_ = index.Fanout(255);
  const std::size_t narrow = kFanoutEnd + index.count_ * (ObjectId::kBytes + 8) + 2 * kTrailer;
  if (bytes.size() < narrow || (bytes.size() - narrow) % 8 != 0) {
    return DamagedPack("the index does not have the length that its count requires");
  }
  index.wide_count_ = (bytes.size() - narrow) / 8;
  return index;
}

std::uint32_t PackIndex::Number(std::size_t at) const { return BigEndian(bytes_view_.data() + at); }

ObjectId PackIndex::id(std::size_t position) const {
  return ObjectId::FromRaw(bytes_view_.data() + kFanoutEnd + position * ObjectId::kBytes);
}

std::optional<std::uint64_t> PackIndex::offset(std::size_t position) const {
  const std::size_t offsets = kFanoutEnd + count_ * (ObjectId::kBytes + 4);
  const std::uint32_t narrow = Number(offsets + 4 * position);
  constexpr std::uint32_t kWide = 0x80000000;
  if ((narrow & kWide) == 0) return narrow;
  const std::size_t wide = narrow & ~kWide;
  if (wide >= wide_count_) return std::nullopt;
  const std::size_t at = offsets + 4 * count_ + 8 * wide;
  return static_cast<std::uint64_t>(Number(at)) << 32 | Number(at + 4);
}

std::size_t PackIndex::LowerBound(const ObjectId& id) const {
  const std::size_t bucket = id.bytes[0];
  std::size_t first = bucket == 0 ? 0 : Fanout(bucket - 1);
  std::size_t last = Fanout(bucket);
  const char* ids = bytes_view_.data() + kFanoutEnd;
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    const char* candidate = ids + middle * ObjectId::kBytes;
    if (std::memcmp(candidate, id.bytes.data(), ObjectId::kBytes) < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

std::optional<std::size_t> PackIndex::Find(const ObjectId& id) const {
  const std::size_t position = LowerBound(id);
  if (position >= count_ || this->id(position) != id) return std::nullopt;
  return position;
}

Result<PackData> PackData::Parse(std::string_view bytes) {
  constexpr std::size_t kHeader = 12;
  if (bytes.size() < kHeader + kTrailer || !bytes.starts_with("PACK")) {
    return DamagedPack("it does not start with a pack header");
  }
  const std::uint32_t version = BigEndian(bytes.data() + 4);
  if (version != 2 && version != 3) return DamagedPack("unsupported version");
  return PackData(bytes.substr(0, bytes.size() - kTrailer));
}

std::optional<PackEntry> PackData::Entry(std::uint64_t offset) const {
  if (offset < 12 || offset >= bytes_view_.size()) return std::nullopt;
  Cursor cursor(bytes_view_.substr(static_cast<std::size_t>(offset)));
  std::optional<std::uint64_t> byte = cursor.Byte();
  const auto type = static_cast<unsigned>(*byte >> 4 & 7);
  PackEntry entry;
  entry.size = *byte & 15;
  for (unsigned shift = 4; (*byte & 0x80) != 0; shift += 7) {
    byte = cursor.Byte();
    if (!byte || shift > 56) return std::nullopt;
    entry.size |= (*byte & 0x7f) << shift;
  }
  constexpr unsigned kOffsetDelta = 6;
  constexpr unsigned kIdDelta = 7;
  if (type == kOffsetDelta) {
    const std::optional<std::uint64_t> distance = ReadDistance(cursor);
    if (!distance || *distance == 0 || *distance >= offset) return std::nullopt;
    entry.storage = PackEntry::Storage::kOffsetDelta;
    entry.base_offset = offset - *distance;
  } else if (type == kIdDelta) {
    if (cursor.rest().size() < ObjectId::kBytes) return std::nullopt;
    entry.storage = PackEntry::Storage::kIdDelta;
    entry.base_id = ObjectId::FromRaw(cursor.rest().data());
    cursor.Skip(ObjectId::kBytes);
  } else if (type >= 1 && type <= 4) {
    entry.type = static_cast<ObjectType>(type);
  } else {
    return std::nullopt;
  }
  entry.compressed = cursor.rest();
  if (entry.size / kMaxRatio > entry.compressed.size()) return std::nullopt;
  return entry;
}

}  // namespace sibyl::git
