// SPDX-License-Identifier: Apache-2.0
// Hostile zip archives, and the metadata of wheels.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "inspect/python/python_package.h"
#include "inspect/python/wheel.h"
#include "inspect/python/zip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::inspect;  // NOLINT: a fuzz target is one file
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  (void)ParseMetadata(input);
  Budget budget(input.size());
  (void)ParseRecord(input, budget);
  (void)ParseWheelTags(input);
  (void)RequirementName(input);
  (void)IsWheel(input);
  const auto archive = ReadZip(input, budget);
  if (!archive) return 0;
  for (const ZipEntry& entry : archive->entries) {
    const auto member = ReadMember(input, entry, 1 << 20, budget);
    if (member && member->size() != entry.bytes) std::abort();
    (void)entry.Escapes();
  }
  if (!IsWheel(input)) return 0;
  // Libraries of more than 32 MiB would go to the disk; no input is so long.
  for (const ZipEntry& entry : archive->entries) {
    if (entry.bytes > (1U << 20)) return 0;
  }
  Artifact artifact{.path = "a.whl"};
  Budget whole(input.size());
  InspectWheel(input, {}, whole, artifact);
  for (const sibyl::Finding& finding : artifact.findings) {
    if (finding.message.empty() || finding.place.file != artifact.path) std::abort();
  }
  return 0;
}
