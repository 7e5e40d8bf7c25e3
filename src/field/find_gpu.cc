// SPDX-License-Identifier: Apache-2.0
// A GPU as people write it: "4090", "H100 PCIe", "NVIDIA A100-SXM4-80GB", "sm90", "8.9".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.h"
#include "base/nearest_name.h"
#include "base/strings.h"
#include "field/field.h"

namespace sibyl::field {
namespace {

// Words that do not tell architectures apart.
constexpr std::array<std::string_view, 25> kFormFactors = {
    "nvidia",  "geforce",     "tesla",     "pcie",   "nvl",    "gpu",        "laptop",
    "mobile",  "super",       "max",       "q",      "server", "generation", "d",
    "edition", "workstation", "sxm",       "tensor", "core",   "graphics",   "card",
    "oem",     "cnx",         "blackwell", "sff"};

// Families that people leave out: "4090", "A6000", "Orin".
constexpr std::array<std::string_view, 6> kFamilies = {"rtx",    "gtx",    "jetson",
                                                       "quadro", "rtxpro", "quadrortx"};

bool HasOnlyDigits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return IsDigit(c); });
}

// "80gb", "hbm2e", "sxm4"
bool IsFormFactor(std::string_view word) {
  if (std::ranges::find(kFormFactors, word) != kFormFactors.end()) return true;
  if (word.ends_with("gb") && HasOnlyDigits(word.substr(0, word.size() - 2))) return true;
  return word.starts_with("hbm") || (word.starts_with("sxm") && HasOnlyDigits(word.substr(3)));
}

// "NVIDIA GeForce RTX 4090", "rtx4090" and "RTX 4090 Laptop GPU" are equal.
std::string PlainName(std::string_view text) {
  std::string plain;
  std::string word;
  for (const char c : LowerCase(text) + " ") {
    if (IsLetter(c) || IsDigit(c)) {
      word += c;
      continue;
    }
    if (!IsFormFactor(word)) plain += word;
    word.clear();
  }
  // "NvidiaH100" in one word.
  for (const std::string_view brand : {"nvidia", "geforce", "tesla"}) {
    if (plain.starts_with(brand)) plain.erase(0, brand.size());
  }
  return plain;
}

// "sm90", "SM 9.0", "compute_90" as "sm_90".
std::string AsArchitecture(std::string_view text) {
  std::string lower = LowerCase(Trim(text));
  for (const std::string_view prefix : {"sm", "compute", "cc"}) {
    if (!lower.starts_with(prefix)) continue;
    std::size_t at = prefix.size();
    while (at < lower.size() && (lower[at] == ' ' || lower[at] == '-' || lower[at] == '_')) ++at;
    if (at < lower.size() && IsDigit(lower[at])) return "sm_" + lower.substr(at);
  }
  return lower;
}

std::vector<const Product*> ProductsNamed(const std::string& plain) {
  std::vector<const Product*> named;
  for (const Product& gpu : Products()) {
    const std::string name = PlainName(gpu.name);
    if (name == plain) return {&gpu};
    // "RTX 6000" may be the Quadro or the one of the Ada generation.
    std::string_view bare = name;
    if (bare.ends_with("ada")) bare.remove_suffix(3);
    const bool is_short = bare == plain || std::ranges::any_of(kFamilies, [&](auto family) {
                            return bare.starts_with(family) && bare.substr(family.size()) == plain;
                          });
    if (is_short) named.push_back(&gpu);
  }
  return named;
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
  const std::vector<const Product*> named = ProductsNamed(std::to_string(number));
  if (!named.empty()) {
    error.hint = fmt::format("the {} is sm_{}", named.front()->name, named.front()->number);
  } else if (around.size() == 1) {
    error.hint = fmt::format("the {} is {}", below != 0 ? "newest" : "oldest", around.front());
  }
  return error;
}

// Without the family that people leave out: "4090" of "RTX 4090".
std::string ShortName(std::string_view name) {
  std::string plain = PlainName(name);
  for (const std::string_view family : kFamilies) {
    if (plain.starts_with(family) && plain.size() > family.size()) {
      return plain.substr(family.size());
    }
  }
  return plain;
}

// "a" of "a5500": GPUs of one series have it in common.
std::string_view Series(std::string_view name) {
  std::size_t end = 0;
  while (end < name.size() && IsLetter(name[end])) ++end;
  return name.substr(0, end);
}

// Of the same series if there is one that is near: "L4" for "L2", not "A2". What only a Jetson has
// in its name is not suggested to somebody who has a card.
std::optional<std::string> NearestGpu(std::string_view text) {
  const std::string wanted = ShortName(text);
  const bool wants_jetson = LowerCase(text).find("jetson") != std::string::npos;
  for (const bool same_series : {true, false}) {
    std::vector<std::string> names;
    std::vector<std::string_view> products;
    for (const Product& gpu : Products()) {
      if (gpu.name.starts_with("Jetson") != wants_jetson) continue;
      std::string name = ShortName(gpu.name);
      if (same_series && Series(name) != Series(wanted)) continue;
      names.push_back(std::move(name));
      products.push_back(gpu.name);
    }
    // In a series with names as short as "L4", one letter is more than a third.
    const auto nearest = NearestName(wanted, names);
    const auto short_one = std::ranges::find_if(names, [&](const std::string& name) {
      return same_series && !Series(wanted).empty() && EditDistance(name, wanted) <= 1;
    });
    const auto found = nearest ? std::ranges::find(names, *nearest) : short_one;
    if (found == names.end()) continue;
    return std::string(products[static_cast<std::size_t>(found - names.begin())]);
  }
  return NearestName(text, GpuNames());
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
  std::vector<std::string> members;
  for (const ArchitectureLife& life : Architectures()) {
    if (life.architecture.suffix != '\0' || LowerCase(life.generation) != LowerCase(Trim(text))) {
      continue;
    }
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
  const std::optional<std::string> nearest = NearestGpu(text);
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("unknown GPU '{}'{}", text,
                                 nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""),
          .hint = fmt::format("{}; an architecture works too, such as sm_90 or 9.0", kListed)};
}

// "RTX 4090", "GTX 1080 Ti", "Titan V"; not "RTX 4000 Ada", "RTX A4000" or "RTX PRO 4000".
bool IsGeForce(std::string_view name) {
  if (name.starts_with("Titan") || name.starts_with("GTX ")) return true;
  constexpr std::string_view kSeries = "RTX ";
  if (!name.starts_with(kSeries)) return false;
  std::string_view model = name.substr(kSeries.size());
  if (model.ends_with(" Ti")) model.remove_suffix(3);
  return HasOnlyDigits(model);
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
    if (architecture->suffix == '\0') {
      return GpuTarget{.name = Format(*architecture),
                       .number = architecture->number,
                       .host = HostOf(architecture->number)};
    }
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("'{}' is an architecture for code, not a GPU", text),
                 .hint = fmt::format("use it without the suffix: sm_{}", architecture->number)};
  }
  std::string wanted = PlainName(text);
  std::vector<const Product*> named = ProductsNamed(wanted);
  if (named.empty() && wanted.ends_with("ti")) {
    // The variant has the architecture of its series.
    wanted.resize(wanted.size() - 2);
    named = ProductsNamed(wanted);
  }
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
                     .is_geforce = IsGeForce(named.front()->name)};
  }
  std::vector<std::string> names;
  names.reserve(named.size());
  for (const Product* gpu : named) names.emplace_back(gpu->name);
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("'{}' may be any of several GPUs", text),
               .hint = fmt::format("say which: {}", Join(names, ", "))};
}

}  // namespace sibyl::field
