// SPDX-License-Identifier: Apache-2.0
// The kernels of a cubin and what they ask of the GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/totals.h"

namespace sibyl::inspect {

struct Kernel {
  std::string symbol;  ///< As linked: "_Z7stencilILi32EEvPKfPfi".
  std::string name;    ///< Demangled; the symbol where that is not possible.
  std::uint64_t code_bytes = 0;
  std::optional<std::uint32_t> registers;
  std::optional<std::uint32_t> stack_bytes;  ///< Of its own frame, per thread.
  std::optional<std::uint32_t> max_threads;  ///< From __launch_bounds__.
  std::optional<std::uint32_t> barriers;
  std::optional<std::uint32_t> parameter_bytes;
  std::uint64_t shared_bytes = 0;  ///< Static; without what the system reserves.
  /// Instructions that ptxas itself marked as spills. It does not mark all:
  /// zero is no promise, more than zero is a certainty.
  std::uint32_t marked_spills = 0;
};

/// In the order of the symbol table; nothing when it is not a cubin. Ends where
/// the budget is exceeded, or where sections are read more often than an honest
/// file needs.
std::vector<Kernel> ReadKernels(std::string_view cubin, Budget& budget);

/// The name as written in C++; the symbol itself when it is not a C++ name, or
/// longer than 8 KiB, refers to itself more than 40 times, or its name would be
/// longer than 64 KiB: a symbol of 400 bytes can stand for a name of terabytes.
std::string Demangle(std::string_view symbol);

}  // namespace sibyl::inspect
