// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/code_scan.h"

#include <algorithm>
#include <cstring>

namespace sibyl::inspect {
namespace {

constexpr std::string_view kFatbin = "\x50\xed\x55\xba";
constexpr std::string_view kElf =
    "\x7f"
    "ELF";
constexpr std::string_view kPtx = ".version";

// Vectors that both compilers translate for any machine; intrinsics would be slightly faster,
// but tied to one machine.
using Vector = unsigned char __attribute__((vector_size(16)));
using Halves = unsigned long long __attribute__((vector_size(16)));

Vector Load(const char* at) {
  Vector vector;
  std::memcpy(&vector, at, sizeof(vector));
  return vector;
}

bool Any(Vector vector) {
  Halves halves;
  std::memcpy(&halves, &vector, sizeof(halves));
  return (halves[0] | halves[1]) != 0;
}

bool MatchesAt(std::string_view bytes, std::size_t at, ScanHit& hit) {
  const std::string_view rest = bytes.substr(at, kPtx.size());
  if (rest.starts_with(kFatbin)) {
    hit = {.needle = Needle::kFatbin, .offset = at};
  } else if (rest.starts_with(kElf)) {
    hit = {.needle = Needle::kElf, .offset = at};
  } else if (rest == kPtx) {
    hit = {.needle = Needle::kPtx, .offset = at};
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool FindNext(std::string_view bytes, std::uint64_t from, ScanHit& hit) {
  auto at = static_cast<std::size_t>(std::min<std::uint64_t>(from, bytes.size()));
  // The first and the fourth byte of each needle together are rare enough (one place in 20,000
  // of random bytes) that the full check may be slow.
  constexpr std::size_t kApart = 3;
  while (bytes.size() - at >= sizeof(Vector) + kApart) {
    const Vector first = Load(bytes.data() + at);
    const Vector fourth = Load(bytes.data() + at + kApart);
    const auto fatbin = (first == 0x50) & (fourth == 0xba);
    const auto elf = (first == 0x7f) & (fourth == 0x46);
    const auto ptx = (first == 0x2e) & (fourth == 0x72);
    if (Any(reinterpret_cast<Vector>(fatbin | elf | ptx))) {
      for (std::size_t i = 0; i < sizeof(Vector); ++i) {
        if (MatchesAt(bytes, at + i, hit)) return true;
      }
    }
    at += sizeof(Vector);
  }
  for (; at < bytes.size(); ++at) {
    if (MatchesAt(bytes, at, hit)) return true;
  }
  return false;
}

}  // namespace sibyl::inspect
