// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/nearest_name.h"
#include "base/strings.h"
#include "inspect/cuda/architecture.h"

namespace sibyl::inspect {
namespace {

struct NamedGpu {
  std::string_view name;
  std::uint32_t number;
};

constexpr NamedGpu kGpus[] = {
    {"K20", 35},
    {"K40", 35},
    {"K80", 37},
    {"GTX 750", 50},
    {"GTX 750 Ti", 50},
    {"M40", 52},
    {"M60", 52},
    {"GTX 970", 52},
    {"GTX 980", 52},
    {"GTX 980 Ti", 52},
    {"Jetson Nano", 53},
    {"P100", 60},
    {"P4", 61},
    {"P40", 61},
    {"GTX 1050", 61},
    {"GTX 1060", 61},
    {"GTX 1070", 61},
    {"GTX 1080", 61},
    {"GTX 1080 Ti", 61},
    {"Titan Xp", 61},
    {"Jetson TX2", 62},
    {"V100", 70},
    {"Titan V", 70},
    {"Jetson Xavier", 72},
    {"T4", 75},
    {"GTX 1650", 75},
    {"GTX 1660", 75},
    {"RTX 2060", 75},
    {"RTX 2070", 75},
    {"RTX 2080", 75},
    {"RTX 2080 Ti", 75},
    {"Titan RTX", 75},
    {"Quadro RTX 6000", 75},
    {"Quadro RTX 8000", 75},
    {"A100", 80},
    {"A30", 80},
    {"A800", 80},
    {"A2", 86},
    {"A10", 86},
    {"A10G", 86},
    {"A16", 86},
    {"A40", 86},
    {"RTX 3050", 86},
    {"RTX 3060", 86},
    {"RTX 3070", 86},
    {"RTX 3080", 86},
    {"RTX 3090", 86},
    {"RTX 3090 Ti", 86},
    {"RTX A2000", 86},
    {"RTX A4000", 86},
    {"RTX A5000", 86},
    {"RTX A6000", 86},
    {"Jetson Orin", 87},
    {"L4", 89},
    {"L40", 89},
    {"L40S", 89},
    {"RTX 4050", 89},
    {"RTX 4060", 89},
    {"RTX 4070", 89},
    {"RTX 4080", 89},
    {"RTX 4090", 89},
    {"RTX 6000 Ada", 89},
    {"H100", 90},
    {"H200", 90},
    {"H800", 90},
    {"H20", 90},
    {"GH200", 90},
    {"B100", 100},
    {"B200", 100},
    {"GB200", 100},
    {"B300", 103},
    {"GB300", 103},
    {"Jetson Thor", 110},
    {"RTX 5050", 120},
    {"RTX 5060", 120},
    {"RTX 5070", 120},
    {"RTX 5080", 120},
    {"RTX 5090", 120},
    {"RTX PRO 6000", 120},
    {"GB10", 121},
    {"DGX Spark", 121},
};

constexpr ArchitectureLife kLives[] = {
    {35, {5, 0}, {11, 8}, 470}, {37, {6, 5}, {11, 8}, 470}, {50, {6, 0}, {12, 9}, 580},
    {52, {6, 5}, {12, 9}, 580}, {53, {7, 0}, {12, 9}, 580}, {60, {8, 0}, {12, 9}, 580},
    {61, {8, 0}, {12, 9}, 580}, {62, {8, 0}, {12, 9}, 580}, {70, {9, 0}, {12, 9}, 580},
    {72, {9, 2}, {12, 9}, 580}, {75, {10, 0}, {}, 0},       {80, {11, 0}, {}, 0},
    {86, {11, 1}, {}, 0},       {87, {11, 4}, {}, 0},       {88, {13, 0}, {}, 0},
    {89, {11, 8}, {}, 0},       {90, {11, 8}, {}, 0},       {100, {12, 8}, {}, 0},
    {101, {12, 8}, {12, 9}, 0}, {103, {12, 9}, {}, 0},      {107, {13, 4}, {}, 0},
    {110, {13, 0}, {}, 0},      {120, {12, 8}, {}, 0},      {121, {12, 9}, {}, 0},
};

struct Release {
  CudaVersion cuda;
  CudaVersion ptx;
  std::string_view driver;  // the first Linux driver that supports this CUDA
};

// Newest first.
constexpr Release kReleases[] = {
    {{13, 4}, {9, 4}, "615"},       {{13, 3}, {9, 3}, "610.43.02"}, {{13, 2}, {9, 2}, "595.45.04"},
    {{13, 1}, {9, 1}, "590.44.01"}, {{13, 0}, {9, 0}, "580.65.06"}, {{12, 9}, {8, 8}, "575.51.03"},
    {{12, 8}, {8, 7}, "570.26"},    {{12, 7}, {8, 6}, "565.57.01"}, {{12, 6}, {8, 5}, "560.28.03"},
    {{12, 5}, {8, 5}, "555.42.02"}, {{12, 4}, {8, 4}, "550.54.14"}, {{12, 3}, {8, 3}, "545.23.06"},
    {{12, 2}, {8, 2}, "535.54.03"}, {{12, 1}, {8, 1}, "530.30.02"}, {{12, 0}, {8, 0}, "525.60.13"},
    {{11, 8}, {7, 8}, "520.61.05"}, {{11, 7}, {7, 7}, "515.43.04"}, {{11, 6}, {7, 6}, "510.39.01"},
    {{11, 5}, {7, 5}, "495.29.05"}, {{11, 4}, {7, 4}, "470.42.01"}, {{11, 3}, {7, 3}, "465.19.01"},
    {{11, 2}, {7, 2}, "460.27.03"}, {{11, 1}, {7, 1}, "455.23"},    {{11, 0}, {7, 0}, "450.51.05"},
    {{10, 2}, {6, 5}, "440.33"},    {{10, 1}, {6, 4}, "418.39"},    {{10, 0}, {6, 3}, "410.48"},
};

// "NVIDIA GeForce RTX 4090" and "rtx4090" are equal.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : LowerCase(text)) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) plain += c;
  }
  for (const std::string_view brand : {"nvidia", "geforce", "tesla"}) {
    if (plain.starts_with(brand)) plain.erase(0, brand.size());
  }
  return plain;
}

