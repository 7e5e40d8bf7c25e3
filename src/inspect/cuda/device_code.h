// SPDX-License-Identifier: Apache-2.0
// Finds all device code in a file: where it is, for which architecture, its size.
//
// Works on bytes in memory (normally a mapped file) and reads as few of them as the requested
// depth needs. Damaged parts are listed and are never fatal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "field/architecture.h"
#include "inspect/cuda/fatbin.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// How a container gets into a process.
enum class CodeRole : std::uint8_t {
  kExecutable,   ///< Registered by the CUDA runtime when the file is loaded.
  kRelocatable,  ///< Input of the device linker; not loaded directly.
  kHidden,       ///< Not in a CUDA section: the library loads it itself.
  kWhole,        ///< The file is the image or the container.
};

std::string_view RoleName(CodeRole role);

enum class HasCode : std::uint8_t { kUnknown, kYes, kNo };

struct CodeRegion {
  std::string member;   ///< Of an archive; otherwise empty.
  std::string section;  ///< ".nv_fatbin"; empty if the file has no sections.
  CodeRole role = CodeRole::kExecutable;
};

struct CodeImage {
  ImageKind kind = ImageKind::kOther;
  Compression compression = Compression::kNone;
  HasCode has_code = HasCode::kUnknown;
  bool is_debug = false;
  bool is_obfuscated = false;
  bool is_damaged = false;  ///< Its payload does not decode, or not to the size in the header.
  std::uint16_t raw_kind = 0;
  std::uint16_t origin = 0;  ///< Of a cubin: index into DeviceCode::origins.
  std::uint16_t major = 0;   ///< PTX ISA version, for PTX.
  std::uint16_t minor = 0;
  field::Architecture architecture;
  std::uint32_t region = 0;
  std::uint32_t container = 0;       ///< An image outside a container gets its own.
  std::uint64_t payload_offset = 0;  ///< In the file.
  std::uint64_t payload_bytes = 0;
  std::uint64_t stored_bytes = 0;
  std::uint64_t unpacked_bytes = 0;
};

struct CodeContainer {
  std::uint32_t region = 0;
  std::uint64_t offset = 0;
  std::uint32_t first_image = 0;
  std::uint32_t image_count = 0;
};

struct CodeDamage {
  std::uint64_t offset = 0;
  std::string what;
};

struct DeviceCode {
  std::vector<CodeRegion> regions;
  std::vector<CodeContainer> containers;
  std::vector<CodeImage> images;
  /// Versions of the tools that made the cubins ("13.0.88"). The first is "", for cubins
  /// without a version near their beginning.
  std::vector<std::string> origins{""};
  /// The newest version among a few cubins, where not all of them were decoded; may be empty.
  std::string sampled_origin = {};
  std::vector<CodeDamage> damages;  ///< At most a hundred.
  bool is_complete = true;          ///< False if a limit ended the listing.
  std::string limit;                ///< Which limit.
  bool is_mapped = false;           ///< From the options.

  bool empty() const { return images.empty(); }
};

enum class CodeDepth {
  kSections,  ///< Headers of the sections that announce code.
  kScan,      ///< Also every other loaded byte.
  kContent,   ///< Also whether each cubin has code, and which tool made it: needs decoding.
};

struct DeviceCodeOptions {
  CodeDepth depth = CodeDepth::kContent;
  std::uint32_t max_images = 4'000'000;
  unsigned threads = 1;  ///< For decoding.
  /// The bytes are a read-only mapping of a file; pages already read may be dropped to save
  /// memory.
  bool is_mapped = false;
  /// The budget of the artifact that contains the bytes; null: a budget for these bytes alone.
  Budget* budget = nullptr;
};

/// `bytes` is an ELF file, an archive, a fatbin, a cubin, PTX or anything else (which has no
/// code).
DeviceCode ReadDeviceCode(std::string_view bytes, const DeviceCodeOptions& options = {});

/// Appends the code of a member (a library in a wheel) to that of the whole; offsets stay
/// relative to the member.
void AppendCode(DeviceCode part, const std::string& member, DeviceCode& whole);

}  // namespace sibyl::inspect
