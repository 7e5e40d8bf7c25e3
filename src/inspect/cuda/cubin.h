// SPDX-License-Identifier: Apache-2.0
// A cubin is the ELF file that a GPU loads. Reads its architecture, whether it has code, and
// which toolkit made it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "field/architecture.h"
#include "inspect/cuda/elf.h"

namespace sibyl::inspect {

/// "13.0.88", from the notes of the second ABI; "11.8" from the header of the first, which has
/// no more.
struct CubinOrigin {
  std::string tool;     ///< "ptxas", "nvlink"; empty if unknown.
  std::string version;  ///< Empty if unknown.
  std::string options;  ///< "-arch sm_100f -m 64"
};

struct Cubin {
  field::Architecture architecture;        ///< Suffix 'a' if the cubin is marked so; never 'f'.
  std::uint32_t virtual_architecture = 0;  ///< Of the PTX it was compiled from; 0 if unknown.
  bool is_relocatable = false;             ///< Compiled with -rdc: input of the device linker.
  std::uint32_t code_sections = 0;         ///< Zero: a shell without kernels.
  std::uint64_t extent = 0;                ///< Size of the whole ELF file.
  bool is_cut = false;
  CubinOrigin origin;
};

/// nullopt if it is not an ELF file for CUDA.
std::optional<Cubin> ReadCubin(std::string_view bytes);
Cubin DescribeCubin(const Elf& elf);

/// Whether `bytes` begins with the ELF header of a cubin.
bool LooksLikeCubin(std::string_view bytes);

/// Whether the first bytes of a cubin show a section .text.*. ptxas, nvlink and nvasm write the
/// names of sections first, so a few kilobytes usually suffice and a compressed image need not
/// be decoded to its end. False means unknown.
bool BeginningShowsCode(std::string_view beginning);

}  // namespace sibyl::inspect
