// SPDX-License-Identifier: Apache-2.0
// A bounds-checked reader of ELF files: 32 and 64 bit, either byte order, any machine.
//
// libelf is not used: it rejects what CUDA writes (an e_version other than 1, an OSABI of 0x41)
// and has a history of bugs with hostile files. Reads only the header, sections, dynamic
// entries and symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/bytes.h"

namespace sibyl::inspect {

inline constexpr std::uint16_t kMachineCuda = 190;

inline constexpr std::uint32_t kSectionSymbols = 2;
inline constexpr std::uint32_t kSectionDynamic = 6;
inline constexpr std::uint32_t kSectionNoBits = 8;
inline constexpr std::uint64_t kSectionIsLoaded = 0x2;

struct ElfSection {
  std::string_view name;  ///< Borrowed from the file's bytes.
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t entry_size = 0;
};

struct ElfSymbol {
  std::string_view name;
  std::uint8_t type = 0;   ///< STT_FUNC is 2.
  std::uint8_t other = 0;  ///< CUDA marks a kernel with 0x10.
  std::uint16_t section = 0;
  std::uint64_t size = 0;
};

/// What the loader searches for.
struct ElfDynamic {
  std::string soname;
  std::vector<std::string> needed;
  std::vector<std::string> run_paths;  ///< RPATH and RUNPATH, split at colons.
};

/// Borrows the bytes it was read from.
class Elf {
 public:
  /// nullopt if there is no complete ELF header. A table that exceeds the file is truncated,
  /// and `is_cut` is set.
  static std::optional<Elf> Read(std::string_view bytes);

  bool is_64() const { return is_64_; }
  ByteOrder order() const { return order_; }
  std::uint8_t os_abi() const { return os_abi_; }
  std::uint8_t abi_version() const { return abi_version_; }
  std::uint16_t type() const { return type_; }
  std::uint16_t machine() const { return machine_; }
  std::uint32_t version() const { return version_; }
  std::uint32_t flags() const { return flags_; }
  bool is_cut() const { return is_cut_; }
  const std::vector<ElfSection>& sections() const { return sections_; }

  const ElfSection* Find(std::string_view name) const;

  /// The bytes of a section: empty if it has none, truncated if the file is.
  std::string_view Content(const ElfSection& section) const;

  /// The end of the last table or section: the length of an ELF file that is embedded in
  /// another file.
  std::uint64_t extent() const { return extent_; }

  /// Bytes of tables and names that were read. A caller that reads many headers in one file
  /// adds them up.
  std::uint64_t work() const { return work_; }

  std::vector<ElfSymbol> Symbols() const;
  ElfDynamic Dynamic() const;

 private:
  explicit Elf(Bytes bytes) : bytes_(bytes) {}
  void ReadHeader();
  void ReadSections();
  ElfSection ReadSection(std::uint64_t at) const;
  struct Segment {
    std::uint32_t type = 0;
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
    std::uint64_t size = 0;
  };
  std::vector<Segment> Segments() const;
  struct DynamicTable {
    std::string_view entries;
    std::string_view strings;
  };
  DynamicTable FindDynamic() const;
  std::uint64_t Word(std::uint64_t at) const;
  void Covers(std::uint64_t offset, std::uint64_t length);

  Bytes bytes_;
  bool is_64_ = false;
  ByteOrder order_ = ByteOrder::kLittle;
  std::uint8_t os_abi_ = 0;
  std::uint8_t abi_version_ = 0;
  std::uint16_t type_ = 0;
  std::uint16_t machine_ = 0;
  std::uint32_t version_ = 0;
  std::uint32_t flags_ = 0;
  bool is_cut_ = false;
  std::uint64_t extent_ = 0;
  std::uint64_t work_ = 0;
  std::vector<ElfSection> sections_;
};

/// "x86_64", "aarch64", "cuda"; "machine 42" for unknown numbers.
std::string MachineName(std::uint16_t machine);

}  // namespace sibyl::inspect
