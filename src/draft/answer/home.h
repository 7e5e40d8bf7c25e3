// SPDX-License-Identifier: Apache-2.0
// Whether a place is the home of a name: where it is declared or described, not
// where it is used.
#pragma once

#include <string_view>

#include "draft/answer/units.h"
#include "index/rank/searcher.h"

namespace sibyl::draft {

/// "add" of "at::native::add", "Options" of "Build > Options".
std::string_view LastPart(std::string_view name);

/// "FindCUDAToolkit" of "Modules/FindCUDAToolkit.cmake".
std::string_view FileStem(std::string_view path);

/// Whether a statement declares the name, in the languages that builds and
/// kernels are written in. A call does not.
bool Declares(std::string_view code, std::string_view name);

/// How far a place is the home of a name: 1 for any place, more for its page or
/// passage, and more for the unit that declares or describes it.
struct Home {
  double page = 1;
  double unit = 1;
};
Home HomeOf(const index::Hit& hit, const Unit& unit, std::string_view name);

}  // namespace sibyl::draft
