// SPDX-License-Identifier: Apache-2.0
// Hostile device code: ELF files of any machine, archives, fatbins, cubins, PTX;
// everything is listed, decoded and judged.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "field/field.h"
#include "inspect/cuda/code_content.h"
#include "inspect/cuda/code_summary.h"
#include "inspect/inspectors.h"

namespace {

using namespace sibyl::inspect;  // NOLINT: a fuzz target is one file
namespace field = sibyl::field;

void Require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  (void)InspectorOf(input, "Dockerfile");
  if (const auto elf = Elf::Read(input)) {
    (void)elf->Dynamic();
    for (const ElfSection& section : elf->sections()) {
      Require(elf->Content(section).size() <= size);
    }
  }
  DeviceCode code = ReadDeviceCode(input, {.depth = CodeDepth::kScan, .max_images = 1000});
  for (CodeImage& image : code.images) {
    Require(image.payload_offset <= size && image.payload_bytes <= size - image.payload_offset);
    Require(image.region < code.regions.size() && image.container < code.containers.size());
    // A bomb may be 256 MiB by design; here that would only cost time.
    if (image.unpacked_bytes > (1U << 20)) image.unpacked_bytes = 1U << 20;
  }
  Budget budget(input.size());
  ReadContent(input, code, 1, budget);
  (void)ReadAllKernels(input, code, 1, budget);
  const field::GpuTarget gpus[] = {{"H200", 90}, {"B300", 103}};
  Artifact artifact{.code = code};
  AddCodeFacts(artifact);
  for (const field::GpuTarget& gpu : gpus) {
    const GpuVerdict verdict = Judge(code, gpu, {.driver = field::ParseDriverVersion("580.65.06")});
    Require(verdict.native + verdict.jit + verdict.none == verdict.containers);
  }
  std::size_t images = 0;
  for (const PruneGroup& group : PruneReport(code, gpus)) images += group.kept + group.unneeded;
  Require(images == code.images.size());
  Require(CompareCode(code, code).empty());
  return 0;
}
