// SPDX-License-Identifier: Apache-2.0
// The kernels of a cubin and their resource usage.
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
  std::string name;    ///< Demangled; the symbol if that is not possible.
  std::uint64_t code_bytes = 0;
  std::optional<std::uint32_t> registers;
  std::optional<std::uint32_t> stack_bytes;  ///< Own stack frame, per thread.
  std::optional<std::uint32_t> max_threads;  ///< From __launch_bounds__.
  std::optional<std::uint32_t> barriers;
  std::optional<std::uint32_t> parameter_bytes;
  std::uint64_t shared_bytes = 0;  ///< Static; without what the system reserves.
  /// Instructions that ptxas marked as spills. It does not mark all: there may be spills even
  /// if this is zero.
  std::uint32_t marked_spills = 0;
};

/// In the order of the symbol table; empty if it is not a cubin. Stops when the budget is
/// exceeded, or when sections are read more often than a valid file needs.
std::vector<Kernel> ReadKernels(std::string_view cubin, Budget& budget);

/// The C++ name; the symbol itself if it is not a C++ name, is longer than 8 KiB, refers to
/// itself more than 40 times, or its name would exceed 64 KiB: a symbol of 400 bytes can expand
/// to terabytes.
std::string Demangle(std::string_view symbol);

}  // namespace sibyl::inspect
