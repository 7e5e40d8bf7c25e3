// SPDX-License-Identifier: Apache-2.0
// A GPU as people write it: "4090", "H100 PCIe", "NVIDIA A100-SXM4-80GB", "sm90", "8.9".
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "base/strings.h"
#include "field/field.h"
#include "field/gpu_name.h"

namespace sibyl::field {
namespace {

// "sm90", "SM 9.0", "compute_90", "compute capability 9.0" as "sm_90".
std::string AsArchitecture(std::string_view text) {
  std::string lower = LowerCase(Trim(text));
  for (const std::string_view prefix :
       {"cuda compute capability", "compute capability", "compute", "sm", "cc"}) {
    if (!lower.starts_with(prefix)) continue;
    std::size_t at = prefix.size();
    while (at < lower.size() && (lower[at] == ' ' || lower[at] == '-' || lower[at] == '_')) ++at;
    if (at < lower.size() && IsDigit(lower[at])) return "sm_" + lower.substr(at);
  }
  return lower;
}

Error UnknownArchitecture(std::string_view text, std::uint32_t number) {
  const std::span<const ArchitectureLife> all = Architectures();
  std::vector<std::string> around;
  std::uint32_t below = 0;
  for (const ArchitectureLife& life : all) {
    if (life.architecture.suffix != '\0') continue;
    if (life.architecture.number < number) below = life.architecture.number;
    if (life.architecture.number > number) {
      around.push_back(fmt::format("sm_{}", life.architecture.number));
      break;
    }
  }
  if (below != 0) around.insert(around.begin(), fmt::format("sm_{}", below));
  Error error{.kind = ErrorKind::kUsage,
              .message = fmt::format("unknown architecture '{}'", text),
              .hint = fmt::format("the nearest known ones are {}", Join(around, " and "))};
  // "sm_4090"
  const std::vector<const Product*> named = ProductsNamed(ParseGpuName(std::to_string(number)));
  if (!named.empty()) {
    error.hint = fmt::format("the {} is sm_{}", named.front()->name, named.front()->number);
  } else if (around.size() == 1) {
    error.hint = fmt::format("the {} is {}", below != 0 ? "newest" : "oldest", around.front());
  }
  return error;
}

constexpr std::string_view kListed = "'sibyl inspect --gpus' lists those that are known";

// "sm_90: H100, H200, H800 and 2 more"
std::string MembersOf(const Architecture& architecture) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> names;
  std::size_t count = 0;
  for (const Product& gpu : Products()) {
    if (gpu.number != architecture.number) continue;
    if (++count <= kShown) names.emplace_back(gpu.name);
  }
  if (names.empty()) return Format(architecture);
  return fmt::format("{}: {}{}", Format(architecture), Join(names, ", "),
                     count > kShown ? fmt::format(" and {} more", count - kShown) : "");
}

struct Renamed {
  std::uint32_t number = 0;
  std::uint32_t now = 0;
  CudaVersion since;
};

// A GPU reports one number only, whatever compiled for it.
constexpr Renamed kRenamed[] = {{101, 110, {13, 0}}};

const Renamed* FindRenamed(std::uint32_t number) {
  const auto found = std::ranges::find(kRenamed, number, &Renamed::number);
  return found == std::end(kRenamed) ? nullptr : found;
}

// "Hopper": GPUs of several architectures may have that name.
std::optional<Error> AsGeneration(std::string_view text) {
  const GpuName name = ParseGpuName(text);
  const std::string generation = name.plain.empty() ? name.generation : name.plain;
  std::vector<std::string> members;
  for (const ArchitectureLife& life : Architectures()) {
    if (life.architecture.suffix != '\0' || LowerCase(life.generation) != generation) continue;
    members.push_back(MembersOf(life.architecture));
  }
  if (members.empty()) return std::nullopt;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("'{}' is a generation, not a GPU", text),
               .hint = fmt::format("give one of its GPUs or architectures ({}); {}",
                                   Join(members, "; "), kListed)};
}