std::vector<std::uint32_t> Numbers(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end && numbers.size() < 4) {
    std::uint32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    if (next == end) return numbers;
    if (*next != '.') return {};
    at = next + 1;
  }
  return {};
}

}  // namespace

Result<GpuTarget> FindGpu(std::string_view text) {
  if (const std::optional<Architecture> architecture = ParseArchitecture(Trim(text))) {
    if (architecture->suffix == '\0') {
      return GpuTarget{.name = Format(*architecture), .number = architecture->number};
    }
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("'{}' is an architecture for code, not a GPU", text),
                 .hint = fmt::format("use it without the suffix: sm_{}", architecture->number)};
  }
  const std::string wanted = Plain(text);
  for (const NamedGpu& gpu : kGpus) {
    if (Plain(gpu.name) == wanted) return GpuTarget{std::string(gpu.name), gpu.number};
  }
  const std::optional<std::string> nearest = NearestName(text, GpuNames());
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("unknown GPU '{}'{}", text,
                                      nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""),
               .hint = "or give its architecture, such as sm_90 or 9.0"};
}

std::vector<std::string> GpuNames() {
  std::vector<std::string> names;
  for (const NamedGpu& gpu : kGpus) names.emplace_back(gpu.name);
  return names;
}

std::optional<DriverVersion> ParseDriverVersion(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('R') || text.starts_with('r')) text.remove_prefix(1);
  DriverVersion version{.parts = Numbers(text), .text = std::string(text)};
  if (version.parts.empty() || version.parts[0] < 100) return std::nullopt;
  return version;
}

int Compare(const DriverVersion& a, std::string_view b) {
  const std::vector<std::uint32_t> parts = Numbers(b);
  for (std::size_t i = 0; i < std::min(a.parts.size(), parts.size()); ++i) {
    if (a.parts[i] != parts[i]) return a.parts[i] < parts[i] ? -1 : 1;
  }
  return 0;
}

std::optional<CudaVersion> ParseCudaVersion(std::string_view text) {
  const std::vector<std::uint32_t> numbers = Numbers(Trim(text));
  if (numbers.size() < 2) return std::nullopt;
  return CudaVersion{numbers[0], numbers[1]};
}

std::string Format(const CudaVersion& version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

std::optional<CudaVersion> CudaOfDriver(const DriverVersion& driver) {
  for (const Release& release : kReleases) {
    if (Compare(driver, release.driver) >= 0) return release.cuda;
  }
  return std::nullopt;
}

std::string_view DriverFloor(std::uint32_t cuda_major) {
  switch (cuda_major) {
    case 13:
      return "580.65.06";
    case 12:
      return "525.60.13";
    case 11:
      return "450.80.02";
    default:
      return {};
  }
}

std::optional<CudaVersion> PtxOfCuda(const CudaVersion& cuda) {
  for (const Release& release : kReleases) {
    if (release.cuda <= cuda) return release.ptx;
  }
  return std::nullopt;
}

std::optional<CudaVersion> CudaOfPtx(const CudaVersion& isa) {
  std::optional<CudaVersion> first;
  for (const Release& release : kReleases) {
    if (release.ptx >= isa) first = release.cuda;
  }
  return first;
}

const ArchitectureLife* LifeOf(std::uint32_t number) {
  const auto* found = std::ranges::find(kLives, number, &ArchitectureLife::number);
  return found == std::end(kLives) ? nullptr : found;
}

}  // namespace sibyl::inspect
