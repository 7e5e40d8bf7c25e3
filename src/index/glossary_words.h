// SPDX-License-Identifier: Apache-2.0
// The tables behind glossary.h. A line is an entry: what the sources call a thing, a
// colon, and words in which somebody who does not know the name might speak of it.
// Order and forms of the words do not matter; the rarer a word is in the tables, the
// more it says. New entries come from what the field knows, not from the questions of the
// ranking evaluation. Long because the field is: split a table before it has
// 64 KiB, the longest string that compilers must take.
#pragma once

#include <array>
#include <string_view>

#include "index/glossary_builds.h"
#include "index/glossary_device.h"
#include "index/glossary_frameworks.h"
#include "index/glossary_kernels.h"

namespace sibyl::index {

inline constexpr std::array<std::string_view, 4> kGlossaryTables = {
    kDeviceGlossary, kKernelGlossary, kFrameworkGlossary, kBuildGlossary};

}  // namespace sibyl::index
