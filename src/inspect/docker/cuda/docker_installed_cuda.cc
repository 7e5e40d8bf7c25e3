// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/cuda/docker_installed_cuda.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::inspect {
namespace {

std::optional<std::uint32_t> LeadingNumber(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  return ParseNumber<std::uint32_t>(text.substr(0, end));
}

// Its package manager's verb, or conda's.
bool Installs(const ShellCommand& command) {
  return HasWord(command, "install") || HasWord(command, "create") || HasWord(command, "add") ||
         HasWord(command, "localinstall");
}

// A part of the driver, or only the way to the packages.
bool IsNoToolkit(std::string_view package) {
  for (const std::string_view other :
       {"cuda-compat", "cuda-keyring", "cuda-drivers", "cuda-driver", "cuda-repo"}) {
    if (package.starts_with(other)) return true;
  }
  return false;
}

// "nvidia-cuda-toolkit" of "ubuntu:22.04".
field::CudaVersion CudaOfSystem(std::string_view image) {
  for (const std::string_view registry : {"docker.io/", "library/"}) {
    if (image.starts_with(registry)) image.remove_prefix(registry.size());
  }
  image = image.substr(0, image.find('@'));
  const std::size_t colon = image.find(':');
  if (colon == image.npos) return {};
  const std::string_view tag = image.substr(colon + 1);
  for (const field::SystemToolkit& toolkit : field::SystemToolkits()) {
    if (toolkit.image != image.substr(0, colon)) continue;
    const bool is_it = std::ranges::any_of(toolkit.tags, [&](std::string_view each) {
      const bool begins = tag.starts_with(each);
      return begins &&
             (tag.size() == each.size() || tag[each.size()] == '-' || tag[each.size()] == '.');
    });
    if (is_it) return toolkit.cuda;
  }
  return {};
}

std::optional<InstalledCuda> OfSystemPackages(const ShellCommand& command, std::string_view image) {
  constexpr std::array<std::string_view, 9> kManagers = {
      "apt-get", "apt", "aptitude", "dnf", "microdnf", "yum", "tdnf", "zypper", "apk"};
  if (!IsOneOf(ProgramOf(command), kManagers) || !Installs(command)) return std::nullopt;
  std::optional<InstalledCuda> found;
  for (const std::string& word : command) {
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    if (IsNoToolkit(name)) continue;
    if (name == "nvidia-cuda-toolkit" || name == "nvidia-cuda-dev") {
      return InstalledCuda{.name = name, .cuda = CudaOfSystem(image)};
    }
    const std::optional<NamedCuda> cuda = CudaOfPackage(word);
    if (cuda && cuda->minor)
      return InstalledCuda{.name = name, .cuda = {cuda->major, *cuda->minor}};
    // The newest one of the repository, or that of "cuda-toolkit=12.4.1-1".
    const bool is_toolkit = name == "cuda" || name.starts_with("cuda-1") ||
                            name.starts_with("cuda-toolkit") || name.starts_with("cuda-runtime") ||
                            name.starts_with("cuda-libraries");
    if (!is_toolkit) continue;
    std::string_view version = std::string_view(word).substr(std::min(equals + 1, word.size()));
    version = version.substr(0, version.find('-'));
    if (!found) {
      found = {.name = name,
               .cuda = field::ParseCudaVersion(version).value_or(field::CudaVersion{})};
    }
  }
  return found;
}

// "nvidia/label/cuda-12.4.1", "nvidia/label/cuda-12.4.1::cuda-toolkit"
field::CudaVersion CudaOfLabel(std::string_view word) {
  constexpr std::string_view kLabel = "label/cuda-";
  const std::size_t at = word.find(kLabel);
  if (at == word.npos) return {};
  const std::string_view version = word.substr(at + kLabel.size());
  return field::ParseCudaVersion(version.substr(0, version.find_first_not_of("0123456789.")))
      .value_or(field::CudaVersion{});
}

std::optional<InstalledCuda> OfConda(const ShellCommand& command) {
  constexpr std::array<std::string_view, 4> kManagers = {"conda", "mamba", "micromamba", "pixi"};
  if (!IsOneOf(ProgramOf(command), kManagers) || !Installs(command)) return std::nullopt;
  constexpr std::array<std::string_view, 11> kPackages = {
      "pytorch-cuda", "cuda-version", "cuda-toolkit", "cudatoolkit",
      "cuda",         "cuda-runtime", "cuda-cudart",  "cuda-libraries",
      "cuda-nvcc",    "cuda-nvrtc",   "cuda-compiler"};
  field::CudaVersion label;
  for (const std::string& word : command) {
    if (const field::CudaVersion of_word = CudaOfLabel(word); of_word.major != 0) label = of_word;
  }
  std::optional<InstalledCuda> found;
  for (const std::string& word : command) {
    const std::size_t channel = word.rfind("::");
    const std::string package = channel == word.npos ? word : word.substr(channel + 2);
    const std::size_t end = std::min(package.find_first_of("=<>!~ "), package.size());
    const std::string name = package.substr(0, end);
    if (!IsOneOf(name, kPackages)) continue;
    const std::size_t number = package.find_first_not_of("=", end);
    field::CudaVersion cuda = label;
    if (number != package.npos && package[end] == '=') {
      const std::string_view version = std::string_view(package).substr(number);
      const std::size_t digits = std::min(version.find_first_not_of("0123456789."), version.size());
      std::string_view plain = version.substr(0, digits);
      while (plain.ends_with('.')) plain.remove_suffix(1);
      cuda = field::ParseCudaVersion(plain).value_or(label);
    }
    if (!found || (found->cuda.major == 0 && cuda.major != 0)) found = {.name = name, .cuda = cuda};
  }
  return found;
}

// "sh cuda_12.4.1_550.54.15_linux.run --silent"
std::optional<InstalledCuda> OfInstaller(const ShellCommand& command) {
  for (const std::string& word : command) {
    if (!word.ends_with(".run")) continue;
    const std::string name = word.substr(word.rfind('/') + 1);
    constexpr std::string_view kBegin = "cuda_";
    if (!name.starts_with(kBegin)) continue;
    const std::string_view version = std::string_view(name).substr(kBegin.size());
    if (const auto cuda = field::ParseCudaVersion(version.substr(0, version.find('_')))) {
      return InstalledCuda{.name = name, .cuda = *cuda};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<NamedCuda> CudaOfPackage(std::string_view package) {
  constexpr std::string_view kBuild = "+cuda";  // libnccl2=2.16.5-1+cuda11.8
  if (const std::size_t at = package.find(kBuild); at != package.npos) {
    const auto cuda = field::ParseCudaVersion(package.substr(at + kBuild.size()));
    if (cuda) return NamedCuda{.major = cuda->major, .minor = std::nullopt, .text = {}};
  }
  const std::string_view name = package.substr(0, package.find('='));
  constexpr std::string_view kCuda = "-cuda-";
  if (const std::size_t at = name.rfind(kCuda); at != name.npos && at > 0) {
    const std::string_view number = name.substr(at + kCuda.size());
    const auto major = LeadingNumber(number);
    if (major && number.find_first_not_of("0123456789") == number.npos) {
      return NamedCuda{.major = *major, .minor = std::nullopt, .text = name.substr(at)};
    }
  }
  const bool is_of_cuda = name.starts_with("cuda-") || name.starts_with("libcu") ||
                          name.starts_with("libnpp") || name.starts_with("libnvjpeg") ||
                          name.starts_with("libnvjitlink") || name.starts_with("gds-tools");
  const std::size_t second = name.rfind('-');
  if (!is_of_cuda || second == name.npos || second == 0) return std::nullopt;
  const std::size_t first = name.rfind('-', second - 1);
  if (first == name.npos) return std::nullopt;
  const std::string_view major_text = name.substr(first + 1, second - first - 1);
  const std::string_view minor_text = name.substr(second + 1);
  const auto major = ParseNumber<std::uint32_t>(major_text);
  const auto minor = ParseNumber<std::uint32_t>(minor_text);
  if (!major || !minor || *major < 8) return std::nullopt;
  return NamedCuda{.major = *major, .minor = minor, .text = name.substr(first)};
}

std::optional<InstalledCuda> InstalledCudaIn(std::string_view script, std::string_view image) {
  std::optional<InstalledCuda> found;
  for (const ShellCommand& command : CommandsOf(script)) {
    for (std::optional<InstalledCuda> each :
         {OfSystemPackages(command, image), OfConda(command), OfInstaller(command)}) {
      if (!each) continue;
      if (each->cuda.major != 0) return each;
      if (!found) found = std::move(each);
    }
  }
  return found;
}

field::CudaVersion CudaOfNvidiaWheel(std::string_view script) {
  for (const ShellCommand& command : CommandsOf(script)) {
    for (const std::string& package : PythonPackagesIn(command)) {
      const std::size_t version = package.find("==");
      // Other libraries (cuFFT, cuSOLVER) have numbers of their own.
      if (!package.starts_with("nvidia-cuda-") || version == package.npos) continue;
      if (const auto cuda = field::ParseCudaVersion(package.substr(version + 2))) return *cuda;
    }
  }
  return {};
}

}  // namespace sibyl::inspect
