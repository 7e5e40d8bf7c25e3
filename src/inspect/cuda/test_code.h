// SPDX-License-Identifier: Apache-2.0
// Builds small artifacts in memory, for tests and fuzz seeds: an ELF file with given sections,
// a cubin, a fatbin.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/cuda/fatbin.h"

namespace sibyl::inspect {

template <typename T>
void AppendSampleField(std::string& out, std::uint64_t value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>(value >> (8 * i) & 0xff);
  }
}

inline void PadSample(std::string& out, std::size_t multiple) {
  while (out.size() % multiple != 0) out += '\0';
}

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
inline std::string MakeElf(const SampleElf& elf) {
  // Names first, as ptxas writes them; then the contents, then the table.
  std::vector<SampleSection> sections{{.name = "", .type = 0, .flags = 0},
                                      {.name = ".shstrtab", .type = 3, .flags = 0}};
  sections.insert(sections.end(), elf.sections.begin(), elf.sections.end());
  std::vector<std::uint32_t> names;
  for (const SampleSection& section : sections) {
    names.push_back(static_cast<std::uint32_t>(sections[1].content.size()));
    sections[1].content += section.name + '\0';
  }
  std::string body;
  std::vector<std::uint64_t> offsets;
  for (const SampleSection& section : sections) {
    if (section.type != 3) {
      while ((64 + body.size()) % 8 != 0) body += '\0';
    }
    offsets.push_back(64 + body.size());
    body += section.content;
  }
  while ((64 + body.size()) % 8 != 0) body += '\0';
  std::string out =
      "\x7f"
      "ELF\x02\x01\x01";
  out += static_cast<char>(elf.os_abi);
  out += elf.os_abi == 0x41 ? '\x08' : '\0';
  out.resize(16);
  AppendSampleField<std::uint16_t>(out, elf.machine == 190 ? 2 : 3);
  AppendSampleField<std::uint16_t>(out, elf.machine);
  AppendSampleField<std::uint32_t>(out, elf.version);
  AppendSampleField<std::uint64_t>(out, 0);
  AppendSampleField<std::uint64_t>(out, 0);
  AppendSampleField<std::uint64_t>(out, 64 + body.size());
  AppendSampleField<std::uint32_t>(out, elf.flags);
  AppendSampleField<std::uint16_t>(out, 64);
  AppendSampleField<std::uint16_t>(out, 56);
  AppendSampleField<std::uint16_t>(out, 0);
  AppendSampleField<std::uint16_t>(out, 64);
  AppendSampleField<std::uint16_t>(out, sections.size());
  AppendSampleField<std::uint16_t>(out, 1);
  out += body;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    AppendSampleField<std::uint32_t>(out, names[i]);
    AppendSampleField<std::uint32_t>(out, sections[i].type);
    AppendSampleField<std::uint64_t>(out, sections[i].flags);
    AppendSampleField<std::uint64_t>(out, 0);
    AppendSampleField<std::uint64_t>(out, offsets[i]);
    AppendSampleField<std::uint64_t>(out, sections[i].content.size());
    AppendSampleField<std::uint64_t>(out, 0);
    AppendSampleField<std::uint64_t>(out, 8);
    AppendSampleField<std::uint64_t>(out, 0);
  }
  return out;
}

/// A cubin of the second ABI; without a kernel it is a shell.
enum class SampleCode { kKernel, kNone };
inline std::string MakeCubin(std::uint32_t number, SampleCode code) {
  SampleElf elf{.machine = 190, .os_abi = 0x41, .flags = 0x06000004U | number << 8U};
  if (code == SampleCode::kKernel) {
    elf.sections.push_back({.name = ".text.kernel", .content = std::string(128, 'x'), .flags = 6});
  }
  return MakeElf(elf);
}

struct SampleEntry {
  std::uint16_t kind = 2;
  std::uint32_t number = 90;
  std::uint64_t flags = 0x11;
  std::string payload;
  std::uint64_t unpacked = 0;  ///< Of a packed payload.
  std::uint16_t major = 1;
  std::uint16_t minor = 8;
};

inline std::string MakeFatbin(const std::vector<SampleEntry>& entries) {
  std::string body;
  for (const SampleEntry& entry : entries) {
    std::string payload = entry.payload;
    PadSample(payload, 8);
    const bool is_packed = (entry.flags & 0xf000U) != 0;
    AppendSampleField<std::uint16_t>(body, entry.kind);
    AppendSampleField<std::uint16_t>(body, 0x0101);
    AppendSampleField<std::uint32_t>(body, 64);
    AppendSampleField<std::uint64_t>(body, payload.size());
    AppendSampleField<std::uint32_t>(body, is_packed ? entry.payload.size() : 0);
    AppendSampleField<std::uint32_t>(body, 0);
    AppendSampleField<std::uint16_t>(body, entry.minor);
    AppendSampleField<std::uint16_t>(body, entry.major);
    AppendSampleField<std::uint32_t>(body, entry.number);
    AppendSampleField<std::uint64_t>(body, 0);
    AppendSampleField<std::uint64_t>(body, entry.flags);
    AppendSampleField<std::uint64_t>(body, 0);
    AppendSampleField<std::uint64_t>(body, is_packed ? entry.unpacked : 0);
    body += payload;
  }
  std::string out(kFatbinMagic);
  AppendSampleField<std::uint16_t>(out, 1);
  AppendSampleField<std::uint16_t>(out, 16);
  AppendSampleField<std::uint64_t>(out, body.size());
  return out + body;
}

}  // namespace sibyl::inspect
