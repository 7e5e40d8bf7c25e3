// SPDX-License-Identifier: Apache-2.0
// Small artifacts made in memory, for tests and fuzz seeds: an ELF file with
// chosen sections, a cubin, a fatbin. Not used by the program itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/fatbin.h"

namespace sibyl::inspect {

struct SampleSection {
  std::string name;
  std::string content;
  std::uint32_t type = 1;
  std::uint64_t flags = 2;
};

struct SampleElf {
  std::uint16_t machine = 62;
  std::uint8_t os_abi = 0;
  std::uint32_t flags = 0;
  std::uint32_t version = 1;
  std::vector<SampleSection> sections;
};

/// 64 bit, little endian.
std::string MakeElf(const SampleElf& elf);

/// A cubin of the second ABI; without a kernel it is a shell.
enum class SampleCode { kKernel, kNone };
std::string MakeCubin(std::uint32_t number, SampleCode code);

struct SampleEntry {
  std::uint16_t kind = 2;
  std::uint32_t number = 90;
  std::uint64_t flags = 0x11;
  std::string payload;
  std::uint64_t unpacked = 0;  ///< Of a packed payload.
  std::uint16_t major = 1;
  std::uint16_t minor = 8;
};

std::string MakeFatbin(const std::vector<SampleEntry>& entries);

}  // namespace sibyl::inspect
