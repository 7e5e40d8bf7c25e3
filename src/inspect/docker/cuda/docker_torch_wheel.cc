// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/cuda/docker_torch_wheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "inspect/cuda/verdict.h"

namespace sibyl::inspect {
namespace {

bool IsFullVersion(std::string_view version) {
  return std::ranges::count(version, '.') == 2 &&
         version.find_first_not_of("0123456789.") == version.npos;
}

bool IsNumber(std::string_view text, std::size_t digits) {
  return text.size() == digits && std::ranges::all_of(text, [](char c) { return IsDigit(c); });
}

// With a second index beside PyPI, pip takes the newest release of both.
bool HasOtherIndex(const ShellCommand& command) {
  return std::ranges::any_of(
      command, [](const std::string& word) { return word.starts_with("--extra-index-url"); });
}

// "conda install pytorch=2.5.1 pytorch-cuda=12.4": the same code as in the wheels.
TorchWheel CondaTorchIn(const ShellCommand& command) {
  TorchWheel torch;
  for (const std::string& word : command) {
    const std::size_t equals = word.find('=');
    if (equals == word.npos) continue;
    const std::string_view name = std::string_view(word).substr(0, equals);
    const std::string_view text =
        std::string_view(word).substr(std::min(word.find_first_not_of('=', equals), word.size()));
    if (name == "pytorch" && IsFullVersion(text)) torch.version = text;
    const std::optional<field::CudaVersion> cuda = field::ParseCudaVersion(text);
    if (name == "pytorch-cuda" && cuda)
      torch.index = fmt::format("cu{}{}", cuda->major, cuda->minor);
  }
  return torch;
}

bool Fits(const field::TorchBuild& build, std::uint32_t gpu) {
  return std::ranges::any_of(build.cubins, [&](const auto& c) { return CubinFits(c, gpu); }) ||
         std::ranges::any_of(build.ptx, [&](const auto& p) { return PtxFits(p, gpu); });
}

bool IsOf(const field::TorchBuild& build, std::string_view version) {
  return field::CompareVersions(version, build.first) >= 0 &&
         field::CompareVersions(version, build.last) <= 0;
}

}  // namespace

std::string WheelIndexIn(const ShellCommand& command) {
  constexpr std::string_view kAddress = "download.pytorch.org/whl/cu";
  for (const std::string& word : command) {
    const std::size_t at = word.find(kAddress);
    if (at == word.npos) continue;
    const std::string_view digits = std::string_view(word).substr(at + kAddress.size());
    const std::string_view number = digits.substr(0, digits.find('/'));
    if (IsNumber(number, 3)) return fmt::format("cu{}", number);
  }
  return {};
}

std::string TorchVersionIn(const ShellCommand& command) {
  constexpr std::string_view kTorch = "torch==";
  for (const std::string& package : PythonPackagesIn(command)) {
    if (!package.starts_with(kTorch)) continue;
    std::string version = package.substr(kTorch.size());
    version = version.substr(0, version.find('+'));
    return IsFullVersion(version) ? version : std::string();
  }
  return {};
}

TorchWheel TorchWheelIn(std::string_view script) {
  for (const ShellCommand& command : CommandsOf(script)) {
    const TorchWheel conda = CondaTorchIn(command);
    if (!conda.index.empty()) return conda;
    for (const std::string& package : PythonPackagesIn(command)) {
      if (PackageName(package) != "torch") continue;
      TorchWheel torch{.index = WheelIndexIn(command), .version = TorchVersionIn(command)};
      constexpr std::string_view kBuild = "+cu";
      const std::size_t build = package.find(kBuild);
      if (build != package.npos) {
        const std::string number = package.substr(build + kBuild.size());
        torch.index = IsNumber(number, 3) ? "cu" + number : std::string();
      } else if (torch.version.empty() && HasOtherIndex(command)) {
        torch.index.clear();
      }
      return torch;
    }
  }
  return {};
}

TorchWheel TorchOfImage(std::string_view image) {
  for (const std::string_view registry : {"docker.io/", "pytorch/pytorch:"}) {
    if (image.starts_with(registry)) image.remove_prefix(registry.size());
  }
  constexpr std::string_view kCuda = "-cuda";
  const std::size_t at = image.find(kCuda);
  if (at == image.npos || !IsFullVersion(image.substr(0, at))) return {};
  std::string_view number = image.substr(at + kCuda.size());
  number = number.substr(0, number.find('-'));
  const std::optional<field::CudaVersion> cuda = field::ParseCudaVersion(number);
  if (!cuda) return {};
  return {.index = fmt::format("cu{}{}", cuda->major, cuda->minor),
          .version = std::string(image.substr(0, at))};
}

std::string WhyTorchLacks(const TorchWheel& wheel, const field::GpuTarget& gpu) {
  // The table is that of x86-64.
  if (wheel.index.empty() || !gpu.host.empty()) return {};
  const auto builds = field::FindTorchBuilds(wheel.index, wheel.version);
  std::set<field::Architecture> cubins;
  std::set<field::Architecture> ptx;
  for (const field::TorchBuild* build : builds) {
    if (Fits(*build, gpu.number)) return {};
    cubins.insert(build->cubins.begin(), build->cubins.end());
    ptx.insert(build->ptx.begin(), build->ptx.end());
  }
  if (builds.empty()) return {};
  const auto list = [](const std::set<field::Architecture>& all, std::string_view prefix) {
    std::vector<std::string> names;
    for (const field::Architecture& each : all) names.push_back(field::Format(each, prefix));
    return Join(names, ", ");
  };
  return fmt::format(
      "{} of {} has machine code for {}, and {}",
      wheel.version.empty() ? std::string("every known torch")
                            : fmt::format("torch {}", wheel.version),
      wheel.index, list(cubins, "sm_"),
      ptx.empty() ? std::string("no PTX") : fmt::format("PTX for {}", list(ptx, "compute_")));
}

TorchWheel NearestTorchFor(const TorchWheel& wheel, const field::GpuTarget& gpu) {
  const field::TorchBuild* same = nullptr;    // of the newest CUDA
  const field::TorchBuild* next = nullptr;    // the oldest one that is newer
  const field::TorchBuild* newest = nullptr;  // of all
  for (const field::TorchBuild& build : field::TorchBuilds()) {
    if (!Fits(build, gpu.number)) continue;
    if (!wheel.version.empty() && IsOf(build, wheel.version)) same = &build;
    const bool is_newer =
        !wheel.version.empty() && field::CompareVersions(build.first, wheel.version) > 0;
    if (is_newer && (next == nullptr || field::CompareVersions(build.first, next->first) < 0)) {
      next = &build;
    }
    if (newest == nullptr || field::CompareVersions(build.last, newest->last) >= 0) newest = &build;
  }
  if (same != nullptr) return {.index = std::string(same->index), .version = wheel.version};
  if (next != nullptr) {
    return {.index = std::string(next->index), .version = std::string(next->first)};
  }
  if (newest == nullptr) return {};
  return {.index = std::string(newest->index), .version = std::string(newest->last)};
}

}  // namespace sibyl::inspect