Error Unknown(std::string_view text) {
  if (std::optional<Error> generation = AsGeneration(text)) return *std::move(generation);
  const std::optional<std::string> nearest = NearestProduct(text);
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("unknown GPU '{}'{}", text,
                                 nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""),
          .hint = fmt::format("{}; an architecture works too, such as sm_90 or 9.0", kListed)};
}

// "RTX 4090", "GTX 1080 Ti", "Titan V"; not "RTX 4000 Ada", "RTX A4000" or "RTX PRO 4000".
bool IsGeForce(std::string_view name) {
  for (const std::string_view series : {"Titan", "GTX ", "GT ", "MX"}) {
    if (name.starts_with(series)) return true;
  }
  // Numbers of GeForces do not end with two zeros.
  constexpr std::string_view kSeries = "RTX ";
  return name.starts_with(kSeries) && name.size() >= 8 && IsDigit(name[4]) && IsDigit(name[5]) &&
         IsDigit(name[6]) && IsDigit(name[7]) && name.substr(6, 2) != "00";
}

// "H100", "L40S", "GB200", "Tesla P6"; not "T1000", a workstation's, or "GB10", a desktop's.
bool IsDataCenter(std::string_view name) {
  if (name.starts_with("Tesla ")) return true;
  if (name.find(' ') != name.npos || name == "GB10") return false;
  const std::size_t digits = name.find_first_of("0123456789");
  const std::size_t end = std::min(name.find_first_not_of("0123456789", digits), name.size());
  const std::string_view letters = name.substr(0, digits);
  constexpr std::string_view kSeries[] = {"K", "M", "P", "V", "T", "A", "L", "H", "B", "GH", "GB"};
  if (std::ranges::find(kSeries, letters) == std::end(kSeries)) return false;
  return letters != "T" || end - digits < 3;
}

// sm_87 is only in Jetson boards, sm_100 in x86 machines too.
std::string_view HostOf(std::uint32_t number) {
  const Product* first = nullptr;
  for (const Product& gpu : Products()) {
    if (gpu.number != number) continue;
    if (first != nullptr && first->host != gpu.host) return {};
    first = &gpu;
  }
  return first == nullptr ? std::string_view() : first->host;
}

}  // namespace

Result<GpuTarget> FindGpu(std::string_view text) {
  const std::string written = AsArchitecture(text);
  const std::optional<Architecture> architecture = ParseArchitecture(written);
  if (architecture && LifeOf(architecture->number) != nullptr) {
    if (const Renamed* renamed = FindRenamed(architecture->number)) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("'{}' is an old name: CUDA {} calls it sm_{}", text,
                                          Format(renamed->since), renamed->now),
                   .hint = fmt::format("give the GPU as sm_{} or by its name ({})", renamed->now,
                                       MembersOf({.number = renamed->now}))};
    }
    // What is compiled for sm_90a runs on sm_90, so people call the GPU that.
    if (LifeOf(*architecture) != nullptr) {
      const Architecture plain{.number = architecture->number};
      return GpuTarget{.name = Format(plain), .number = plain.number, .host = HostOf(plain.number)};
    }
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("there is no sm_{}{}", architecture->number, architecture->suffix),
        .hint = fmt::format("use it without the suffix: sm_{}", architecture->number)};
  }
  const std::vector<const Product*> named = ProductsNamed(ParseGpuName(text));
  if (named.empty()) {
    const bool is_number =
        architecture && (written.starts_with("sm_") || written.find('.') != std::string::npos);
    return is_number ? UnknownArchitecture(text, architecture->number) : Unknown(text);
  }
  const bool is_one = std::ranges::all_of(
      named, [&](const Product* gpu) { return gpu->number == named.front()->number; });
  if (is_one) {
    return GpuTarget{.name = std::string(named.front()->name),
                     .number = named.front()->number,
                     .host = named.front()->host,
                     .is_geforce = IsGeForce(named.front()->name),
                     .is_data_center = IsDataCenter(named.front()->name)};
  }
  std::vector<std::string> names;
  names.reserve(named.size());
  for (const Product* gpu : named) names.emplace_back(gpu->name);
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("'{}' may be any of several GPUs", text),
               .hint = fmt::format("say which: {}", Join(names, ", "))};
}

}  // namespace sibyl::field
