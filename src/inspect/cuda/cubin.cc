// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/cubin.h"

#include <fmt/format.h>

#include <algorithm>

namespace sibyl::inspect {
namespace {

// ptxas of CUDA 13 writes the second layout for every architecture: the OSABI decides, not the
// number of the architecture.
constexpr std::uint8_t kOsAbiSecond = 0x41;
constexpr std::uint32_t kFirstAbiAccelerated = 0x800;
constexpr std::uint8_t kCompatAcceleratorTarget = 0x09;
constexpr std::uint32_t kNoteToolkit = 2000;
constexpr std::uint32_t kNoteCuda = 1000;
constexpr std::uint64_t kNoteHeader = 12;

struct Note {
  std::uint32_t type = 0;
  std::string_view content;
};

// NVIDIA's first note in a section.
std::optional<Note> FirstNote(std::string_view section) {
  const Bytes fields(section);
  const std::uint64_t name = fields.Get<std::uint32_t>(0);
  const std::uint64_t length = fields.Get<std::uint32_t>(4);
  if (!fields.Clip(kNoteHeader, name).starts_with("NVIDIA Corp")) return std::nullopt;
  return Note{.type = fields.Get<std::uint32_t>(8),
              .content = fields.Clip(kNoteHeader + RoundUp(name, 4), length)};
}

// The version follows the last V in "Cuda compilation tools, release 13.0, V13.0.88".
std::string VersionIn(std::string_view text) {
  const std::size_t at = text.rfind(", V");
  return at == std::string_view::npos ? std::string() : std::string(text.substr(at + 3));
}

CubinOrigin ReadToolkitNote(std::string_view section) {
  const std::optional<Note> note = FirstNote(section);
  if (!note || note->type != kNoteToolkit) return {};
  const Bytes fields(note->content);
  // A version, then five offsets into the strings that follow: object, tool, version, build,
  // options.
  constexpr std::uint64_t kStrings = 24;
  const Bytes strings(fields.Clip(kStrings, fields.size()));
  const auto text = [&](std::uint64_t field) {
    return strings.Text(fields.Get<std::uint32_t>(4 + 4 * field)).substr(0, 1024);
  };
  return {
      .tool = std::string(text(1)), .version = VersionIn(text(2)), .options = std::string(text(4))};
}

// Records {u8 format, u8 attribute, u16 value}; format 4 is followed by `value` bytes.
bool IsAccelerated(std::string_view compat) {
  const Bytes fields(compat);
  for (std::uint64_t at = 0; fields.Holds(at, 4);) {
    const auto format = fields.Get<std::uint8_t>(at);
    const auto value = fields.Get<std::uint16_t>(at + 2);
    if (fields.Get<std::uint8_t>(at + 1) == kCompatAcceleratorTarget) {
      return format == 4 ? fields.Get<std::uint8_t>(at + 4) == 1 : value == 1;
    }
    at += 4 + (format == 4 ? value : 0);
  }
  return false;
}

void ReadSecondAbi(const Elf& elf, Cubin& cubin) {
  cubin.architecture.number = elf.flags() >> 8U & 0xffU;
  bool has_compat = false;
  for (const ElfSection& section : elf.sections()) {
    if (section.name == ".nv.compat" && !has_compat) {
      has_compat = true;  // only the first: a file could have thousands
      if (IsAccelerated(elf.Content(section))) cubin.architecture.suffix = 'a';
    }
    if (section.name == ".note.nv.tkinfo") cubin.origin = ReadToolkitNote(elf.Content(section));
    if (section.name == ".note.nv.cuinfo" || section.name == ".note.nv.cuver") {
      const std::optional<Note> note = FirstNote(elf.Content(section));
      if (!note || note->type != kNoteCuda) continue;
      const Bytes fields(note->content);
      cubin.virtual_architecture = fields.Get<std::uint16_t>(2);
      const std::uint32_t toolkit = fields.Get<std::uint16_t>(4);
      if (cubin.origin.version.empty() && toolkit > 0) {
        cubin.origin.version = fmt::format("{}.{}", toolkit / 10, toolkit % 10);
      }
    }
  }
}

void ReadFirstAbi(const Elf& elf, Cubin& cubin) {
  cubin.architecture.number = elf.flags() & 0xffU;
  if ((elf.flags() & kFirstAbiAccelerated) != 0) cubin.architecture.suffix = 'a';
  cubin.virtual_architecture = elf.flags() >> 16U & 0xffU;
  if (elf.version() >= 50 && elf.version() < 1000) {
    cubin.origin.version = fmt::format("{}.{}", elf.version() / 10, elf.version() % 10);
  }
}

}  // namespace

bool LooksLikeCubin(std::string_view bytes) {
  if (!bytes.starts_with("\x7f"
                         "ELF")) {
    return false;
  }
  const Bytes fields(bytes);
  return fields.Holds(0, 52) && fields.Get<std::uint8_t>(5) == 1 &&
         fields.Get<std::uint16_t>(18) == kMachineCuda;
}

Cubin DescribeCubin(const Elf& elf) {
  Cubin cubin;
  cubin.is_relocatable = elf.type() == 1;
  cubin.extent = elf.extent();
  cubin.is_cut = elf.is_cut();
  for (const ElfSection& section : elf.sections()) {
    if (section.name.starts_with(".text.") && section.size > 0) ++cubin.code_sections;
  }
  if (elf.os_abi() == kOsAbiSecond) {
    ReadSecondAbi(elf, cubin);
  } else {
    ReadFirstAbi(elf, cubin);
  }
  return cubin;
}

std::optional<Cubin> ReadCubin(std::string_view bytes) {
  if (!LooksLikeCubin(bytes)) return std::nullopt;
  const std::optional<Elf> elf = Elf::Read(bytes);
  if (!elf) return std::nullopt;
  return DescribeCubin(*elf);
}

bool BeginningShowsCode(std::string_view beginning) {
  // The table of names comes first, right after the header.
  constexpr std::size_t kNames = 64;
  if (!LooksLikeCubin(beginning) || beginning.size() < kNames) return false;
  const std::string_view names = beginning.substr(kNames);
  using std::string_view_literals::operator""sv;
  return names.starts_with("\0.shstrtab\0"sv) && names.find("\0.text."sv) != names.npos;
}

}  // namespace sibyl::inspect
