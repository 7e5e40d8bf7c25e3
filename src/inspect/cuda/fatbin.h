// SPDX-License-Identifier: Apache-2.0
// CUDA's fat binary: a container of images (cubins, PTX, LTO-IR), one per
// translation unit. Not documented by NVIDIA; docs/formats/facts.md has the
// layout as it was found, field by field, in 42,479 entries.
#pragma once

#include <cstdint>
#include <string_view>

#include "inspect/cuda/architecture.h"

namespace sibyl::inspect {

enum class ImageKind : std::uint8_t { kCubin, kPtx, kLtoIr, kOther };
enum class Compression : std::uint8_t { kNone, kZlib, kLz4Block, kLz4Frame, kZstd };

std::string_view KindName(ImageKind kind);                  ///< "cubin", "ptx", "lto", "other"
std::string_view CompressionName(Compression compression);  ///< "none", "lz4", "zstd", ...

struct FatbinEntry {
  ImageKind kind = ImageKind::kOther;
  std::uint16_t raw_kind = 0;  ///< The number itself, for kinds nobody has named.
  Architecture architecture;
  std::uint16_t major = 0;  ///< PTX ISA, cubin ABI or NVVM IR version.
  std::uint16_t minor = 0;
  Compression compression = Compression::kNone;
  bool is_debug = false;
  bool is_obfuscated = false;
  std::uint64_t payload_offset = 0;  ///< From the start of the container.
  std::uint64_t stored_bytes = 0;    ///< With its padding, without the header.
  std::uint64_t payload_bytes = 0;   ///< What there is to decode.
  std::uint64_t unpacked_bytes = 0;
};

inline constexpr std::string_view kFatbinMagic = "\x50\xed\x55\xba";

struct FatbinHeader {
  std::uint64_t header_bytes = 0;
  std::uint64_t content_bytes = 0;
  std::uint64_t total() const { return header_bytes + content_bytes; }
};

/// The header at the start of `bytes`; false when it is none. The size is what
/// it claims, checked only against overflow.
bool ReadFatbinHeader(std::string_view bytes, FatbinHeader& header);

/// Reads the header of an entry at the start of `bytes`, of which at least 64
/// bytes must be there; `left` is what the container still holds. The payload
/// offset is that behind the header. False when it cannot be an entry.
bool ReadFatbinEntry(std::string_view bytes, std::uint64_t left, FatbinEntry& entry);

/// Goes through the entries of one container, which starts at `bytes` and may
/// be cut short. `Next` gives false at the end; `is_whole` then says whether
/// the entries ended exactly where the header says.
class FatbinEntries {
 public:
  FatbinEntries(std::string_view bytes, const FatbinHeader& header);

  bool Next(FatbinEntry& entry);
  bool is_whole() const { return at_ == end_ && end_ == claimed_end_; }
  std::uint64_t offset() const { return at_; }  ///< Of what comes next.

 private:
  std::string_view bytes_view_;
  std::uint64_t at_;
  std::uint64_t end_;
  std::uint64_t claimed_end_;
};

}  // namespace sibyl::inspect
