// SPDX-License-Identifier: Apache-2.0
#include "inspect/rules.h"

namespace sibyl::inspect {
namespace {

constexpr FindingRule kRules[] = {
    {"inspect/unreadable", "a file or folder could not be read"},
    {"inspect/unknown-kind", "the file is of no kind that can be looked into"},
    {"elf/cut", "an ELF file ends before the place its headers point to"},
    {"cuda/damaged", "device code whose headers or payload do not hold together"},
    {"cuda/too-many", "there are more images than are listed"},
    {"gpu/does-not-run", "no image in the file can be used on the GPU with the driver"},
    {"gpu/runs-partly",
     "some translation units have no image that the GPU can use, by design or by mistake"},
};

}  // namespace

std::span<const FindingRule> FindingRules() { return kRules; }

}  // namespace sibyl::inspect
