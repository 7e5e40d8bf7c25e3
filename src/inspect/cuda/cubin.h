// SPDX-License-Identifier: Apache-2.0
// A cubin: the ELF file that a GPU loads. Which architecture, with code or
// without, and which toolkit made it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "inspect/cuda/architecture.h"
#include "inspect/cuda/elf.h"

namespace sibyl::inspect {

/// "13.0.88", from the notes of the second ABI; "11.8" from the header of the
/// first, which has no more.
struct CubinOrigin {
  std::string tool;     ///< "ptxas", "nvlink"; empty when it does not say.
  std::string version;  ///< Empty when it does not say.
  std::string options;  ///< "-arch sm_100f -m 64"
};

struct Cubin {
  Architecture architecture;               ///< 'a' where the cubin says so; never 'f'.
  std::uint32_t virtual_architecture = 0;  ///< Of the PTX it was made from; 0: not known.
  bool is_relocatable = false;             ///< Made with -rdc; the device linker's input.
  std::uint32_t code_sections = 0;         ///< None: a shell that holds no kernel.
  std::uint64_t extent = 0;                ///< Bytes of the whole ELF file.
  bool is_cut = false;
  CubinOrigin origin;
};

/// Nothing when it is not an ELF file for CUDA.
std::optional<Cubin> ReadCubin(std::string_view bytes);
Cubin DescribeCubin(const Elf& elf);

/// Whether the ELF header at the start is that of a cubin.
bool LooksLikeCubin(std::string_view bytes);

/// From the first bytes of a cubin, when they suffice: true for "it has a
/// section .text.*". The names of sections come first in what ptxas, nvlink and
/// nvasm write, so a few kilobytes usually tell, and a packed image need not be
/// decoded to its end. False says nothing.
bool BeginningShowsCode(std::string_view beginning);

}  // namespace sibyl::inspect
