// SPDX-License-Identifier: Apache-2.0
#include "inspect/python/zip.h"

#include <zlib.h>

#include <algorithm>

#include "inspect/bytes.h"

namespace sibyl::inspect {
namespace {

constexpr std::uint32_t kEndMagic = 0x06054b50;
constexpr std::uint32_t kEnd64Magic = 0x06064b50;
constexpr std::uint32_t kLocatorMagic = 0x07064b50;
constexpr std::uint32_t kEntryMagic = 0x02014b50;
constexpr std::uint32_t kLocalMagic = 0x04034b50;
constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kEntryBytes = 46;
constexpr std::uint64_t kLocalBytes = 30;
constexpr std::size_t kZipPiece = std::size_t{256} << 10;

struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t count = 0;
};

std::optional<Directory> FindDirectory(const Bytes& file) {
  constexpr std::uint64_t kMostComment = 65535;
  if (file.size() < kEndBytes) return std::nullopt;
  const std::uint64_t last = file.size() - kEndBytes;
  const std::uint64_t first = last > kMostComment ? last - kMostComment : 0;
  for (std::uint64_t at = last + 1; at-- > first;) {
    if (file.Get<std::uint32_t>(at) != kEndMagic) continue;
    Directory directory{.offset = file.Get<std::uint32_t>(at + 16),
                        .bytes = file.Get<std::uint32_t>(at + 12),
                        .count = file.Get<std::uint16_t>(at + 10)};
    if (at >= 20 && file.Get<std::uint32_t>(at - 20) == kLocatorMagic) {
      const auto end64 = file.Get<std::uint64_t>(at - 12);
      if (file.Holds(end64, 56) && file.Get<std::uint32_t>(end64) == kEnd64Magic) {
        directory = {.offset = file.Get<std::uint64_t>(end64 + 48),
                     .bytes = file.Get<std::uint64_t>(end64 + 40),
                     .count = file.Get<std::uint64_t>(end64 + 32)};
      }
    }
    return directory;
  }
  return std::nullopt;
}

// Sizes and offsets that did not fit 32 bits, in the order of their 32-bit fields.
void ReadExtra(std::string_view extra, ZipEntry& entry) {
  const Bytes fields(extra);
  for (std::uint64_t at = 0; fields.Holds(at, 4);) {
    const std::uint64_t length = fields.Get<std::uint16_t>(at + 2);
    if (fields.Get<std::uint16_t>(at) == 1) {
      const Bytes wide(fields.Clip(at + 4, length));
      std::uint64_t next = 0;
      for (std::uint64_t* value : {&entry.bytes, &entry.stored_bytes, &entry.header_offset}) {
        if (*value != UINT32_MAX || !wide.Holds(next, 8)) continue;
        *value = wide.Get<std::uint64_t>(next);
        next += 8;
      }
    }
    at += 4 + length;
  }
}

bool HasOverlap(const std::vector<ZipEntry>& entries) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans;
  spans.reserve(entries.size());
  for (const ZipEntry& entry : entries) {
    spans.emplace_back(entry.header_offset, entry.stored_bytes + kLocalBytes + entry.name.size());
  }
  std::ranges::sort(spans);
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].first - spans[i - 1].first < spans[i - 1].second) return true;
  }
  return false;
}

std::optional<std::string_view> StoredBytes(const Bytes& file, const ZipEntry& entry) {
  if (!file.Holds(entry.header_offset, kLocalBytes)) return std::nullopt;
  if (file.Get<std::uint32_t>(entry.header_offset) != kLocalMagic) return std::nullopt;
  const std::uint64_t start = entry.header_offset + kLocalBytes +
                              file.Get<std::uint16_t>(entry.header_offset + 26) +
                              file.Get<std::uint16_t>(entry.header_offset + 28);
  if (!file.Holds(start, entry.stored_bytes)) return std::nullopt;
  return file.Clip(start, entry.stored_bytes);
}

// Counts the output and its checksum; rejects more bytes than the directory says.
class Meter {
 public:
  Meter(const ZipEntry& entry, Budget& budget, const std::function<bool(std::string_view)>& take)
      : entry_(entry), budget_(budget), take_(take) {}

