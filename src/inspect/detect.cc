// SPDX-License-Identifier: Apache-2.0
#include "inspect/detect.h"

#include "base/strings.h"
#include "inspect/cuda/ar.h"
#include "inspect/cuda/elf.h"
#include "inspect/cuda/fatbin.h"
#include "inspect/cuda/ptx.h"

namespace sibyl::inspect {
namespace {

bool IsCMakeCache(std::string_view text) {
  if (text.find("CMAKE_CACHE") == std::string_view::npos &&
      !text.starts_with("# This is the CMakeCache file.")) {
    return false;
  }
  return text.find('\0') == std::string_view::npos;
}

// The first instruction of a Dockerfile is FROM or an ARG for it. Many texts
// begin so; the name must agree, or a directive of BuildKit.
bool IsDockerfile(std::string_view text, std::string_view name) {
  const std::string lower = LowerCase(name);
  const bool is_named = lower == "dockerfile" || lower == "containerfile" ||
                        lower.starts_with("dockerfile.") || lower.ends_with(".dockerfile") ||
                        lower.starts_with("containerfile.") || lower.starts_with("dockerfile-");
  for (const std::string_view raw : SplitLines(text)) {
    const std::string_view line = Trim(raw);
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      if (LowerCase(line).find("syntax=docker/dockerfile") != std::string::npos) return true;
      continue;
    }
    return is_named &&
           (StartsWithIgnoringCase(line, "FROM ") || StartsWithIgnoringCase(line, "ARG "));
  }
  return false;
}

}  // namespace

ArtifactKind Detect(std::string_view beginning, std::string_view name) {
  if (beginning.starts_with("\x7f"
                            "ELF") &&
      beginning.size() >= 52) {
    const auto order =
        static_cast<unsigned char>(beginning[5]) == 2 ? ByteOrder::kBig : ByteOrder::kLittle;
    const auto machine = Bytes(beginning, order).Get<std::uint16_t>(18);
    return machine == kMachineCuda ? ArtifactKind::kCubin : ArtifactKind::kElf;
  }
  if (IsArArchive(beginning)) return ArtifactKind::kArchive;
  if (beginning.starts_with(kFatbinMagic)) return ArtifactKind::kFatbin;
  if (beginning.starts_with("\xed\x43\x4e\x7f")) return ArtifactKind::kLtoIr;
  if (beginning.find('\0') != std::string_view::npos) return ArtifactKind::kOther;
  CodeImage image;
  if (ReadPtx(beginning, image)) return ArtifactKind::kPtx;
  if (IsCMakeCache(beginning)) return ArtifactKind::kCMakeCache;
  if (IsDockerfile(beginning, name)) return ArtifactKind::kDockerfile;
  return ArtifactKind::kOther;
}

}  // namespace sibyl::inspect
