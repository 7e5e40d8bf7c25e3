// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/fatbin.h"

#include <algorithm>

#include "inspect/bytes.h"

namespace sibyl::inspect {
namespace {

constexpr std::uint64_t kContainerHeader = 16;
constexpr std::uint64_t kEntryHeader = 64;  // at least; options and names follow
constexpr std::uint64_t kMostHeader = 1 << 20;

constexpr std::uint64_t kFlagDebug = 0x2;
constexpr std::uint64_t kFlagZlib = 0x1000;
constexpr std::uint64_t kFlagLz4Block = 0x2000;
constexpr std::uint64_t kFlagLz4Frame = 0x4000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagObfuscated = 0x10000;
constexpr std::uint64_t kFlagArchSpecific = 0x100000;
constexpr std::uint64_t kFlagFamily = 0x200000;

ImageKind KindOf(std::uint16_t raw) {
  if (raw == 1) return ImageKind::kPtx;
  if (raw == 2 || raw == 4) return ImageKind::kCubin;  // 4: before CUDA 3
  if (raw == 8) return ImageKind::kLtoIr;
  return ImageKind::kOther;
}

Compression CompressionOf(std::uint64_t flags) {
  if ((flags & kFlagZstd) != 0) return Compression::kZstd;
  if ((flags & kFlagLz4Block) != 0) return Compression::kLz4Block;
  if ((flags & kFlagLz4Frame) != 0) return Compression::kLz4Frame;
  if ((flags & kFlagZlib) != 0) return Compression::kZlib;
  return Compression::kNone;
}

char SuffixOf(std::uint64_t flags) {
  if ((flags & kFlagArchSpecific) != 0) return 'a';
  return (flags & kFlagFamily) != 0 ? 'f' : '\0';
}

}  // namespace

std::string_view KindName(ImageKind kind) {
  switch (kind) {
    case ImageKind::kCubin:
      return "cubin";
    case ImageKind::kPtx:
      return "ptx";
    case ImageKind::kLtoIr:
      return "lto";
    case ImageKind::kOther:
      break;
  }
  return "other";
}

std::string_view CompressionName(Compression compression) {
  switch (compression) {
    case Compression::kNone:
      return "none";
    case Compression::kZlib:
      return "zlib";
    case Compression::kLz4Block:
      return "lz4";
    case Compression::kLz4Frame:
      return "lz4-frame";
    case Compression::kZstd:
      return "zstd";
  }
  return "none";
}

bool ReadFatbinHeader(std::string_view bytes, FatbinHeader& header) {
  if (!bytes.starts_with(kFatbinMagic)) return false;
  const Bytes fields(bytes);
  if (!fields.Holds(0, kContainerHeader) || fields.Get<std::uint16_t>(4) == 0) return false;
  header.header_bytes = fields.Get<std::uint16_t>(6);
  header.content_bytes = fields.Get<std::uint64_t>(8);
  return header.header_bytes >= kContainerHeader && header.content_bytes < UINT64_MAX / 2;
}

FatbinEntries::FatbinEntries(std::string_view bytes, const FatbinHeader& header)
    : bytes_view_(bytes),
      at_(std::min<std::uint64_t>(header.header_bytes, bytes.size())),
      end_(std::min<std::uint64_t>(header.total(), bytes.size())),
      claimed_end_(header.total()) {}

bool ReadFatbinEntry(std::string_view bytes, std::uint64_t left, FatbinEntry& entry) {
  const Bytes fields(bytes);
  if (fields.size() < kEntryHeader || left < kEntryHeader) return false;
  const std::uint64_t header = fields.Get<std::uint32_t>(0x04);
  const std::uint64_t stored = fields.Get<std::uint64_t>(0x08);
  // A header that does not fit is not an entry.
  if (header < kEntryHeader || header > kMostHeader || header > left) return false;
  if (stored > left - header) return false;
  const std::uint64_t flags = fields.Get<std::uint64_t>(0x28);
  const std::uint64_t exact = fields.Get<std::uint32_t>(0x10);
  const std::uint64_t unpacked = fields.Get<std::uint64_t>(0x38);
  entry.raw_kind = fields.Get<std::uint16_t>(0x00);
  entry.kind = KindOf(entry.raw_kind);
  entry.architecture = {.number = fields.Get<std::uint32_t>(0x1c), .suffix = SuffixOf(flags)};
  entry.minor = fields.Get<std::uint16_t>(0x18);
  entry.major = fields.Get<std::uint16_t>(0x1a);
  entry.compression = CompressionOf(flags);
  entry.is_debug = (flags & kFlagDebug) != 0;
  entry.is_obfuscated = (flags & kFlagObfuscated) != 0;
  entry.payload_offset = header;
  entry.stored_bytes = stored;
  entry.payload_bytes =
      entry.compression == Compression::kNone || exact == 0 || exact > stored ? stored : exact;
  entry.unpacked_bytes = entry.compression == Compression::kNone ? stored : unpacked;
  return true;
}

bool FatbinEntries::Next(FatbinEntry& entry) {
  const std::string_view rest = bytes_view_.substr(static_cast<std::size_t>(at_));
  if (!ReadFatbinEntry(rest, end_ - at_, entry)) return false;
  const std::uint64_t next = at_ + entry.payload_offset + entry.stored_bytes;
  entry.payload_offset += at_;
  at_ = next;
  return true;
}

}  // namespace sibyl::inspect
