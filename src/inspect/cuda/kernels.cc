// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/kernels.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>

#include "base/free.h"
#include "inspect/cuda/cubin.h"
#include "inspect/cuda/elf.h"

namespace sibyl::inspect {
namespace {

constexpr std::uint8_t kSymbolIsFunction = 2;
constexpr std::uint8_t kSymbolIsKernel = 0x10;
constexpr std::size_t kMostMangled = 8192;
constexpr std::size_t kMostDemangled = std::size_t{64} << 10;

// A reference to an earlier part of the symbol (S3_, T_) is two or three bytes and expands to
// that part, which may contain such references itself: the name can double with every second
// one. The demangler cannot be interrupted, so symbols with more references are not demangled.
constexpr std::size_t kMostReferences = 40;

// From sm_90 on, .nv.shared.* includes the kilobyte that the system reserves, and this section
// shows it; ptxas -v and programmers do not count it.
constexpr std::string_view kReservedShared = ".nv.shared.reserved.0";
constexpr std::uint64_t kReservedSharedBytes = 1024;

// Attributes of .nv.info, verified against the output of ptxas -v.
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

std::size_t CountReferences(std::string_view symbol) {
  std::size_t count = 0;
  for (std::size_t at = 0; at + 1 < symbol.size(); ++at) {
    if (symbol[at] != 'S' && symbol[at] != 'T') continue;
    std::size_t end = at + 1;
    while (end < symbol.size() && ((symbol[end] >= '0' && symbol[end] <= '9') ||
                                   (symbol[end] >= 'A' && symbol[end] <= 'Z'))) {
      ++end;
    }
    if (end < symbol.size() && symbol[end] == '_') ++count;
  }
  return count;
}

struct Demangled {
  std::string name;
  std::uint64_t work = 0;  // bytes that the demangler produced
};

Demangled DemangleWithin(std::string_view symbol) {
  Demangled same{.name = std::string(symbol), .work = symbol.size()};
  if (!symbol.starts_with("_Z") || symbol.size() > kMostMangled ||
      CountReferences(symbol) > kMostReferences) {
    return same;
  }
  int status = 0;
  const std::unique_ptr<char, Free<std::free>> made(
      abi::__cxa_demangle(same.name.c_str(), nullptr, nullptr, &status));
  if (status != 0 || !made) return same;
  const std::string_view name = made.get();
  same.work += name.size();
  if (name.size() <= kMostDemangled) same.name = name;
  return same;
}

// Reads the kernel's own section.
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

std::vector<Kernel> ReadKernels(std::string_view cubin, Budget& budget) {
  std::vector<Kernel> kernels;
  if (!LooksLikeCubin(cubin)) return kernels;
  const std::optional<Elf> elf = Elf::Read(cubin);
  if (!elf) return kernels;
  std::map<std::string_view, const ElfSection*> sections;
  for (const ElfSection& section : elf->sections()) sections.emplace(section.name, &section);
  std::map<std::uint32_t, std::uint32_t> registers;  // by symbol, from the section about all
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
  std::uint64_t scan_left = MostScanned(cubin.size());
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    const ElfSymbol& symbol = symbols[i];
    if (symbol.type != kSymbolIsFunction || (symbol.other & kSymbolIsKernel) == 0) continue;
    if (symbol.section == 0 || symbol.name.empty()) continue;
    Demangled demangled = DemangleWithin(symbol.name);
    if (demangled.work > scan_left) break;
    scan_left -= demangled.work;
    Kernel kernel{.symbol = std::string(symbol.name),
                  .name = std::move(demangled.name),
                  .code_bytes = symbol.size};
    if (!budget.Spend(Total::kEntries, 1) ||
        !budget.Spend(Total::kKeptBytes,
                      sizeof(Kernel) + kernel.symbol.size() + kernel.name.size())) {
      break;
    }
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
      const std::string_view attributes = elf->Content(*own->second);
      if (attributes.size() > scan_left) break;  // one section used by thousands of symbols
      scan_left -= attributes.size();
      ReadOwnAttributes(attributes, kernel);
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

std::string Demangle(std::string_view symbol) { return DemangleWithin(symbol).name; }

}  // namespace sibyl::inspect
