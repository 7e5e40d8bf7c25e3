// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/sample_code.h"

namespace sibyl::inspect {
namespace {

template <typename T>
void Put(std::string& out, std::uint64_t value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    out += static_cast<char>(value >> (8 * i) & 0xff);
  }
}

void PadTo(std::string& out, std::size_t multiple) {
  while (out.size() % multiple != 0) out += '\0';
}

}  // namespace

std::string MakeElf(const SampleElf& elf) {
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
  Put<std::uint16_t>(out, elf.machine == 190 ? 2 : 3);
  Put<std::uint16_t>(out, elf.machine);
  Put<std::uint32_t>(out, elf.version);
  Put<std::uint64_t>(out, 0);
  Put<std::uint64_t>(out, 0);
  Put<std::uint64_t>(out, 64 + body.size());
  Put<std::uint32_t>(out, elf.flags);
  Put<std::uint16_t>(out, 64);
  Put<std::uint16_t>(out, 56);
  Put<std::uint16_t>(out, 0);
  Put<std::uint16_t>(out, 64);
  Put<std::uint16_t>(out, sections.size());
  Put<std::uint16_t>(out, 1);
  out += body;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    Put<std::uint32_t>(out, names[i]);
    Put<std::uint32_t>(out, sections[i].type);
    Put<std::uint64_t>(out, sections[i].flags);
    Put<std::uint64_t>(out, 0);
    Put<std::uint64_t>(out, offsets[i]);
    Put<std::uint64_t>(out, sections[i].content.size());
    Put<std::uint64_t>(out, 0);
    Put<std::uint64_t>(out, 8);
    Put<std::uint64_t>(out, 0);
  }
  return out;
}

std::string MakeCubin(std::uint32_t number, SampleCode code) {
  SampleElf elf{.machine = 190, .os_abi = 0x41, .flags = 0x06000004U | number << 8U};
  if (code == SampleCode::kKernel) {
    elf.sections.push_back({.name = ".text.kernel", .content = std::string(128, 'x'), .flags = 6});
  }
  return MakeElf(elf);
}

std::string MakeFatbin(const std::vector<SampleEntry>& entries) {
  std::string body;
  for (const SampleEntry& entry : entries) {
    std::string payload = entry.payload;
    PadTo(payload, 8);
    const bool is_packed = (entry.flags & 0xf000U) != 0;
    Put<std::uint16_t>(body, entry.kind);
    Put<std::uint16_t>(body, 0x0101);
    Put<std::uint32_t>(body, 64);
    Put<std::uint64_t>(body, payload.size());
    Put<std::uint32_t>(body, is_packed ? entry.payload.size() : 0);
    Put<std::uint32_t>(body, 0);
    Put<std::uint16_t>(body, entry.minor);
    Put<std::uint16_t>(body, entry.major);
    Put<std::uint32_t>(body, entry.number);
    Put<std::uint64_t>(body, 0);
    Put<std::uint64_t>(body, entry.flags);
    Put<std::uint64_t>(body, 0);
    Put<std::uint64_t>(body, is_packed ? entry.unpacked : 0);
    body += payload;
  }
  std::string out(kFatbinMagic);
  Put<std::uint16_t>(out, 1);
  Put<std::uint16_t>(out, 16);
  Put<std::uint64_t>(out, body.size());
  return out + body;
}

}  // namespace sibyl::inspect
