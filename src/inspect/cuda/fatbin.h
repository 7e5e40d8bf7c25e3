// SPDX-License-Identifier: Apache-2.0
// CUDA's fat binary: a container of images (cubins, PTX, LTO-IR), one per translation unit.
// NVIDIA does not document it; docs/formats/facts.md has the layout, determined from 42,479
// entries.
#pragma once

#include <cstdint>
#include <string_view>

#include "field/architecture.h"

namespace sibyl::inspect {

enum class ImageKind : std::uint8_t { kCubin, kPtx, kLtoIr, kOther };
enum class Compression : std::uint8_t { kNone, kZlib, kLz4Block, kLz4Frame, kZstd };

std::string_view KindName(ImageKind kind);                  ///< "cubin", "ptx", "lto", "other"
std::string_view CompressionName(Compression compression);  ///< "none", "lz4", "zstd", ...

struct FatbinEntry {
  ImageKind kind = ImageKind::kOther;
  std::uint16_t raw_kind = 0;  ///< The number itself, for unknown kinds.
  field::Architecture architecture;
  std::uint16_t major = 0;  ///< PTX ISA, cubin ABI or NVVM IR version.
  std::uint16_t minor = 0;
  Compression compression = Compression::kNone;
  bool is_debug = false;
  bool is_obfuscated = false;
  std::uint64_t payload_offset = 0;  ///< From the start of the container.
  std::uint64_t stored_bytes = 0;    ///< With padding, without the header.
  std::uint64_t payload_bytes = 0;   ///< Bytes to decode.
  std::uint64_t unpacked_bytes = 0;
};

inline constexpr std::string_view kFatbinMagic = "\x50\xed\x55\xba";

struct FatbinHeader {
  std::uint64_t header_bytes = 0;
  std::uint64_t content_bytes = 0;
  std::uint64_t total() const { return header_bytes + content_bytes; }
};

/// Reads the header at the start of `bytes`; false if there is none. Its size is checked only
/// against overflow.
bool ReadFatbinHeader(std::string_view bytes, FatbinHeader& header);

/// Reads the header of an entry at the start of `bytes`, which must have at least 64 bytes;
/// `left` is the rest of the container. The payload offset is relative to the end of the
/// header. False if it cannot be an entry.
bool ReadFatbinEntry(std::string_view bytes, std::uint64_t left, FatbinEntry& entry);

/// Iterates over the entries of one container, which starts at `bytes` and may be truncated.
/// `Next` returns false at the end; `is_whole` then tells whether the entries ended exactly
/// where the header says.
class FatbinEntries {
 public:
  FatbinEntries(std::string_view bytes, const FatbinHeader& header);

  bool Next(FatbinEntry& entry);
  bool is_whole() const { return at_ == end_ && end_ == claimed_end_; }
  std::uint64_t offset() const { return at_; }  ///< Of the next entry.

 private:
  std::string_view bytes_view_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::uint64_t claimed_end_;
};

}  // namespace sibyl::inspect
