// SPDX-License-Identifier: Apache-2.0
// The GPU architectures that an instruction of a Dockerfile asks for: TORCH_CUDA_ARCH_LIST,
// CMAKE_CUDA_ARCHITECTURES, CUDAARCHS, and the options of nvcc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "field/field.h"
#include "inspect/docker/dockerfile.h"

namespace sibyl::inspect {

enum class ArchSyntax { kTorch, kCMake, kNvcc };

struct ArchList {
  std::string name;   ///< Of the variable, or "nvcc".
  std::string value;  ///< As written, without quotes; empty for nvcc.
  ArchSyntax syntax = ArchSyntax::kTorch;
  std::vector<field::Architecture> cubins;
  std::vector<field::Architecture> ptx;
  /// In a RUN, ';' without quotes ends the command: the rest of the list is a separate command.
  bool is_cut_by_shell = false;
};

/// The lists whose every item is a number; others depend on variables or on the machine.
std::vector<ArchList> ReadArchLists(const DockerInstruction& at, std::string_view script);

/// The list with another value; the same list if that cannot be read.
ArchList WithItems(const ArchList& list, std::string_view value);

/// The list with one more architecture, in its own syntax.
std::string WithArchitecture(const ArchList& list, std::string_view value, std::uint32_t number);

/// The list with PTX of its last architecture; empty if that has a suffix, because such PTX does
/// not run on newer GPUs.
std::string WithPtx(const ArchList& list, std::string_view value);

/// The list without an architecture, in all of its forms; empty if nothing is left.
std::string WithoutArchitecture(const ArchList& list, std::string_view value,
                                const field::Architecture& architecture);

struct CorrectedLine {
  std::size_t line = 0;  ///< Its number in the file.
  std::string text;      ///< Empty: there is no such line.
};

/// The line of the instruction that has the list, with another value, in quotes where a shell needs
/// them. None if the value is inside other quotes.
CorrectedLine WithValue(const DockerInstruction& at, const ArchList& list, std::string_view value);

}  // namespace sibyl::inspect
