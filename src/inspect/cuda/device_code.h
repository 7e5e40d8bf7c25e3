// SPDX-License-Identifier: Apache-2.0
// All device code in a file: where it is, for which architecture, how large.
//
// Works on bytes in memory (normally a mapped file) and touches as few of them
// as the depth asks for. What is damaged is listed, never fatal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/architecture.h"
#include "inspect/cuda/fatbin.h"
#include "inspect/totals.h"

namespace sibyl::inspect {

/// How a container gets into a process.
enum class CodeRole : std::uint8_t {
  kExecutable,   ///< Registered by the CUDA runtime when the file is loaded.
  kRelocatable,  ///< Input of the device linker; not loaded as it is.
  kHidden,       ///< In no section of CUDA's: the library loads it by itself.
  kWhole,        ///< The file is the image or the container.
};

std::string_view RoleName(CodeRole role);

enum class HasCode : std::uint8_t { kUnknown, kYes, kNo };

struct CodeRegion {
  std::string member;   ///< Of an archive; empty otherwise.
  std::string section;  ///< ".nv_fatbin"; empty when the file has none.
  CodeRole role = CodeRole::kExecutable;
};

struct CodeImage {
  ImageKind kind = ImageKind::kOther;
  Compression compression = Compression::kNone;
  HasCode has_code = HasCode::kUnknown;
  bool is_debug = false;
  bool is_obfuscated = false;
  bool is_damaged = false;  ///< Its payload does not decode, or not to what the header says.
  std::uint16_t raw_kind = 0;
  std::uint16_t origin = 0;  ///< Of a cubin: index into DeviceCode::origins.
  std::uint16_t major = 0;   ///< PTX ISA version, for PTX.
  std::uint16_t minor = 0;
  Architecture architecture;
  std::uint32_t region = 0;
  std::uint32_t container = 0;       ///< An image without one has its own.
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
  /// Versions of the tools that made the cubins ("13.0.88"); the first is "",
  /// for those that do not say it or say it far inside.
  std::vector<std::string> origins{""};
  std::vector<CodeDamage> damages;  ///< The first hundred.
  bool is_complete = true;          ///< False when a limit ended the listing.
  std::string limit;                ///< Which one, in words.
  bool is_mapped = false;           ///< As the options said.

  bool empty() const { return images.empty(); }
};

enum class CodeDepth {
  kSections,  ///< What the sections announce: headers only.
  kScan,      ///< And what they do not: every loaded byte is looked at.
  kContent,   ///< And whether each cubin has code, and who made it: needs decoding.
};

struct DeviceCodeOptions {
  CodeDepth depth = CodeDepth::kContent;
  std::uint32_t max_images = 4'000'000;
  unsigned threads = 1;  ///< For decoding.
  /// The bytes are a read-only mapping of a file, and pages that were looked at
  /// may be dropped to keep memory small.
  bool is_mapped = false;
  /// Of the artifact that the bytes belong to; one for these bytes alone when null.
  Budget* budget = nullptr;
};

/// `bytes` is an ELF file, an archive, a fatbin, a cubin, PTX or anything else
/// (which holds nothing).
DeviceCode ReadDeviceCode(std::string_view bytes, const DeviceCodeOptions& options = {});

/// Puts the code of one member of something larger (a library in a wheel) to
/// the rest; its offsets stay those in the member.
void AppendCode(DeviceCode part, const std::string& member, DeviceCode& whole);

}  // namespace sibyl::inspect
