// SPDX-License-Identifier: Apache-2.0
#include "inspect/kernels.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>

#include "base/free.h"
#include "inspect/cubin.h"
#include "inspect/elf.h"

namespace sibyl::inspect {
namespace {

constexpr std::uint8_t kSymbolIsFunction = 2;
constexpr std::uint8_t kSymbolIsKernel = 0x10;
constexpr std::size_t kMostMangled = 8192;
constexpr std::size_t kMostNameBytes = std::size_t{64} << 20;  // of one cubin, all names together

// From sm_90 on, .nv.shared.* counts the kilobyte that the system keeps for
// itself, and this section shows it; ptxas -v and the programmer do not count it.
constexpr std::string_view kReservedShared = ".nv.shared.reserved.0";
constexpr std::uint64_t kReservedSharedBytes = 1024;

// Attributes of .nv.info, checked against what ptxas -v prints.
constexpr std::uint8_t kMaxThreads = 0x05;
constexpr std::uint8_t kFrameSize = 0x11;
constexpr std::uint8_t kParameterBytes = 0x19;
constexpr std::uint8_t kRegisterCount = 0x2f;
constexpr std::uint8_t kBarrierCount = 0x4c;
constexpr std::uint8_t kSpillMarks = 0x55;

struct Attribute {
  std::uint8_t id = 0;
  std::uint16_t value = 0;   // of the short forms
  std::string_view content;  // of the long form
};

template <typename Visit>
void ForEachAttribute(std::string_view section, const Visit& visit) {
  const Bytes fields(section);
  for (std::uint64_t at = 0; fields.Holds(at, 4);) {
    const auto format = fields.Get<std::uint8_t>(at);
    Attribute attribute{.id = fields.Get<std::uint8_t>(at + 1),
                        .value = fields.Get<std::uint16_t>(at + 2)};
    if (format == 4) attribute.content = fields.Clip(at + 4, attribute.value);
    visit(attribute);
    at += 4 + (format == 4 ? attribute.value : 0);
  }
}

// The kernel's own section.
void ReadOwnAttributes(std::string_view section, Kernel& kernel) {
  ForEachAttribute(section, [&](const Attribute& attribute) {
    const Bytes content(attribute.content);
    if (attribute.id == kMaxThreads && content.size() >= 12) {
      kernel.max_threads = content.Get<std::uint32_t>(0) * content.Get<std::uint32_t>(4) *
                           content.Get<std::uint32_t>(8);
    }
    if (attribute.id == kParameterBytes && content.size() == 0) {
      kernel.parameter_bytes = attribute.value;
    }
    if (attribute.id == kBarrierCount && content.size() == 0) {
      kernel.barriers = attribute.value & 0xffU;
    }
    if (attribute.id != kSpillMarks) return;
    for (std::uint64_t at = 0; content.Holds(at, 8); at += 8) {
      if (content.Get<std::uint32_t>(at) == 1) ++kernel.marked_spills;
    }
  });
}

}  // namespace

std::vector<Kernel> ReadKernels(std::string_view cubin) {
  std::vector<Kernel> kernels;
  if (!LooksLikeCubin(cubin)) return kernels;
  const std::optional<Elf> elf = Elf::Read(cubin);
  if (!elf) return kernels;
  std::map<std::string_view, const ElfSection*> sections;
  for (const ElfSection& section : elf->sections()) sections.emplace(section.name, &section);

  // {symbol, value} pairs of the section that speaks of all functions.
  std::map<std::uint32_t, std::uint32_t> registers;
  std::map<std::uint32_t, std::uint32_t> frames;
  if (const ElfSection* shared = elf->Find(".nv.info"); shared != nullptr) {
    ForEachAttribute(elf->Content(*shared), [&](const Attribute& attribute) {
      const Bytes content(attribute.content);
      if (content.size() < 8) return;
      const auto symbol = content.Get<std::uint32_t>(0);
      if (attribute.id == kRegisterCount) registers[symbol] = content.Get<std::uint32_t>(4);
      if (attribute.id == kFrameSize) frames[symbol] = content.Get<std::uint32_t>(4);
    });
  }
  const bool has_reserved = sections.contains(kReservedShared);
  const std::vector<ElfSymbol> symbols = elf->Symbols();
  std::size_t name_bytes = 0;
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    const ElfSymbol& symbol = symbols[i];
    if (symbol.type != kSymbolIsFunction || (symbol.other & kSymbolIsKernel) == 0) continue;
    if (symbol.section == 0 || symbol.name.empty()) continue;
    name_bytes += symbol.name.size();
    if (name_bytes > kMostNameBytes) break;
    Kernel kernel{.symbol = std::string(symbol.name),
                  .name = Demangle(symbol.name),
                  .code_bytes = symbol.size};
    if (const auto found = registers.find(i); found != registers.end()) {
      kernel.registers = found->second;
    } else if (symbol.section < elf->sections().size() && elf->version() != 1) {
      kernel.registers = elf->sections()[symbol.section].info >> 24U;  // the first ABI
    }
    if (const auto found = frames.find(i); found != frames.end()) {
      kernel.stack_bytes = found->second;
    }
    const std::string name(symbol.name);
    if (const auto own = sections.find(".nv.info." + name); own != sections.end()) {
      ReadOwnAttributes(elf->Content(*own->second), kernel);
    }
    if (const auto own = sections.find(".nv.shared." + name); own != sections.end()) {
      kernel.shared_bytes = own->second->size;
      if (has_reserved && kernel.shared_bytes >= kReservedSharedBytes) {
        kernel.shared_bytes -= kReservedSharedBytes;
      }
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::string Demangle(std::string_view symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() > kMostMangled) return std::string(symbol);
  int status = 0;
  const std::unique_ptr<char, Free<std::free>> name(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status));
  return status == 0 && name ? std::string(name.get()) : std::string(symbol);
}

}  // namespace sibyl::inspect