  bool Give(std::string_view piece) {
    given_ += piece.size();
    if (given_ > entry_.bytes || !budget_.Spend(Total::kUnpackedBytes, piece.size())) return false;
    sum_ = crc32_z(sum_, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
    wants_more_ = take_(piece);
    return wants_more_;
  }
  /// Stopped by the receiver, or complete with the right checksum.
  bool is_sound() const {
    return !wants_more_ ||
           (given_ == entry_.bytes && static_cast<std::uint32_t>(sum_) == entry_.crc);
  }

 private:
  const ZipEntry& entry_;
  Budget& budget_;
  const std::function<bool(std::string_view)>& take_;
  std::uint64_t given_ = 0;
  uLong sum_ = crc32_z(0, nullptr, 0);
  bool wants_more_ = true;
};

bool Inflate(std::string_view stored, std::size_t piece_bytes,
             const std::function<bool(std::string_view)>& give) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  std::string out(piece_bytes, '\0');
  int state = Z_OK;
  bool goes_on = true;
  while (state == Z_OK && goes_on) {
    if (stream.avail_in == 0 && !stored.empty()) {
      const std::string_view piece = stored.substr(0, std::size_t{1} << 20);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream.avail_in = static_cast<uInt>(piece.size());
      stored.remove_prefix(piece.size());
    }
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    state = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = out.size() - stream.avail_out;
    if (made == 0 && state == Z_OK && stream.avail_in == 0 && stored.empty()) break;
    goes_on = made == 0 || give(std::string_view(out).substr(0, made));
  }
  inflateEnd(&stream);
  return !goes_on || state == Z_STREAM_END;
}

}  // namespace

bool ZipEntry::Escapes() const {
  if (name.starts_with('/') || name.find('\\') != std::string::npos) return true;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('/', start), name.size());
    if (std::string_view(name).substr(start, end - start) == "..") return true;
    start = end + 1;
  }
  return false;
}

std::optional<ZipArchive> ReadZip(std::string_view bytes, Budget& budget) {
  const Bytes file(bytes);
  const std::optional<Directory> directory = FindDirectory(file);
  if (!directory) return std::nullopt;
  ZipArchive archive;
  std::uint64_t at = directory->offset;
  for (std::uint64_t i = 0; i < directory->count; ++i) {
    const std::uint64_t name = file.Get<std::uint16_t>(at + 28);
    if (!file.Holds(at, kEntryBytes) || file.Get<std::uint32_t>(at) != kEntryMagic ||
        !budget.Spend(Total::kEntries, 1) ||
        !budget.Spend(Total::kKeptBytes, sizeof(ZipEntry) + name)) {
      archive.is_cut = true;
      break;
    }
    const std::uint64_t extra = file.Get<std::uint16_t>(at + 30);
    ZipEntry entry{.name = std::string(file.Clip(at + kEntryBytes, name)),
                   .method = file.Get<std::uint16_t>(at + 10),
                   .crc = file.Get<std::uint32_t>(at + 16),
                   .stored_bytes = file.Get<std::uint32_t>(at + 20),
                   .bytes = file.Get<std::uint32_t>(at + 24),
                   .header_offset = file.Get<std::uint32_t>(at + 42)};
    ReadExtra(file.Clip(at + kEntryBytes + name, extra), entry);
    archive.entries.push_back(std::move(entry));
    at += kEntryBytes + name + extra + file.Get<std::uint16_t>(at + 32);
  }
  archive.has_overlap = HasOverlap(archive.entries);
  return archive;
}

bool UnpackMember(std::string_view bytes, const ZipEntry& entry, Budget& budget,
                  const std::function<bool(std::string_view)>& take) {
  const std::optional<std::string_view> stored = StoredBytes(Bytes(bytes), entry);
  if (!stored) return false;
  Meter meter(entry, budget, take);
  const auto give = [&](std::string_view piece) { return meter.Give(piece); };
  if (entry.method == 8) {
    // One byte more than the directory says reveals an overlong member.
    const auto piece =
        static_cast<std::size_t>(std::min<std::uint64_t>(entry.bytes, kZipPiece)) + 1;
    return Inflate(*stored, piece, give) && meter.is_sound() && !budget.is_exceeded();
  }
  if (entry.method != 0) return false;
  for (std::size_t at = 0; at < stored->size(); at += std::size_t{1} << 20) {
    if (!meter.Give(stored->substr(at, std::size_t{1} << 20))) break;
  }
  return meter.is_sound() && !budget.is_exceeded();
}

std::string BeginningOf(std::string_view bytes, const ZipEntry& entry) {
  constexpr std::size_t kMemberBeginning = 64;
  const std::optional<std::string_view> stored = StoredBytes(Bytes(bytes), entry);
  if (!stored) return {};
  if (entry.method == 0) return std::string(stored->substr(0, kMemberBeginning));
  std::string beginning;
  if (entry.method == 8) {
    (void)Inflate(stored->substr(0, std::size_t{1} << 16), kMemberBeginning,
                  [&](std::string_view piece) {
                    beginning = piece;
                    return false;
                  });
  }
  return beginning;
}

std::optional<std::string> ReadMember(std::string_view bytes, const ZipEntry& entry,
                                      std::uint64_t most, Budget& budget) {
  if (entry.bytes > most) return std::nullopt;
  std::string whole;
  const bool is_sound = UnpackMember(bytes, entry, budget, [&](std::string_view piece) {
    whole += piece;
    return true;
  });
  if (!is_sound) return std::nullopt;
  return whole;
}

}  // namespace sibyl::inspect
